import OpenWO
import OpenWOFiles
import OpenWOShell
import SystemPackage
import Testing

/// A file beside the database has another hard link, whose owner relies on its bytes.
struct SecondNameTests {
  private let files = FileSystem()

  private func rig() throws -> Rig {
    let rig = try Rig(["mac"])
    try rig.start()
    return rig
  }

  private func beside(_ rig: Rig, _ ending: String) -> FilePath {
    FilePath(rig.database("mac").string + ending)
  }

  /// Gives what lies beside the database a second name; where nothing does, it is a file of these bytes.
  private func name(_ rig: Rig, _ ending: String, _ bytes: [UInt8]? = nil) throws -> FilePath {
    let outside = rig.place.root.appending("outside")
    if let bytes {
      try AtomicFile.write(bytes, to: outside, fileSystem: files)
      try files.link(outside, to: beside(rig, ending))
    } else {
      try files.link(beside(rig, ending), to: outside)
    }
    return outside
  }

  @Test func `the index of the log is recreated, and the other hard link keeps its bytes`() throws {
    let rig = try rig()
    try rig.place.sqlite3(
      "PRAGMA journal_mode = WAL; INSERT INTO t(v) VALUES('wal')", rig.database("mac"))
    let bytes = [UInt8](repeating: 0x70, count: 80_000)
    let outside = try name(rig, "-shm", bytes)
    #expect(try rig.rows("mac") == ["one", "wal"])
    #expect(try rig.place.bytes(outside) == bytes)
    #expect(try rig.place.bytes(rig.database("mac"))[18...19] == [1, 1])
    #expect(try files.list(rig.folder("mac")).count == 2)
  }

  @Test func `the rows of a log are imported, and its other hard link keeps its bytes`() throws {
    let rig = try rig()
    try rig.place.sqlite3(
      "PRAGMA journal_mode = WAL; INSERT INTO t(v) VALUES('wal')", rig.database("mac"),
      thenKilled: true)
    let outside = try name(rig, "-wal")
    let bytes = try rig.place.bytes(outside)
    #expect(try rig.rows("mac") == ["one", "wal"])
    #expect(try rig.place.bytes(outside) == bytes)
    #expect(try files.list(rig.folder("mac")).count == 2)
  }

  @Test func `a store is made of a database with such a log`() throws {
    let rig = try Rig(["mac"])
    try rig.place.sqlite3(
      "PRAGMA journal_mode = WAL; CREATE TABLE t(id INTEGER PRIMARY KEY, v)", rig.database("mac"),
      thenKilled: true)
    let outside = try name(rig, "-wal")
    let bytes = try rig.place.bytes(outside)
    _ = try SyncedDatabase.initialize(
      path: rig.database("mac").string, configuration: rig.configuration("mac"))
    #expect(try rig.rows("mac").isEmpty)
    #expect(try rig.place.bytes(outside) == bytes)
  }

  @Test func `a finished journal is not overwritten`() throws {
    let rig = try rig()
    let bytes = [UInt8](repeating: 0, count: 80_000)
    let outside = try name(rig, "-journal", bytes)
    try rig.write("mac", "two")
    #expect(try rig.rows("mac") == ["one", "two"])
    #expect(try rig.place.bytes(outside) == bytes)
  }

  @Test func `doctor names a database that has two names`() throws {
    let rig = try rig()
    _ = try name(rig, "")
    let findings = try SyncedDatabase.examine(
      path: rig.database("mac").string, configuration: rig.configuration("mac"))
    let path = rig.database("mac").string
    let finding = findings.first { $0.code == "hardLink" }
    #expect(finding?.severity == .warning)
    #expect(finding?.message.hasPrefix("\(path) has 2 names") == true)
    #expect(finding?.hint?.hasSuffix("cp -p \(path) \(path).own && mv \(path).own \(path)") == true)
  }
}
