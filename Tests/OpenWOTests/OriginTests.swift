import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell
import SystemPackage
import Testing

/// The parent of a conflict copy is found by the rows that it kept.
struct OriginTests {
  private let copyName = "openwo (Ana's conflicted copy 2026-11-21).sqlite"

  /// A store of sessions, with a copy beside it that another program wrote into.
  private func rig(_ versions: [String], copyAfter: Int, _ edit: String) throws -> Rig {
    let rig = try Rig(["phone"])
    rig.settling = .merge
    try rig.start(
      """
      CREATE TABLE session(id INTEGER PRIMARY KEY AUTOINCREMENT, day TEXT, note TEXT, sets INTEGER);
      INSERT INTO session(day, note, sets) VALUES('monday', 'easy', 5), ('tuesday', 'hard', 4);
      """)
    let copy = rig.folder("phone").appending(copyName)
    for (index, sql) in versions.enumerated() {
      if index == copyAfter {
        try rig.copy(rig.database("phone"), rig.place.root.appending("copy"))
      }
      try rig.on("phone") { store in
        try store.write { db in
          for statement in sql.split(separator: ";") { try db.execute(String(statement)) }
        }
      }
    }
    if copyAfter == versions.count {
      try rig.copy(rig.database("phone"), rig.place.root.appending("copy"))
    }
    try rig.place.sqlite3(edit, rig.place.root.appending("copy"))
    try FileSystem().rename(rig.place.root.appending("copy"), to: copy)
    rig.clock.advance(milliseconds: 60_000)
    return rig
  }

  private func rows(_ rig: Rig) throws -> [String] {
    try rig.on("phone") { _ in }
    return try rig.place.sqlite3(
      "SELECT day, note, sets FROM session ORDER BY day", rig.database("phone")
    ).split(separator: "\n").map(String.init)
  }

  private func parent(_ rig: Rig) throws -> Int? {
    let history = try rig.on("phone") { try $0.history().map(\.version) }
    let line = history.filter { $0.reason == .create || $0.reason == .write }.reversed()
    let copy = history.first { $0.reason == .external }
    return copy?.parents.first.flatMap { parent in
      Array(line).firstIndex { $0.id == parent }
    }
  }

  @Test func `a copy of the newest version follows from it, and nothing is at odds`() throws {
    let rig = try rig(
      ["UPDATE session SET note = 'easier' WHERE id = 1", "DELETE FROM session WHERE id = 2"],
      copyAfter: 2, "INSERT INTO session(day) VALUES('friday')")
    #expect(try rows(rig) == ["friday||", "monday|easier|5"])
    #expect(try parent(rig) == 2)
  }

  @Test func `a copy is stored as what it changed`() throws {
    let rig = try rig(
      ["INSERT INTO session(day, note) VALUES('blob', hex(randomblob(200000)))"],
      copyAfter: 1, "INSERT INTO session(day) VALUES('friday')")
    try rig.on("phone") { _ in }
    let files = FileSystem()
    let versions = rig.folder("phone").appending("openwo.sqlite.openwo/versions")
    let sizes = try files.list(versions).map {
      try files.statusIfPresent(versions.appending($0))?.size ?? 0
    }
    #expect(sizes.count == 3 && sizes.filter { $0 > 100_000 }.count == 1)
  }

  @Test func `a copy of an earlier version is merged from that one`() throws {
    let rig = try rig(
      [
        "INSERT INTO session(day) VALUES('wednesday')",
        "UPDATE session SET note = 'easier' WHERE id = 1",
        "INSERT INTO session(day) VALUES('thursday')",
      ], copyAfter: 2,
      """
      INSERT INTO session(day) VALUES('friday'); UPDATE session SET sets = 6 WHERE id = 1;
      DELETE FROM session WHERE day = 'tuesday';
      """)
    #expect(
      try rows(rig) == ["friday||", "monday|easier|6", "thursday||", "wednesday||"])
    #expect(try parent(rig) == 2)
  }

  @Test func `rows inserted separately do not count as removed`() throws {
    // As many transactions as the other side made, and more: the counter of changes alone would tell a lie.
    let rig = try rig(
      [
        "INSERT INTO session(day, note) VALUES('wednesday', 'phone')",
        "INSERT INTO session(day, note) VALUES('thursday', 'phone')",
      ], copyAfter: 0,
      """
      INSERT INTO session(day, note) VALUES('friday', 'mac');
      INSERT INTO session(day, note) VALUES('saturday', 'mac');
      INSERT INTO session(day, note) VALUES('sunday', 'mac');
      """)
    #expect(
      try rows(rig) == [
        "friday|mac|", "monday|easy|5", "saturday|mac|", "sunday|mac|", "thursday|phone|",
        "tuesday|hard|4", "wednesday|phone|",
      ])
    #expect(try parent(rig) == 0)
  }

  @Test func `one equal row on both sides does not make a version the origin`() throws {
    let rig = try rig(
      [
        """
        INSERT INTO session(id, day, note) VALUES(3, 'rest', 'day'), (4, 'wednesday', 'phone')
        """
      ], copyAfter: 0,
      "INSERT INTO session(id, day, note) VALUES(3, 'rest', 'day'); SELECT 1;")
    #expect(
      try rows(rig) == ["monday|easy|5", "rest|day|", "tuesday|hard|4", "wednesday|phone|"])
  }

  /// Most apps have a row that each use writes over, and some read a lot in at once.
  @Test(arguments: [1, 12_000])
  func `a copy of a version is found though rows changed and many were added`(
    imported: Int
  ) throws {
    let use = "UPDATE session SET note = note || '.' WHERE id = 1"
    let rig = try rig(
      [
        """
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT \(imported))
        INSERT INTO session(day, note) SELECT 'day', 'old' FROM n
        """,
        "INSERT INTO session(day, note) VALUES('wednesday', 'w'); \(use)",
        "INSERT INTO session(day, note) VALUES('thursday', 't'); \(use)",
        """
        DELETE FROM session WHERE day = 'wednesday'; UPDATE session SET note = 'tt' WHERE note = 't';
        \(use)
        """,
      ], copyAfter: 3,
      "INSERT INTO session(day, note) VALUES('friday', 'f'); UPDATE session SET note = 'f' WHERE id = 1"
    )
    #expect(
      try rows(rig).filter { !$0.hasPrefix("day|") }.map { String($0.prefix { $0 != "|" }) }
        == ["friday", "monday", "thursday", "tuesday"])
    #expect(try parent(rig) == 3)
  }

  /// The last change of one side may be one that both made.
  @Test(arguments: [
    "ALTER TABLE session ADD COLUMN place TEXT", "CREATE TABLE tag(name TEXT)",
    "UPDATE session SET note = 'done' WHERE id = 1",
  ])
  func `an equal change on both sides does not hide earlier rows`(alike: String) throws {
    let rig = try rig(
      ["INSERT INTO session(day, note, sets) VALUES('wednesday', 'done', 3)", alike], copyAfter: 0,
      """
      \(alike); INSERT INTO session(day, note, sets) VALUES('friday', 'apart', 1);
      INSERT INTO session(day, note, sets) VALUES('saturday', 'apart', 1);
      INSERT INTO session(day, note, sets) VALUES('sunday', 'apart', 1);
      """)
    #expect(
      try rows(rig).map { String($0.prefix { $0 != "|" }) } == [
        "friday", "monday", "saturday", "sunday", "tuesday", "wednesday",
      ])
  }

  /// Of a side that a service carried as a file, the merge has rows that its own device captured later.
  @Test func `a copy of a merge follows from the merge, though a later version's rows are in it`()
    throws
  {
    let rig = try Rig()
    rig.settling = .merge
    try rig.start()
    try rig.write("phone", "own")
    try rig.write("mac", "two")
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('three')", rig.database("mac"))
    try rig.deliver("mac", "phone", companion: false)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('four')", rig.database("phone"))
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.on("phone") { try $0.reconcile() }
    #expect(try rig.rows("phone").sorted() == ["four", "one", "own", "three", "two"])

    let copy = rig.place.root.appending("copy")
    try rig.copy(rig.database("phone"), copy)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('five')", copy)
    try rig.deliver("phone", "mac", live: false)
    try FileSystem().rename(copy, to: rig.folder("mac").appending(copyName))
    rig.clock.advance(milliseconds: 60_000)
    try rig.settle()
    for device in rig.devices {
      let rows = try rig.rows(device).sorted()
      #expect(rows == ["five", "four", "one", "own", "three", "two"])
    }
  }

  @Test func `a file that lacks most rows has no parent, so no row counts as removed`() throws {
    let rig = try Rig(["phone"])
    try rig.start()
    let other = rig.place.root.appending("other.sqlite")
    try rig.copy(rig.database("phone"), other)
    try rig.place.sqlite3("DELETE FROM t; INSERT INTO t(id, v) VALUES(7, 'other')", other)
    let error = #expect(throws: StoreError.self) {
      try rig.on("phone") { try $0.merge(.file(other)) }
    }
    #expect(error?.code == .mergeRefused)
    #expect(error?.hint.contains("--empty-base") == true)
    #expect(try rig.rows("phone") == ["one"])
  }

  /// All rows of what was made from nothing are its own, and nobody else has them yet.
  @Test(arguments: ["UPDATE t SET v = 'theirs'", "DELETE FROM t"])
  func `a copy that lacks a row of the first version is not its child, though most rows match`(
    change: String
  ) throws {
    let rig = try Rig(["phone"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      CREATE TABLE exercise(id INTEGER PRIMARY KEY, name TEXT);
      INSERT INTO t VALUES(1, 'one');
      INSERT INTO exercise(name) VALUES('squat'), ('press'), ('row'), ('curl'), ('plank');
      """)
    let theirs = rig.place.root.appending("theirs")
    try rig.copy(rig.database("phone"), theirs)
    try rig.place.sqlite3("\(change); INSERT INTO t(v) VALUES('more')", theirs)
    try FileSystem().rename(theirs, to: rig.folder("phone").appending(copyName))
    rig.clock.advance(milliseconds: 60_000)
    let history = try rig.on("phone") { try $0.history().map(\.version) }
    #expect(try #require(history.first { $0.reason == .external }).parents == [])
    var configuration = rig.configuration("phone")
    configuration.retention = Retention(last: 1)
    let store = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    _ = try store.prune()
    #expect(try store.history().contains { $0.version.reason == .create })
    try store.close()
  }

  /// It differs from another parent by what others had done before; that is not its own.
  @Test func `a version without changes is not the parent of a copy`() throws {
    let rig = try Rig(["phone"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1, 'one');
      CREATE TABLE exercise(name TEXT PRIMARY KEY);
      """)
    let theirs = rig.place.root.appending("theirs")
    try rig.copy(rig.database("phone"), theirs)
    let first = try #require(try rig.on("phone") { try $0.history() }.first).version.id
    try rig.on("phone") { store in
      try store.write {
        try $0.execute("INSERT INTO t(v) VALUES('two')")
        try $0.execute("INSERT INTO exercise VALUES('squat')")
      }
    }
    _ = try rig.on("phone") { try $0.restore(first) }
    try rig.write("phone", "five")
    let before = try rig.on("phone") { try $0.history().map(\.version) }
    let newest = try #require(before.first)
    let undone = try #require(before.last { $0.reason == .write })
    let facts = ContentFacts(
      hash: newest.content, bytes: newest.bytes, pageSize: newest.pageSize, userVersion: 0,
      applicationID: 0)
    let repeated = try Version(
      facts: facts, parents: [newest.id, undone.id], device: "mac", deviceName: "mac",
      at: newest.at.tick, reason: .edit)
    let files = FileSystem()
    let versions = rig.companion("phone").appending("versions")
    try Archive(folders: [versions], fileSystem: files).write(repeated, .same, into: versions)

    try rig.place.sqlite3("INSERT INTO t(v) VALUES('theirs')", theirs)
    try files.rename(theirs, to: rig.folder("phone").appending(copyName))
    rig.clock.advance(milliseconds: 60_000)
    let history = try rig.on("phone") { try $0.history().map(\.version) }
    #expect(history.contains(repeated))
    let copy = try #require(history.first { $0.reason == .external })
    #expect(!copy.parents.contains(repeated.id))
  }
}
