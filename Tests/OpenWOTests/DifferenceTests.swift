import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

struct DifferenceTests {
  private func place() throws -> (Place, SyncedDatabase, VersionID) {
    let place = try Place()
    try place.makeDatabase(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1,'one'),(2,'two'),(3,3.0)
      """)
    let first = try place.initialize().head
    let store = try place.open()
    try store.write { db in
      try db.execute("INSERT INTO t VALUES(4, x'00ff'), (5, 1.0)")
      try db.execute("UPDATE t SET v = 'it''s' WHERE id = 1")
      try db.execute("DELETE FROM t WHERE id = 2")
      try db.execute("CREATE INDEX byValue ON t(v)")
    }
    return (place, store, first)
  }

  @Test func `a difference counts rows and names what changed in the schema`() throws {
    let (place, store, first) = try place()
    defer { withExtendedLifetime(place) {} }
    let found = try store.diff(from: .version(first))
    #expect(!found.equal)
    #expect(found.schemaChanges.map(\.name) == ["byValue"])
    let table = try #require(found.tables.first)
    #expect((table.inserted, table.updated, table.deleted) == (2, 1, 1))
    #expect(table.rows.isEmpty)
    let rows = try store.diff(from: .version(first), rows: .all).tables.first?.rows
    #expect(rows?.map(\.kind) == ["updated", "deleted", "inserted", "inserted"])
    #expect(rows?.last?.new == [.integer(5), .real(1)])
  }

  @Test func `a report comes back from JSON as it was`() throws {
    let (place, store, first) = try place()
    defer { withExtendedLifetime(place) {} }
    let found = try store.diff(from: .version(first), rows: .all)
    let json = try JSONEncoder().encode(found)
    #expect(try JSONDecoder().decode(DifferenceReport.self, from: json) == found)
    let values: [DataValue] = [
      .null, .integer(.max), .real(0.1), .real(-0.0), .real(.infinity), .text("a\0b"),
      .invalidText([0xff]), .blob([]),
    ]
    let text = try JSONEncoder().encode(values)
    #expect(try JSONDecoder().decode([DataValue].self, from: text) == values)
  }

  @Test func `the script turns the first state into the second in the real shell`() throws {
    let (place, store, first) = try place()
    let old = place.root.appending("old.sqlite")
    try store.export(first, to: old.string)
    var script = ""
    try store.diffScript(from: .version(first)) { script += $0 }
    #expect(script.hasSuffix("COMMIT;\n"))
    try place.sqlite3(script, old)
    #expect(try store.diff(from: .file(old), to: .live).equal)
    let dump = "SELECT id, quote(v) FROM t ORDER BY id"
    #expect(try place.sqlite3(dump, old) == place.sqlite3(dump))
  }

  @Test func `a file is compared through a private copy`() throws {
    let (place, store, _) = try place()
    let copy = place.root.appending("copy.sqlite")
    try place.sqlite3("VACUUM INTO '\(copy.string)'")
    try place.sqlite3("PRAGMA journal_mode = WAL; INSERT INTO t VALUES(9, 'nine')", copy)
    let before = try FileSystem().lstat(copy)
    let found = try store.diff(from: .live, to: .file(copy))
    #expect(found.tables.first?.inserted == 1)
    #expect(try FileSystem().lstat(copy) == before)
    #expect(try FileSystem().statusIfPresent(place.root.appending("copy.sqlite-shm")) == nil)
    #expect(try store.diff(from: .live, to: .file(place.database)).equal)
    let state = place.root.appending("state-phone").appending("stores")
    for folder in try FileSystem().list(state) {
      let left = try FileSystem().list(state.appending(folder).appending("scratch"))
      #expect(left.allSatisfy { !$0.string.hasPrefix("copy-") })
    }
  }

  @Test func `a file that is not a database is refused with a hint`() throws {
    let (place, store, _) = try place()
    let text = place.root.appending("text")
    try AtomicFile.write(
      Array(repeating: 0x61, count: 4096), to: text, fileSystem: FileSystem())
    let error = #expect(throws: StoreError.self) {
      try store.diff(from: .live, to: .file(text))
    }
    #expect(error?.code == .notADatabase)
  }
}
