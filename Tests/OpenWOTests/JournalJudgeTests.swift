import Corpora
import OpenWO
import OpenWOFiles
import OpenWOSQLite
import Synchronization
import SystemPackage
import Testing

/// A journal is judged before it is used, even if that is not possible now, and before a log is
/// checkpointed.
struct JournalJudgeTests {
  private static let edit = """
    PRAGMA cache_size = 3; BEGIN IMMEDIATE;
    UPDATE t SET v = 'half' || substr(v, 5)
    """

  private func rig(_ devices: [String] = ["mac"]) throws -> Rig {
    let rig = try Rig(devices)
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO t SELECT i, printf('%.100c', 'x') FROM n
      """)
    return rig
  }

  private func journal(_ path: FilePath) -> FilePath { FilePath(path.string + "-journal") }

  @Test func `a journal that cannot be judged now changes nothing, and is judged later`() throws {
    let rig = try rig()
    let path = rig.database("mac")
    let before = try rig.place.bytes(path)
    try rig.place.sqlite3(Self.edit, path, thenKilled: true)
    let (half, journal) = (try rig.place.bytes(path), try rig.place.bytes(journal(path)))
    #expect(journal.starts(with: HostileJournal.magic))
    #expect(!before.elementsEqual(half))
    var configuration = rig.configuration("mac")
    configuration.busyTimeout = .zero
    configuration.files = FileSystem(observer: Refusal(.open, "/scratch/", .ioError, isOn: true))
    #expect(throws: StoreError.self) {
      let store = try SyncedDatabase(path: path.string, configuration: configuration)
      defer { try? store.close() }
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('never')") }
    }
    #expect(try half.elementsEqual(rig.place.bytes(path)))
    #expect(try journal.elementsEqual(rig.place.bytes(self.journal(path))))
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.on("mac") { try $0.reconcile() }
    #expect(try before.elementsEqual(rig.place.bytes(path)))
  }

  @Test func `the journal of a file that has taken the name is left alone`() throws {
    let rig = try rig()
    let (path, other) = (rig.database("mac"), rig.place.root.appending("other.sqlite"))
    try rig.copy(path, other)
    let asked = Mutex(0)
    let connection = try Connection(
      path: path,
      Connection.Options(
        mode: .readWrite,
        guardPolicy: .live { _ in
          asked.withLock { $0 += 1 }
          return .gone
        }))
    defer { connection.close() }
    #expect(try connection.value("SELECT count(*) FROM t") == 600)
    try FileSystem().rename(other, to: path)
    try rig.place.sqlite3(Self.edit, path, thenKilled: true)
    let journal = try rig.place.bytes(journal(path))
    let error = #expect(throws: SQLiteError.self) {
      try connection.value("SELECT count(*) FROM t") as Int64?
    }
    #expect(error?.extendedCode == .moved)
    #expect(asked.withLock(\.self) == 0)
    #expect(try journal.elementsEqual(rig.place.bytes(self.journal(path))))
  }

  @Test
  func
    `half a transaction in a file that loses its name while its journal is judged is no version`()
    throws
  {
    let rig = try rig()
    let (path, other) = (rig.database("mac"), rig.place.root.appending("other.sqlite"))
    try rig.copy(path, other)
    try rig.place.sqlite3(Self.edit, path, thenKilled: true)
    let ambush = Ambush { $0.kind == .open && $0.path?.string.contains("/scratch/trial-") ?? false }
    ambush.arm { try? FileSystem().rename(other, to: path) }
    rig.clock.advance(milliseconds: 60_000)
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: ambush)
    let store = try SyncedDatabase(path: path.string, configuration: configuration)
    _ = try store.reconcile()
    #expect(ambush.hasActed)
    #expect(try store.history().count == 1)
    #expect(try store.read { try $0.value("SELECT count(*) FROM t WHERE v < 'i'") } == 0)
    try store.close()
    #expect(try FileSystem().statusIfPresent(journal(path)) == nil)
  }

  /// A service has brought the state, and a program was cut short in it before anybody else looked.
  @Test func `a journal whose state is in a version that cannot be read waits for that`() throws {
    let rig = try rig(["phone", "mac"])
    let (path, versions) = (rig.database("mac"), rig.companion("mac").appending("versions"))
    let known = try Set(FileSystem().list(versions))
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac")
    let name = try #require(FileSystem().list(versions).first { !known.contains($0) })
    let arrived = try rig.place.bytes(path)
    try rig.place.sqlite3(Self.edit, path, thenKilled: true)
    let (half, journal) = (try rig.place.bytes(path), try rig.place.bytes(journal(path)))
    #expect(!arrived.elementsEqual(half))
    rig.clock.advance(milliseconds: 60_000)
    let refusal = Refusal(.open, name.string, .ioError, isOn: true)
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: refusal)
    let store = try SyncedDatabase(path: path.string, configuration: configuration)
    #expect(try store.reconcile().actions.isEmpty)
    try store.close()
    #expect(try half.elementsEqual(rig.place.bytes(path)))
    #expect(try journal.elementsEqual(rig.place.bytes(self.journal(path))))
    _ = try rig.on("mac") { try $0.reconcile() }
    #expect(try arrived.elementsEqual(rig.place.bytes(path)))
  }

  @Test func `a journal beside a database in WAL mode is judged before the checkpoint`() throws {
    let rig = try rig()
    let (path, other) = (rig.database("mac"), rig.place.root.appending("other.sqlite"))
    try rig.copy(path, other)
    try rig.place.sqlite3(Self.edit, other, thenKilled: true)
    try rig.place.sqlite3(
      """
      UPDATE t SET v = 'edit' || substr(v, 5) WHERE id % 50 = 0;
      PRAGMA journal_mode = WAL; INSERT INTO t VALUES(1000, 'wal')
      """, path)
    try rig.copy(journal(other), journal(path))
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.on("mac") { try $0.reconcile() }
    let rows = try rig.place.sqlite3(
      """
      PRAGMA integrity_check; PRAGMA journal_mode;
      SELECT substr(v, 1, 4), count(*) FROM t GROUP BY 1 ORDER BY 1
      """, path)
    #expect(rows == "ok\ndelete\nedit|12\nwal|1\nxxxx|588\n")
  }
}
