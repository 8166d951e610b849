import Corpora
import OpenWOFiles
import OpenWOSQLite
import OpenWOShell
import SystemPackage
import Testing

@testable import OpenWO

/// Files of WAL mode beside a database that is a single file again.
struct LeftLogTests {
  private let files = FileSystem()

  private func lies(_ ending: String, _ rig: Rig, _ device: String) throws -> Bool {
    let path = FilePath(rig.database(device).string + ending)
    return try files.statusIfPresent(path) != nil
  }

  private func put(_ bytes: [UInt8], _ ending: String, _ rig: Rig, _ device: String) throws {
    let path = FilePath(rig.database(device).string + ending)
    try AtomicFile.write(bytes, to: path, fileSystem: files)
  }

  @Test func `a log that may not be removed is emptied, named, and swept later`() throws {
    let device = RefusedRemoval.ofLog
    RefusedRemoval.arrange()
    let rig = try Rig([device])
    try rig.start()
    try rig.place.sqlite3(
      "PRAGMA journal_mode=WAL; INSERT INTO t(v) VALUES('wal')", rig.database(device),
      thenKilled: true)
    var configuration = rig.configuration(device)
    configuration.files = FileSystem(
      observer: Refusal(.unlink, "openwo.sqlite-", .permissionDenied, isOn: true))
    let path = rig.database(device).string
    let error = #expect(throws: StoreError.self) {
      try SyncedDatabase(path: path, configuration: configuration)
    }
    #expect(error?.code == .notPermitted)
    #expect(error?.message.contains("is a single file again, with all rows, but") ?? false)
    #expect(error?.hint == "remove it: rm \(path)-wal")
    #expect(try rig.place.bytes(FilePath(path + "-wal")).isEmpty)
    // It is in nobody's way, neither here nor in another program.
    let store = try SyncedDatabase(path: path, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('after')") }
    try store.close()
    #expect(try lies("-wal", rig, device))
    let seen = try rig.place.sqlite3("SELECT v FROM t ORDER BY id", rig.database(device))
    #expect(seen == "one\nwal\nafter\n")
    #expect(try rig.rows(device) == ["one", "wal", "after"])
    #expect(try files.list(rig.folder(device)).count == 2)
  }

  @Test func `a log with content is never removed, nor is its index`() throws {
    let rig = try Rig(["phone"])
    try rig.start()
    try put([1], "-wal", rig, "phone")
    try put([], "-shm", rig, "phone")
    rig.clock.advance(milliseconds: 7_200_000)
    #expect(try rig.rows("phone") == ["one"])
    #expect(try rig.place.bytes(FilePath(rig.database("phone").string + "-wal")) == [1])
    #expect(try lies("-shm", rig, "phone"))
  }

  @Test func `an empty log stays while another program may have the database open in WAL mode`()
    throws
  {
    let rig = try Rig(["phone"])
    try rig.start()
    try put([], "-wal", rig, "phone")
    let reader = try Connection(
      path: rig.database("phone"),
      .init(mode: .readOnly, guardPolicy: .live(judge: { _ in .refuse }))
    )
    try reader.withReadLock {
      try rig.on("phone") { _ = try $0.reconcile() }
      #expect(try lies("-wal", rig, "phone"))
    }
    reader.close()
    try rig.on("phone") { _ = try $0.reconcile() }
    #expect(try !lies("-wal", rig, "phone"))
  }

  @Test func `a log that may belong to a program on another device stays for an hour`() throws {
    let rig = try Rig()
    try rig.start()
    try put([], "-wal", rig, "phone")
    try put([], "-shm", rig, "phone")
    try rig.on("phone") { _ = try $0.reconcile() }
    #expect(try lies("-wal", rig, "phone"))
    rig.clock.advance(milliseconds: 3_600_000)
    try rig.on("phone") { _ = try $0.reconcile() }
    #expect(try files.list(rig.folder("phone")).count == 2)
  }

  @Test func `under a lock nothing is swept`() throws {
    let rig = try Rig(["phone"])
    try rig.start()
    _ = try rig.on("phone") { try $0.lock(LockRequest(outlivesProcess: true)) }
    try put([], "-wal", rig, "phone")
    try rig.on("phone") { _ = try $0.reconcile() }
    #expect(try lies("-wal", rig, "phone"))
    try rig.on("phone") { _ = try $0.unlock() }
    try rig.on("phone") { _ = try $0.reconcile() }
    #expect(try !lies("-wal", rig, "phone"))
  }

  @Test func `a link with a name of WAL mode is left alone`() throws {
    let rig = try Rig(["phone"])
    try rig.start()
    let index = rig.database("phone").string + "-shm"
    _ = rig.place.run(["ln", "-s", "elsewhere", index])
    try rig.on("phone") { _ = try $0.reconcile() }
    #expect(try lies("-shm", rig, "phone"))
  }
}
