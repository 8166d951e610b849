import Corpora
import OpenWOFiles
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// A lock of another device that comes while something happens here.
struct ArrivingLockTests {
  @Test func `the older of two locks holds`() throws {
    let rig = try Rig()
    try rig.start()
    _ = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) }
    _ = try rig.on("phone") { try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.deliver("mac", "phone", live: false)
    try rig.deliver("phone", "mac", live: false)
    #expect(try rig.on("phone") { try $0.status().lock?.deviceName } == "mac")
    #expect(try rig.on("mac") { try $0.status().lock?.deviceName } == "mac")
  }

  @Test func `under an older lock that came meanwhile an edit is not discarded`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.on("mac") { _ = try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.on("phone") { _ = try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("phone"))
    try rig.deliver("mac", "phone", live: false)
    let before = try FileSystem().lstat(rig.database("phone"))
    let discard = UnlockRequest(discard: true)
    let error = #expect(throws: StoreError.self) {
      try rig.on("phone") { _ = try $0.unlock(discard) }
    }
    #expect(error?.code == .locked)
    #expect(try FileSystem().lstat(rig.database("phone")) == before)
    try rig.on("mac") { _ = try $0.unlock() }
    try rig.deliver("mac", "phone", live: false)
    try rig.on("phone") { _ = try $0.unlock(discard) }
    #expect(try rig.rows("phone") == ["one"])
  }

  @Test func `under an older lock that came meanwhile an edit in WAL mode stays as it is`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.on("mac") { _ = try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.on("phone") { _ = try $0.lock(LockRequest(outlivesProcess: true)) }
    let live = rig.database("phone")
    try rig.place.sqlite3(
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; INSERT INTO t(v) VALUES('edit')
      """, live, thenKilled: true)
    try rig.deliver("mac", "phone", live: false)
    let log = FilePath(live.string + "-wal")
    let (database, rows) = try (FileSystem().lstat(live), rig.place.bytes(log))
    for request in [UnlockRequest(), UnlockRequest(dryRun: true)] {
      let error = #expect(throws: StoreError.self) {
        try rig.on("phone") { _ = try $0.unlock(request) }
      }
      #expect(error?.code == .locked && error?.lock?.deviceName == "mac")
      #expect(
        error?.message.hasSuffix("nothing was written; the lock and the edit are kept")
          == true)
      #expect(try FileSystem().lstat(live) == database)
      #expect(try rig.place.bytes(log) == rows)
    }
    try rig.on("mac") { _ = try $0.unlock() }
    try rig.deliver("mac", "phone", live: false)
    let report = try rig.on("phone") { try $0.unlock() }
    #expect(report.foldedWAL && report.version != nil)
    #expect(try rig.rows("phone") == ["one", "edit"])
  }

  @Test func `a lock that arrives just before a checkout prevents it`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    let lock = try rig.on("phone") { try $0.lock(LockRequest(outlivesProcess: true)) }.lock
    let folder = rig.companion("phone").appending("locks")
    let name = "\(lock.device).json"
    let arriving = try FileSystem().readSmall(folder.appending(name), limit: 65_536)
    try FileSystem().unlink(folder.appending(name))
    let ambush = Ambush { call in
      call.kind == .flock && call.path?.string.hasSuffix("/writer.lock") ?? false
    }
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: ambush)
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    try rig.deliver("phone", "mac", live: false)
    let before = try FileSystem().lstat(rig.database("mac"))
    let path = rig.companion("mac").appending("locks").appending(name)
    ambush.arm {
      let files = FileSystem()
      try? files.makeDirectories(path.removingLastComponent())
      try? AtomicFile.write(arriving, to: path, fileSystem: files)
    }
    _ = try store.reconcile()
    #expect(ambush.hasActed)
    #expect(try FileSystem().lstat(rig.database("mac")) == before)
    try FileSystem().unlink(path)
    _ = try store.reconcile()
    try store.close()
    #expect(try rig.rows("mac") == ["one", "two"])
  }

  @Test func `a device that acknowledges a lock has closed the database`() throws {
    let rig = try Rig()
    try rig.start()
    let wasFree = Mutex<Bool?>(nil)
    let ambush = Ambush { call in
      call.kind == .rename && call.otherPath?.string.contains("/devices/") ?? false
    }
    var configuration = rig.configuration("phone")
    configuration.files = FileSystem(observer: ambush)
    let app = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    _ = try app.read { try $0.value("SELECT v FROM t", as: String.self) }
    _ = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.deliver("mac", "phone", live: false)
    let (database, plain) = (rig.database("phone"), rig.configuration("phone"))
    ambush.arm {
      let other = try? Store.open(database, plain, EventHub())
      let entered: Void? = try? other?.coordinator.alone(waitingUpTo: .zero) {}
      wasFree.withLock { $0 = entered != nil }
    }
    _ = try app.reconcile()
    #expect(wasFree.withLock { $0 } == true)
    try app.close()
  }
}
