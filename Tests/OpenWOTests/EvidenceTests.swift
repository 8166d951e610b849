import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

/// A removed file that cannot be a version is kept byte for byte, and never becomes a version.
struct EvidenceTests {
  private let files = FileSystem()

  /// Two devices with a table of several pages.
  private func rig() throws -> Rig {
    let rig = try Rig()
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t(v) VALUES('one');
      CREATE TABLE filler(b);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO filler SELECT printf('%.400c', 'x') FROM n
      """)
    return rig
  }

  /// Fills the last page with garbage.
  private func ruin(_ path: FilePath, _ rig: Rig) throws {
    let last = try files.lstat(path).size / 4096 - 1
    // Another process: closing the file in this one would drop SQLite's locks.
    let status = rig.place.run([
      "sh", "-c",
      "head -c 4096 /dev/zero | tr '\\0' R | dd of=\"$1\" bs=4096 seek=$2 conv=notrunc status=none",
      "sh", path.string, "\(last)",
    ])
    #expect(status == 0)
  }

  @Test func `a damaged live file is kept before it is repaired`() throws {
    let rig = try rig()
    try ruin(rig.database("mac"), rig)
    let ruined = try rig.place.bytes(rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac") == ["one"])
    #expect(try rig.evidence("mac", "damaged") == [ruined])
  }

  @Test func `a lock does not start from a file that is not whole, and makes no version of it`()
    throws
  {
    let rig = try rig()
    let before = try rig.on("mac") { try $0.history() }.count
    try ruin(rig.database("mac"), rig)
    let lock = { try rig.on("mac") { _ = try $0.lock(LockRequest(outlivesProcess: true)) } }
    // A service may be just writing it.
    rig.clock.setWall(try files.lstat(rig.database("mac")).ctime / 1_000_000)
    #expect { try lock() } throws: { ($0 as? StoreError)?.code == .unavailable }
    #expect(try rig.on("mac") { try $0.history() }.count == before)
    rig.clock.advance(milliseconds: 60_000)
    try lock()
    _ = try rig.on("mac") { try $0.unlock() }
    #expect(try rig.on("mac") { try $0.history() }.count == before)
    #expect(try rig.rows("mac") == ["one"])
  }

  /// A young file may still be in use by its device, even if a server's clock is a little ahead; a
  /// file from before a clock was set back is not young.
  @Test(arguments: [120_000, -3_600_000])
  func `a staging file that is cut is kept when it is taken away`(later: Int64) throws {
    let rig = try rig()
    let staging = rig.folder("mac").appending(".~openwo-0123456789abcdef.tmp")
    // Pages that are in a version already would not be kept.
    var cut = Array(try rig.place.bytes(rig.database("mac")).dropLast(4096))
    cut[4095] ^= 1
    try AtomicFile.write(cut, to: staging, fileSystem: files)
    let start = try files.lstat(staging).ctime / 1_000_000
    for near: Int64 in [0, 30_000, -30_000] {
      rig.clock.setWall(start + near)
      _ = try rig.on("mac") { try $0.reconcile() }
      #expect(try files.statusIfPresent(staging) != nil)
    }
    rig.clock.setWall(start + later)
    let before = try rig.on("mac") { try $0.history() }.count
    _ = try rig.on("mac") { try $0.reconcile() }
    #expect(try files.statusIfPresent(staging) == nil)
    #expect(try rig.evidence("mac", "damaged") == [cut])
    #expect(try rig.on("mac") { try $0.history() }.count == before)
  }

  @Test func `a staging file that holds another app's database stays`() throws {
    let rig = try rig()
    let staging = rig.folder("mac").appending(".~openwo-0123456789abcdef.tmp")
    try rig.copy(rig.database("mac"), staging)
    try rig.place.sqlite3("PRAGMA application_id = 7", staging)
    rig.clock.advance(milliseconds: 3_600_000)
    _ = try rig.on("mac") { try $0.reconcile() }
    #expect(try files.statusIfPresent(staging) != nil)
    #expect(try rig.evidence("mac", "damaged").isEmpty)
  }

  @Test func `an edit that damaged the file is not a version, and is kept when it is discarded`()
    throws
  {
    let rig = try rig()
    let store = try rig.open("mac")
    let before = try store.history().count
    _ = try store.lock(LockRequest(outlivesProcess: true))
    try ruin(rig.database("mac"), rig)
    let ruined = try rig.place.bytes(rig.database("mac"))
    let refused = #expect(throws: StoreError.self) { try store.unlock() }
    #expect(refused?.code == .damaged)
    #expect(try store.status().lock != nil)
    #expect(try store.history().count == before)
    #expect(try rig.place.bytes(rig.database("mac")) == ruined)
    _ = try store.unlock(UnlockRequest(discard: true))
    #expect(try store.history().count == before)
    #expect(try rig.evidence("mac", "damaged") == [ruined])
    try store.close()
    #expect(try rig.rows("mac") == ["one"])
  }

  @Test func `a write into a moved file that was ruined is in doubt, and no version`() throws {
    let rig = try rig()
    let database = rig.database("mac")
    let (incoming, moved) = (
      rig.folder("mac").appending(".incoming"), rig.place.root.appending("moved.sqlite")
    )
    try rig.copy(database, incoming)
    let store = try rig.open("mac")
    let before = try store.history().map(\.version.id)
    let error = #expect(throws: StoreError.self) {
      try store.write { db in
        try db.execute("INSERT INTO t(v) VALUES('lost')")
        try files.link(database, to: moved)
        try ruin(moved, rig)
        try files.rename(incoming, to: database)
      }
    }
    #expect(error?.code == .inDoubt)
    try store.close()
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac") == ["one"])
    #expect(try rig.on("mac") { try $0.history() }.map(\.version.id) == before)
  }
}
