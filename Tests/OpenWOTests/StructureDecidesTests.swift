import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A database whose structure is whole becomes a version, whatever its values, constraints and
/// indexes; no other file does.
struct StructureDecidesTests {
  private let files = FileSystem()

  /// A schema and an edit to which SQLite's own check objects, or which it cannot check.
  struct Objection: CustomTestStringConvertible, Sendable {
    let name: String
    let schema: String
    let edit: String
    var testDescription: String { name }

    init(_ name: String, _ schema: String, _ edit: String) {
      (self.name, self.schema, self.edit) = (name, schema, edit)
    }
  }

  /// Puts another definition in the schema, as an application has it that knows more than the shell.
  private static func rewrite(_ old: String, _ new: String) -> String {
    "PRAGMA writable_schema = ON; UPDATE sqlite_schema SET sql = replace(sql, '\(old)', '\(new)');"
      + "PRAGMA writable_schema = OFF;"
  }

  private static let table = "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);"

  static let objections = [
    Objection(
      "a NOT NULL column before the key, WITHOUT ROWID",
      table + "CREATE TABLE n(a TEXT NOT NULL, b INT NOT NULL, PRIMARY KEY(b)) WITHOUT ROWID;",
      "INSERT INTO n VALUES('note', 1)"),
    Objection(
      "a CHECK that fails", table + "CREATE TABLE n(a INT CHECK(a > 0));",
      "PRAGMA ignore_check_constraints = ON; INSERT INTO n VALUES(-1)"),
    Objection(
      "a default of another type, STRICT",
      table + "CREATE TABLE n(a INT) STRICT; INSERT INTO n VALUES(1);",
      "ALTER TABLE n ADD COLUMN b BLOB DEFAULT 5"),
    Objection(
      "a NULL that is forbidden now", table + "CREATE TABLE n(a INT); INSERT INTO n VALUES(NULL);",
      rewrite("a INT)", "a INT NOT NULL)")),
    Objection(
      "an index without a row", table + "CREATE TABLE n(a); CREATE INDEX n_a ON n(a);",
      "PRAGMA writable_schema = ON; CREATE TABLE keep(x); INSERT INTO keep SELECT sql FROM "
        + "sqlite_schema WHERE name = 'n_a'; UPDATE sqlite_schema SET sql = sql || ' WHERE a > 9' "
        + "WHERE name = 'n_a'; PRAGMA writable_schema = RESET; INSERT INTO n VALUES(1); PRAGMA "
        + "writable_schema = ON; UPDATE sqlite_schema SET sql = 'CREATE INDEX n_a ON n(a)' WHERE "
        + "name = 'n_a'; PRAGMA writable_schema = RESET"),
    Objection(
      "an unknown collation in an index",
      table + "CREATE TABLE n(a TEXT COLLATE NOCASE UNIQUE); INSERT INTO n VALUES('a');",
      rewrite("COLLATE NOCASE", "COLLATE unicase")),
    Objection(
      "an unknown function in a CHECK", table + "CREATE TABLE n(a CHECK(abs(a) > 0));",
      rewrite("abs(a)", "title_sort(a)")),
    Objection(
      "an unknown collation in a key, WITHOUT ROWID",
      table + "CREATE TABLE n(a TEXT COLLATE NOCASE PRIMARY KEY) WITHOUT ROWID; "
        + "INSERT INTO n VALUES('a');", rewrite("COLLATE NOCASE", "COLLATE unicase")),
    Objection(
      "an unknown module", table + "CREATE VIRTUAL TABLE f USING fts5(a);",
      rewrite("USING fts5", "USING nosuch")),
    Objection(
      "a foreign key to columns without a unique index",
      table
        + "CREATE TABLE p(a, b); CREATE TABLE c(x REFERENCES p(b)); INSERT INTO p VALUES(1, 2);",
      "INSERT INTO c VALUES(2)"),
  ]

  @Test(arguments: objections)
  func `a program's commit is captured, whatever a check finds`(
    objection: Objection
  ) throws {
    for devices in [["mac"], ["mac", "phone"]] {
      let rig = try Rig(devices)
      try rig.start(objection.schema)
      try rig.place.sqlite3(
        objection.edit + "; INSERT INTO t VALUES(7, 'kept')", rig.database("mac"))
      let edited = try rig.place.bytes(rig.database("mac"))
      rig.clock.advance(milliseconds: 60_000)
      try rig.on("mac") { store in
        let report = try store.reconcile()
        #expect(report.quarantined == [])
        let versions = try store.history().map(\.version.content)
        #expect(versions.contains(ContentHash(of: edited)))
      }
      #expect(try rig.place.bytes(rig.database("mac")) == edited)
    }
  }

  @Test(arguments: objections)
  func `an edit under a lock is kept whatever a check finds, and the findings are reported`(
    objection: Objection
  ) throws {
    for discard in [false, true] {
      let rig = try Rig(["mac"])
      try rig.start(objection.schema)
      let before = try rig.place.bytes(rig.database("mac"))
      let store = try rig.open("mac")
      _ = try store.lock(LockRequest(outlivesProcess: true))
      try rig.place.sqlite3(
        objection.edit + "; INSERT INTO t VALUES(7, 'kept')", rig.database("mac"))
      let report = try store.unlock(UnlockRequest(discard: discard))
      #expect((discard ? report.discarded : report.version) != nil)
      if !discard, objection.name.hasPrefix("an unknown collation in an index") {
        #expect(report.findings.contains { $0.hasSuffix("no such collation sequence: unicase") })
      }
      #expect(try store.status().lock == nil)
      if discard { #expect(try rig.place.bytes(rig.database("mac")) == before) }
      try store.close()
    }
  }

  @Test(arguments: objections)
  func `a store of such a database can be made, written and restored`(objection: Objection) throws {
    let rig = try Rig(["mac"])
    let path = rig.database("mac")
    try rig.place.sqlite3(objection.schema + objection.edit, path)
    let first = try SyncedDatabase.initialize(
      path: path.string, configuration: rig.configuration("mac"))
    let before = try rig.place.bytes(path)
    try rig.place.sqlite3("INSERT INTO t VALUES(7, 'kept')", path)
    try rig.on("mac") { _ = try $0.reconcile() }
    #expect(try rig.on("mac") { try $0.history() }.count == 2)
    try rig.on("mac") { _ = try $0.restore(first.head) }
    #expect(try rig.place.bytes(path) == before)
    let doctor = try SyncedDatabase.examine(
      path: path.string, configuration: rig.configuration("mac"))
    #expect(!doctor.contains { $0.severity == .error })
    #expect(doctor.contains { ["content", "unchecked", "live"].contains($0.code) })
  }
}

/// Files that are longer than their header says, and indexes in files that a service brought.
extension StructureDecidesTests {
  private func append(_ count: Int, to path: FilePath, _ rig: Rig) throws {
    // Another process: closing the file in this one would drop SQLite's locks.
    let script = "head -c \(count) /dev/zero | tr '\\0' R >> \"$1\""
    #expect(rig.place.run(["sh", "-c", script, "sh", path.string]) == 0)
  }

  @Test(arguments: [["mac"], ["mac", "phone"]])
  func `bytes after the last page do not make a database damaged`(devices: [String]) throws {
    let rig = try Rig(devices)
    try rig.start()
    let path = rig.database("mac")
    try rig.place.sqlite3("INSERT INTO t VALUES(2, 'padded')", path)
    let whole = try rig.place.bytes(path)
    try append(9_000, to: path, rig)
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac") == ["one", "padded"])
    let versions = try rig.on("mac") { try $0.history() }
    #expect(versions.first?.version.content == ContentHash(of: whole))
    #expect(versions.first?.version.bytes == Int64(whole.count))
    // More padding is not a change, and writing works.
    try append(100, to: path, rig)
    try rig.on("mac") { _ = try $0.reconcile() }
    #expect(try rig.on("mac") { try $0.history() }.count == versions.count)
    try rig.write("mac", "later")
    #expect(try rig.rows("mac") == ["one", "padded", "later"])
    #expect(try rig.on("mac") { try $0.quarantine() } == [])
  }

  @Test func `init keeps what it accepts of a file that is longer than its header says`() throws {
    let rig = try Rig(["mac"])
    let path = rig.database("mac")
    try rig.place.sqlite3("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)", path)
    try append(8_192, to: path, rig)
    _ = try SyncedDatabase.initialize(path: path.string, configuration: rig.configuration("mac"))
    try rig.place.sqlite3("INSERT INTO t VALUES(1, 'first')", path)
    #expect(try rig.rows("mac") == ["first"])
    #expect(try rig.on("mac") { try $0.history() }.count == 2)
  }

  @Test func `a conflict copy that is longer than its header says is captured`() throws {
    let rig = try Rig()
    try rig.start()
    let copy = rig.folder("mac").appending("openwo.sync-conflict-20261121-003549-W42IXU7.sqlite")
    try rig.copy(rig.database("mac"), copy)
    try rig.place.sqlite3("INSERT INTO t VALUES(2, 'elsewhere')", copy)
    try append(5_000, to: copy, rig)
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac") == ["one", "elsewhere"])
    #expect(try files.statusIfPresent(copy) == nil)
  }

  @Test func `a file that a service brought with an index that disagrees is quarantined`() throws {
    let rig = try Rig()
    let faulty = try #require(Self.objections.first { $0.name == "an index without a row" })
    try rig.start(faulty.schema + "INSERT INTO t VALUES(1, 'one');")
    let path = rig.database("mac")
    let other = rig.place.root.appending("other")
    try rig.copy(path, other)
    try rig.place.sqlite3(faulty.edit, other)
    let delivered = try rig.place.bytes(other)
    try AtomicFile.write(delivered, to: path, durable: false, fileSystem: files)
    let status = try files.lstat(path)
    try files.setTimes(path, modified: status.mtime - 5_000_000_000)
    rig.clock.advance(milliseconds: 60_000)
    let report = try rig.on("mac") { store in
      let first = try store.reconcile()
      return (first, try store.quarantine())
    }
    #expect(report.1.count == 1)
    #expect(try rig.rows("mac") == ["one"])
    #expect(try rig.evidence("mac", "damaged") == [delivered])
  }
}
