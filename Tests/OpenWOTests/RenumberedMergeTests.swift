import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

/// Rows that get other numbers in merges, and merges that meet them again.
struct RenumberedMergeTests {
  private func rig(_ schema: String, names: [String]) throws -> Rig {
    let rig = try Rig(names)
    rig.settling = .merge
    try rig.start(schema)
    return rig
  }

  private func write(_ rig: Rig, _ device: String, _ sql: String) throws {
    try rig.on(device) { store in try store.write { db in try db.execute(sql) } }
  }

  private func read(_ rig: Rig, _ device: String, _ sql: String) throws -> [String] {
    try rig.on(device) { _ in }
    return try rig.place.sqlite3(sql, rig.database(device)).split(separator: "\n").map(String.init)
  }

  /// Merges what two devices have written on a third one, while both write once more; then all meet.
  private func overlap(_ rig: Rig, first: [String], then: [String]) throws {
    try write(rig, "a", first[0])
    try write(rig, "b", first[1])
    try rig.deliver("a", "c", live: false)
    try rig.deliver("b", "c", live: false)
    rig.clock.advance(milliseconds: 10_000)
    try rig.on("c") { _ in }
    try write(rig, "a", then[0])
    try write(rig, "b", then[1])
    for device in ["a", "b"] {
      try rig.deliver("c", device, live: false)
      rig.clock.advance(milliseconds: 10_000)
      try rig.on(device) { _ in }
    }
    try rig.settle()
  }

  @Test(arguments: [
    "id INTEGER PRIMARY KEY AUTOINCREMENT, what", "id INTEGER PRIMARY KEY, what", "what",
  ])
  func `rows that three devices only inserted are all there, whichever merges meet`(
    columns: String
  ) throws {
    let rig = try rig(
      "CREATE TABLE log(\(columns)); INSERT INTO log(what) VALUES ('base')", names: ["a", "b", "c"])
    func row(_ what: String) -> String { "INSERT INTO log(what) VALUES ('\(what)')" }
    try overlap(rig, first: [row("a1"), row("b1")], then: [row("a2"), row("b2")])
    for device in rig.devices {
      #expect(
        try read(rig, device, "SELECT what FROM log ORDER BY what") == [
          "a1", "a2", "b1", "b2", "base",
        ])
    }
  }

  @Test func `a change follows its row, not the row that has its old number`() throws {
    let rig = try rig(
      "CREATE TABLE log(id INTEGER PRIMARY KEY AUTOINCREMENT, what, note)", names: ["a", "b", "c"])
    func row(_ what: String) -> String { "INSERT INTO log(what) VALUES ('\(what)')" }
    func note(_ what: String) -> String {
      "UPDATE log SET note = 'of \(what)' WHERE what = '\(what)'"
    }
    try overlap(rig, first: [row("a1"), row("b1")], then: [note("a1"), note("b1")])
    for device in rig.devices {
      #expect(
        try read(rig, device, "SELECT what, note FROM log ORDER BY what") == [
          "a1|of a1", "b1|of b1",
        ])
    }
  }

  @Test func `new rows point to the row that they were made for`() throws {
    let rig = try rig(
      "CREATE TABLE p(id INTEGER PRIMARY KEY AUTOINCREMENT, what); "
        + "CREATE TABLE c(id INTEGER PRIMARY KEY AUTOINCREMENT, p REFERENCES p(id), what)",
      names: ["a", "b", "c"])
    func row(_ what: String) -> String { "INSERT INTO p(what) VALUES ('\(what)')" }
    func child(_ what: String) -> String {
      "INSERT INTO c(p, what) SELECT id, '\(what)' FROM p WHERE what = '\(what)'"
    }
    try overlap(rig, first: [row("a1"), row("b1")], then: [child("a1"), child("b1")])
    for device in rig.devices {
      #expect(
        try read(
          rig, device, "SELECT c.what, p.what FROM c JOIN p ON p.id = c.p ORDER BY 1")
          == ["a1|a1", "b1|b1"])
    }
  }

  @Test func `a number is another row's if a version between does not have the row`() throws {
    let rig = try rig(
      "CREATE TABLE log(id INTEGER PRIMARY KEY, what, kind, note); "
        + "INSERT INTO log VALUES (1, 'old', 'squat', '')", names: ["a", "b"])
    try write(rig, "a", "DELETE FROM log")
    try write(rig, "a", "INSERT INTO log(what, kind, note) VALUES ('new', 'squat', '')")
    try write(rig, "b", "UPDATE log SET note = 'of old'")
    try rig.settle()
    for device in rig.devices {
      #expect(
        try read(rig, device, "SELECT what, note FROM log ORDER BY what") == ["new|", "old|of old"])
    }
  }

  @Test func `a merge that would separate rows from their references is left to a person`() throws {
    let rig = try rig(
      "CREATE TABLE book(id INTEGER PRIMARY KEY, title); "
        + "CREATE TABLE note(id INTEGER PRIMARY KEY, book_id INTEGER, text); "
        + "INSERT INTO book VALUES (1, 'Old'); INSERT INTO note VALUES (1, 1, 'Old')",
      names: ["phone", "mac"])
    for (device, title) in [("phone", "Emma"), ("mac", "Trial")] {
      try rig.on(device) { store in
        try store.write { db in
          try db.execute("INSERT INTO book VALUES (2, '\(title)')")
          try db.execute("INSERT INTO note VALUES (2, 2, '\(title)')")
        }
      }
    }
    try rig.settle()
    let mixed = "SELECT count(*) FROM note JOIN book ON book.id = book_id WHERE title <> text"
    #expect(try read(rig, "phone", mixed) == ["0"])
    let waiting = try rig.on("phone") { try $0.mergeable() }
    let source = try #require(waiting.first)
    let result = try rig.on("phone") { try $0.merge(source, MergeRequest(dryRun: true)) }
    #expect(result.undeclared.map(\.column) == ["book_id"])
  }

  @Test(arguments: [false, true])
  func `equal new rows with one number are one row and reported, or both rows under union`(
    isUnion: Bool
  ) throws {
    let rig = try Rig(["phone", "mac"])
    try rig.start("CREATE TABLE expense(id INTEGER PRIMARY KEY AUTOINCREMENT, what)")
    for device in rig.devices {
      try write(rig, device, "INSERT INTO expense(what) VALUES ('coffee')")
    }
    try rig.deliver("mac", "phone", live: false)
    let result = try rig.on("phone") { store -> MergeResult? in
      let others = try store.history().map(\.version).filter { $0.deviceName == "mac" }
      guard let other = others.first(where: { $0.reason == .write }) else { return nil }
      return try store.merge(
        .version(other.id), MergeRequest(dryRun: true, rule: isUnion ? .union : nil))
    }
    let table = try #require(result?.tables.first)
    #expect(table.same.count == (isUnion ? 0 : 1))
    #expect(table.renumbered.count == (isUnion ? 1 : 0))
  }
}
