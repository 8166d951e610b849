import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO

/// The background thread while an app pauses, on a clock that the test moves.
struct TickTests {
  private let place: Place

  init() throws {
    place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
  }

  private func open(capturing: Capturing = .immediately) throws -> SyncedDatabase {
    var configuration = place.configuration(realTime: false)
    configuration.capturing = capturing
    return try SyncedDatabase(path: place.database.string, configuration: configuration)
  }

  private func tick(_ store: SyncedDatabase, after milliseconds: Int64) throws {
    place.clock.advance(milliseconds: milliseconds)
    _ = try store.core.with { try $0.housekeeping.tick(folderChanged: false) }
  }

  private func write(_ store: SyncedDatabase) throws {
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('x')") }
  }

  @Test func `pending commits become one version as soon as the app pauses`() throws {
    let store = try open(capturing: .whenIdle)
    for _ in 0..<3 {
      try write(store)
      try tick(store, after: 500)
    }
    #expect(try store.history().map(\.version.reason) == [.create])
    try tick(store, after: 1)
    #expect(try store.history().map(\.version.reason) == [.write, .create])
    #expect(try store.core.with { $0.workingCopy.file == nil })
    try store.close()
  }

  /// A look closes the live file, from which alone waiting commits can be read as our own.
  @Test(arguments: ["status", "diff", "preview of a sync", "preview of rows"])
  func `pending commits become a version before the store is looked at`(look: String) throws {
    let store = try open(capturing: .whenIdle)
    try write(store)
    switch look {
    case "status": _ = try store.status()
    case "diff": _ = try store.diff(from: .version(store.history()[0].version.id))
    case "preview of a sync": _ = try store.reconcile(dryRun: true)
    default:
      let first = try store.history()[0].version.id
      let report = try store.restore(RowsRequest(table: "t"), from: first, dryRun: true)
      #expect(report.change.deleted == 1)
    }
    #expect(try store.syncFacts().waiting == 1)
    try store.close()
    let again = try open()
    #expect(try again.history().map(\.version.reason) == [.write, .create])
    try again.close()
  }

  /// No file changes when the time of a lock is over.
  @Test func `arrivals under a lock are imported when the lock expires`() throws {
    let rig = try Rig()
    try rig.start()
    let lock = LockRequest(duration: .seconds(60), outlivesProcess: true)
    let store = try rig.open("mac")
    try rig.on("phone") { _ = try $0.lock(lock) }
    try rig.deliver("phone", "mac", live: false)
    #expect(try store.core.with { try $0.housekeeping.tick(folderChanged: true) } == 200)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("phone"))
    _ = try rig.command("phone") {
      try $0.core.with { try LiveCapture(store: $0).captureEdit(since: nil, note: nil) }
    }
    try rig.command("phone") { try $0.publish() }
    try rig.deliver("phone", "mac", live: false)
    #expect(try store.core.with { try $0.housekeeping.tick(folderChanged: true) } == 1_000)
    rig.clock.advance(milliseconds: 61_000)
    for _ in 0..<3 { _ = try store.core.with { try $0.housekeeping.tick(folderChanged: false) } }
    #expect(try rig.place.sqlite3("SELECT v FROM t", rig.database("mac")) == "one\nedit\n")
    try store.close()
  }

  @Test func `a lock that only a newer openwo can read makes the app close the database`() throws {
    for isTick in [false, true] {
      let store = try open(capturing: .whenIdle)
      try write(store)
      #expect(try store.core.with { $0.workingCopy.file != nil })
      let locks = try store.core.with { $0.paths.locks }
      try FileSystem().makeDirectories(locks)
      let file = locks.appending("ffffffffffff.json")
      try AtomicFile.write(Array("{\"format\":9}".utf8), to: file, fileSystem: FileSystem())
      let error = #expect(throws: StoreError.self) {
        if isTick { try tick(store, after: 1) } else { try write(store) }
      }
      #expect(error?.code == .newerFormat)
      #expect(
        try store.core.with { $0.workingCopy.file == nil && !$0.workingCopy.uncaptured.areAny })
      try FileSystem().unlink(file)
      try store.close()
    }
  }

  @Test func `a closed store keeps no file open, whatever call comes`() throws {
    let store = try open()
    try store.close()
    #expect(
      try store.read { try $0.rows("SELECT v FROM t") { try $0.get(0) as String } }.count == 1)
    #expect(try store.core.with { $0.workingCopy.file == nil })
    try write(store)
    _ = try open().lock()
  }

  @Test func `writes after a store was closed are in the history, too`() throws {
    let store = try open(capturing: .whenIdle)
    try store.close()
    try write(store)
    #expect(try store.history().map(\.version.reason) == [.write, .create])
    try store.close()
  }

  @Test func `an app that named its last write has nothing left to do`() throws {
    let store = try open()
    try write(store)
    _ = try store.version(named: "@")
    try tick(store, after: 4_000)
    #expect(try store.core.with { try $0.housekeeping.tick(folderChanged: false) } == nil)
    try store.close()
  }

  @Test func `after a burst the file's time moves once, so that services see the last commit`()
    throws
  {
    let store = try open()
    func time() throws -> Int64 { try FileSystem().lstat(place.database).mtime }
    try write(store)
    try write(store)
    let last = try time()
    try tick(store, after: 2_999)
    #expect(try time() == last)
    try tick(store, after: 1)
    #expect(try time() != last)
    let moved = try time()
    try tick(store, after: 3_000)
    #expect(try time() == moved)
    #expect(try store.history().map(\.version.reason) == [.write, .create])
    try store.close()
  }

  @Test func `the lock of an ended program is removed, and the app can write`() throws {
    let store = try open()
    var dead = ProcessIdentity.current
    dead.startTime += 1
    let (paths, device) = try store.core.with { ($0.paths, $0.device) }
    let lock = StoreLock(
      format: 1, id: "0000dead", device: device.id, deviceName: device.name, user: "u", host: "h",
      process: dead, program: "openwo edit", note: nil,
      since: Timestamp(milliseconds: place.clock.now()), until: nil, head: nil, state: .held)
    try FileSystem().makeDirectories(paths.locks)
    try CompanionFile.write(lock, to: paths.lock(device.id), FileSystem())
    try tick(store, after: 1)
    #expect(try FileSystem().statusIfPresent(paths.lock(device.id)) == nil)
    try write(store)
    try store.close()
  }

  /// Another device's lock arrives.
  private func lockArrives(_ store: SyncedDatabase) throws -> StoreLock {
    let lock = StoreLock(
      format: 1, id: "0000aaaa", device: "ffffffffffff", deviceName: "phone", user: "u", host: "h",
      process: nil, program: "openwo lock", note: nil,
      since: Timestamp(milliseconds: place.clock.now()), until: nil, head: nil, state: .held)
    try FileSystem().makeDirectories(store.core.paths.locks)
    try CompanionFile.write(lock, to: store.core.paths.lock(lock.device), FileSystem())
    return lock
  }

  private func open(_ refusal: Refusal, capturing: Capturing = .immediately) throws
    -> SyncedDatabase
  {
    var configuration = place.configuration(realTime: false)
    configuration.capturing = capturing
    configuration.files = FileSystem(observer: refusal)
    return try SyncedDatabase(path: place.database.string, configuration: configuration)
  }

  @Test func `a lock is acknowledged even if the first try failed`() throws {
    let refusal = Refusal(.rename, "/devices/", .noSpace)
    let store = try open(refusal)
    let lock = try lockArrives(store)
    refusal.set(true)
    #expect(throws: StoreError.self) { try tick(store, after: 1) }
    refusal.set(false)
    try tick(store, after: 1)
    let records = try store.core.with { try $0.coordinator.deviceRecords() }
    #expect(records.flatMap(\.acknowledged).map(\.lock) == [lock.id])
    try store.close()
  }

  @Test func `an app that cannot capture still yields to a lock, and names its holder`()
    throws
  {
    let refusal = Refusal(.open, "/pending/", .noSpace)
    let store = try open(refusal, capturing: .whenIdle)
    try write(store)
    let lock = try lockArrives(store)
    refusal.set(true)
    let refused = #expect(throws: StoreError.self) { try write(store) }
    #expect(refused?.code == .locked && refused?.lock?.id == lock.id)
    #expect(try store.core.with { $0.workingCopy.file == nil })
    // The pending commit is in the file, and is captured after the lock.
    refusal.set(false)
    try FileSystem().unlink(store.core.paths.lock(lock.device))
    place.clock.advance(milliseconds: 10_000)
    _ = try store.reconcile()
    #expect(try store.history().count == 2)
    try store.close()
  }

  @Test func `a look that failed is repeated, though no file changes`() throws {
    let refusal = Refusal(.open, "/pending/", .noSpace)
    let store = try open(refusal)
    try place.sqlite3("INSERT INTO t(v) VALUES('x')")
    place.clock.advance(milliseconds: 10_000)
    refusal.set(true)
    #expect(throws: StoreError.self) { try store.didBecomeActive() }
    refusal.set(false)
    #expect(try store.history().count == 1)
    try tick(store, after: 1)
    #expect(try store.history().count == 2)
    try store.close()
  }

  @Test func `the background thread opens nothing once the app has closed the store`() throws {
    let store = try open()
    let monitor = try Monitor(store.core, pollInterval: nil)
    // It was told to look, and waited for a write to end meanwhile.
    monitor.stop()
    try store.close()
    try place.sqlite3("INSERT INTO t(v) VALUES('x')")
    place.clock.advance(milliseconds: 10_000)
    #expect(try monitor.tick(folderChanged: true) == nil)
    #expect(try store.core.with { $0.workingCopy.file == nil })
    let other = try open()
    _ = try other.lock()
    _ = try other.unlock()
    try other.close()
  }
}
