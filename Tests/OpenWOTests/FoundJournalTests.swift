import Corpora
import OpenWO
import OpenWOFiles
import OpenWOShell
import SystemPackage
import Testing

/// A store is made of a database beside which lies a journal, and nobody knows any state of it yet.
struct FoundJournalTests {
  private static let pageSize = 4096
  private static let edit = """
    PRAGMA cache_size = 3; BEGIN IMMEDIATE;
    UPDATE t SET v = 'edit' || substr(v, 5)
    """
  private let files = FileSystem()

  private func rig() throws -> Rig {
    let rig = try Rig(["mac"])
    try rig.place.sqlite3(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO t SELECT i, printf('%.100c', 'x') FROM n
      """, rig.database("mac"))
    return rig
  }

  private func path(_ rig: Rig, _ ending: String = "-journal") -> FilePath {
    FilePath(rig.database("mac").string + ending)
  }

  private func put(_ bytes: [UInt8], at path: FilePath) throws {
    try AtomicFile.write(bytes, to: path, fileSystem: files)
  }

  private func initialize(_ rig: Rig) throws -> InitReport {
    try SyncedDatabase.initialize(
      path: rig.database("mac").string, configuration: rig.configuration("mac"))
  }

  /// The database with its second page gone, and the journal that brings it back.
  private func torn(_ whole: [UInt8]) -> (database: [UInt8], journal: [UInt8]) {
    let second = Self.pageSize..<2 * Self.pageSize
    var database = whole
    database.replaceSubrange(second, with: [UInt8](repeating: 0, count: Self.pageSize))
    let journal = HostileJournal(
      pages: [(2, Array(whole[second]))], pageCount: UInt32(whole.count / Self.pageSize))
    return (database, journal.bytes)
  }

  @Test(arguments: [UInt32(1), 0x3f_ffff])
  func `a journal that truncates or extends the database is set aside`(pageCount: UInt32) throws {
    let rig = try rig()
    let before = try rig.place.bytes(rig.database("mac"))
    let journal = HostileJournal(pageCount: pageCount).bytes
    try put(journal, at: path(rig))
    _ = try initialize(rig)
    #expect(try rig.place.bytes(rig.database("mac")) == before)
    #expect(try files.statusIfPresent(path(rig)) == nil)
    #expect(try rig.evidence("mac", "journal") == [journal])
    #expect(try rig.on("mac") { try $0.history() }.count == 1)
  }

  /// A database into which a program wrote twice, the second time cut short, and what it held after the first time.
  private func cutShort() throws -> (rig: Rig, earlier: [UInt8]) {
    let rig = try rig()
    let (database, other) = (rig.database("mac"), rig.place.root.appending("other.sqlite"))
    try rig.copy(database, other)
    try rig.place.sqlite3(Self.edit, other, thenKilled: true)
    try rig.place.sqlite3(Self.edit + "; COMMIT", database)
    try rig.copy(FilePath(other.string + "-journal"), path(rig))
    // The result of SQLite alone for the two files.
    try rig.copy(database, other)
    try rig.place.sqlite3(".tables", other)
    return (rig, try rig.place.bytes(other))
  }

  /// The content of a version.
  private func content(_ rig: Rig, _ id: VersionID) throws -> [UInt8] {
    let shown = rig.place.root.appending("shown.sqlite")
    try rig.on("mac") { try $0.export(id, to: shown.string) }
    return try rig.place.bytes(shown)
  }

  @Test func `the state that a journal leads back to is the parent of the live state`() throws {
    let (rig, earlier) = try cutShort()
    let database = rig.database("mac")
    let before = try rig.place.bytes(database)
    #expect(earlier != before)
    let head = try initialize(rig).head
    #expect(try rig.place.bytes(database) == before)
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.on("mac") { try $0.reconcile() }
    #expect(try rig.place.bytes(database) == before)
    let history = try rig.on("mac") { try $0.history() }
    #expect(history.map(\.isLive) == [true, false])
    #expect(history.first?.version.id == head)
    #expect(history.first?.version.parents == history.last.map { [$0.version.id] })
    #expect(try history.last.map { try content(rig, $0.version.id) } == earlier)
  }

  @Test func `the state that a journal leads back to is a version wherever init was stopped`()
    throws
  {
    let (stencil, earlier) = try cutShort()
    let before = try stencil.place.bytes(stencil.database("mac"))
    var number = 0
    while true {
      let rig = try Rig(copying: stencil)
      let halt = Halt(at: number)
      var stopped = rig.configuration("mac")
      stopped.files = FileSystem(observer: halt)
      _ = try? SyncedDatabase.initialize(
        path: rig.database("mac").string, configuration: stopped)
      guard halt.hasBegun else { break }
      do {
        _ = try initialize(rig)
      } catch let error as StoreError where error.code == .traces {
        // It had become a store.
      }
      rig.clock.advance(milliseconds: 60_000)
      _ = try rig.on("mac") { try $0.reconcile() }
      let history = try rig.on("mac") { try $0.history() }
      let contents = try history.map { try content(rig, $0.version.id) }
      #expect(contents.contains(earlier) && contents.contains(before), "call \(number)")
      #expect(try rig.place.bytes(rig.database("mac")) == before, "call \(number)")
      number += 23
    }
    #expect(number > 200)
  }

  @Test func `a journal that makes a torn database whole is replayed, and both are kept`() throws {
    let rig = try rig()
    let whole = try rig.place.bytes(rig.database("mac"))
    let (database, journal) = torn(whole)
    try put(database, at: rig.database("mac"))
    try put(journal, at: path(rig))
    _ = try initialize(rig)
    #expect(try rig.place.bytes(rig.database("mac")) == whole)
    #expect(try rig.evidence("mac", "undone") == [database])
    #expect(try rig.evidence("mac", "journal") == [journal])
  }

  @Test func `if the database is damaged with and without its journal, both stay as they are`()
    throws
  {
    let rig = try rig()
    let (database, _) = torn(try rig.place.bytes(rig.database("mac")))
    let journal = HostileJournal(pageCount: 1).bytes
    try put(database, at: rig.database("mac"))
    try put(journal, at: path(rig))
    let error = #expect(throws: StoreError.self) { try initialize(rig) }
    #expect(error?.code == .damaged)
    #expect(error?.message.contains("nothing was changed") == true)
    #expect(error?.hint.hasSuffix("mv \(path(rig).shellName) ~") == true)
    #expect(try rig.place.bytes(rig.database("mac")) == database)
    #expect(try rig.place.bytes(path(rig)) == journal)
    #expect(try files.list(rig.folder("mac")).count == 2)
    // The hint leads out.
    try files.unlink(path(rig))
    let plain = #expect(throws: StoreError.self) { try initialize(rig) }
    #expect(plain?.code == .damaged)
    #expect(plain?.message.contains("the versions before are safe") == false)
  }

  @Test func `a log of another database beside it is not read`() throws {
    let rig = try rig()
    let (database, other) = (rig.database("mac"), rig.place.root.appending("other.sqlite"))
    let before = try rig.place.bytes(database)
    try rig.place.sqlite3(
      "PRAGMA journal_mode = WAL; CREATE TABLE x(a); INSERT INTO x VALUES(1)", other,
      thenKilled: true)
    try rig.copy(FilePath(other.string + "-wal"), path(rig, "-wal"))
    _ = try initialize(rig)
    #expect(try rig.place.bytes(database) == before)
  }
}
