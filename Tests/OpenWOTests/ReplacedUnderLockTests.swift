import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// A service puts another device's file over the one that this device has locked, and the holder edits that.
struct ReplacedUnderLockTests {
  private let rig: Rig
  private let request = LockRequest(outlivesProcess: true)

  /// Two devices that have written apart.
  init() throws {
    rig = try Rig()
    rig.settling = .merge
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, w TEXT, x TEXT);
      INSERT INTO t(v, w, x) VALUES('one', 'a', 'a'), ('two', 'a', 'a'), ('three', 'a', 'a');
      """)
    try insert("mac", "mine")
    try insert("phone", "theirs")
  }

  private func insert(_ device: String, _ value: String) throws {
    try rig.on(device) { store in
      try store.write { db in
        try db.execute("INSERT INTO t(v, w, x) VALUES(?, ?, ?)", value, value, value)
        try db.execute("UPDATE t SET w = ? WHERE id = 1", value)
      }
    }
  }

  /// Locks on the mac, puts the phone's file there, edits each row of it, and unlocks.
  private func edit(
    afterItsVersion isKnown: Bool, _ sql: String = "UPDATE t SET w = w || '!'"
  ) throws -> Version {
    _ = try rig.command("mac") { try $0.lock(request) }
    if isKnown { try rig.deliver("phone", "mac", live: false) }
    rig.clock.advance(milliseconds: 1_000)
    try rig.copy(rig.database("phone"), rig.database("mac"))
    try rig.place.sqlite3(sql, rig.database("mac"))
    _ = try rig.command("mac") { try $0.unlock() }
    return try #require(
      try rig.command("mac") { try $0.history() }.first { $0.version.reason == .edit }
    ).version
  }

  private func head(_ device: String) throws -> VersionID {
    try #require(try rig.command(device) { try $0.status() }.head)
  }

  @Test func `an edit of each row follows from the other side's version`() throws {
    let theirs = try head("phone")
    let edit = try edit(afterItsVersion: true)
    #expect(edit.parents == [theirs])
    try rig.settle()
    for device in ["mac", "phone"] {
      #expect(Set(try rig.rows(device)) == ["one", "two", "three", "mine", "theirs"])
      #expect(try rig.command(device) { try $0.status() }.setAside.isEmpty)
    }
  }

  @Test func `before the other side's version comes, what both began with is the parent`() throws {
    let first = try #require(
      try rig.command("mac") { try $0.history() }.first { $0.version.reason == .create }
    ).version
    let edit = try edit(afterItsVersion: false)
    #expect(edit.parents == [first.id])
    try rig.settle()
    let rows = try rig.rows("mac")
    #expect(Set(rows) == ["one", "two", "three", "mine", "theirs"])
    #expect(try rig.rows("phone") == rows)
  }

  /// The file's own version is not here, and this device has made more versions since than are looked at.
  @Test func `rows that only this device wrote are not taken for deleted`() throws {
    for number in 1...33 {
      try rig.on("mac") { store in
        try store.write {
          try $0.execute("INSERT INTO t(v, w, x) VALUES(?, 'm', 'm')", "m\(number)")
        }
      }
    }
    try rig.place.sqlite3(
      "UPDATE t SET id = id + 1000 WHERE id > 3", rig.database("phone"))
    let edit = try edit(afterItsVersion: false)
    let first = try #require(
      try rig.command("mac") { try $0.history() }.first { $0.version.reason == .create }
    ).version
    #expect(edit.parents.allSatisfy { $0 == first.id })
    try rig.settle()
    #expect(try Set(rig.rows("mac")).isSuperset(of: (1...33).map { "m\($0)" }))
    #expect(try rig.rows("phone") == rig.rows("mac"))
  }

  /// The same change of all rows on both sides makes a version look near that has a row more.
  @Test func `a version whose own row is gone is not the parent, however near it is`() throws {
    let change = "UPDATE t SET w = 'all'"
    for device in ["mac", "phone"] {
      try rig.on(device) { store in
        try store.write { db in
          try db.execute(change)
          if device == "mac" { try db.execute("INSERT INTO t(v) VALUES('own')") }
        }
      }
    }
    let edit = try edit(afterItsVersion: false, "UPDATE t SET w = w || '!'")
    let own = try head("mac")
    #expect(!edit.parents.contains(own))
    try rig.settle()
    for device in ["mac", "phone"] { #expect(try rig.rows(device).contains("own")) }
  }

  @Test func `a file of other rows follows from no version`() throws {
    let edit = try edit(
      afterItsVersion: true,
      "DELETE FROM t; INSERT INTO t(v, w, x) VALUES('p', 'p', 'p'), ('q', 'q', 'q')")
    #expect(edit.parents.isEmpty)
  }
}
