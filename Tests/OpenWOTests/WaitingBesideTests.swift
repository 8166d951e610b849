import Dispatch
import OpenWOFiles
import OpenWOSQLite
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// While one call waits, the others on the same handle do not.
struct WaitingBesideTests {
  private let request = LockRequest(waitingUpTo: .seconds(3), outlivesProcess: true)

  private static func rows(_ store: SyncedDatabase) throws -> [String] {
    try store.read { try $0.rows("SELECT v FROM t ORDER BY id") { try $0.get(0) as String } }
  }

  private func start(_ devices: [String] = ["phone", "mac"]) throws -> Rig {
    let rig = try Rig(devices)
    try rig.start()
    return rig
  }

  /// The code of the error that a body throws; nil if it throws none of a store.
  private func refusal<Result>(_ body: () throws -> Result) -> StoreError.Code? {
    do { _ = try body() } catch { return (error as? StoreError)?.code }
    return nil
  }

  private func lockFiles(_ rig: Rig) throws -> Int {
    try FileSystem().list(rig.companion("mac").appending("locks")).count
  }

  @Test func `while a lock waits for a device, the handle reads, looks and says who asks`() throws {
    let rig = try start()
    let beside = try Meanwhile(rig) { store in
      #expect(try Self.rows(store) == ["one"])
      #expect(try store.status().device.name == "mac")
      try store.lookOnce()
      #expect(refusal { try store.write { try $0.execute("DELETE FROM t") } } == .locked)
      #expect(refusal { try store.lock() } == .locked)
    }
    beside.arm()
    let report = try beside.store.lock(request)
    #expect(report.waitingFor.count == 1)
    #expect(report.lock.state == StoreLock.State.held)
    #expect(beside.waits > 10)
    _ = try beside.store.unlock()
    #expect(try Self.rows(beside.store) == ["one"])
  }

  @Test func `a lock that waits for another device's takes over what was written meanwhile`()
    throws
  {
    let rig = try start()
    _ = try rig.on("phone") { try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.deliver("phone", "mac", live: false)
    let beside = try Meanwhile(rig) { store in
      #expect(try Self.rows(store) == ["one"])
      _ = try rig.on("phone") { try $0.unlock() }
      try unlockMac(rig)
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    }
    beside.arm()
    let lock = try beside.store.lock(request).lock
    #expect(try Self.rows(beside.store) == ["one", "two"])
    #expect(try beside.store.history().first?.version.id == lock.head)
  }

  @Test func `a handle that is closed while its lock waits ends the wait and the lock`() throws {
    let rig = try start()
    let beside = try Meanwhile(rig) { try $0.close() }
    beside.arm()
    #expect(refusal { try beside.store.lock(request) } == .unavailable)
    #expect(beside.waits == 1)
    #expect(try lockFiles(rig) == 0)
  }

  @Test func `a write does not wait for a sync that waits for a copy`() throws {
    let rig = try start(["mac"])
    let copy = rig.folder("mac").appending("openwo.sync-conflict-20261121-071500-ABCDEFG.sqlite")
    let beside = try Meanwhile(rig, at: SystemClock().now()) { store in
      _ = try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    }
    try rig.copy(rig.database("mac"), copy)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('theirs')", copy)
    beside.clock.advance(milliseconds: 1)
    beside.arm()
    let report = try beside.store.reconcile()
    #expect(beside.waits > 1)
    guard case .upToDate = report.outcome else { Issue.record("\(report.outcome)"); return }
    #expect(try FileSystem().statusIfPresent(copy) == nil)
    let versions = try beside.store.history().map(\.version.id)
    let contents = try versions.map { id in
      try beside.store.query("SELECT v FROM t ORDER BY id", at: .version(id)).rows.map(
        \.description)
    }
    #expect(contents.contains { $0.joined().contains("two") })
    #expect(contents.contains { $0.joined().contains("theirs") })
  }

  @Test func `a read does not wait for a write that waits for another program`() throws {
    let rig = try start(["mac"])
    let program = try Connection(path: rig.database("mac"), .init(guardPolicy: .privateCopy))
    let beside = try Meanwhile(rig) { store in
      #expect(try Self.rows(store) == ["one"])
      try program.execute("INSERT INTO t(v) VALUES('theirs')")
      try program.commit()
    }
    try program.begin(.immediate)
    beside.arm()
    try beside.store.write { try $0.execute("INSERT INTO t(v) VALUES('ours')") }
    #expect(try Self.rows(beside.store) == ["one", "theirs", "ours"])
    program.close()
  }

  @Test func `a write gives up on another program's transaction after its patience`() throws {
    let rig = try start(["mac"])
    let program = try Connection(path: rig.database("mac"), .init(guardPolicy: .privateCopy))
    let beside = try Meanwhile(rig) { _ in }
    try program.begin(.immediate)
    let begun = beside.clock.monotonic()
    #expect(refusal { try beside.store.write { try $0.execute("DELETE FROM t") } } == .busy)
    #expect(beside.clock.monotonic() - begun >= Configuration().busyTimeout.nanoseconds)
    try program.rollback()
    program.close()
    #expect(try Self.rows(beside.store) == ["one"])
  }

  @Test func `a read does not wait for a lock that waits for an app to close the file`() throws {
    let rig = try start(["mac"])
    let app = try rig.open("mac")
    let beside = try Meanwhile(rig) { store in
      #expect(try Self.rows(store) == ["one"])
      try app.close()
    }
    #expect(try Self.rows(app) == ["one"])
    beside.arm()
    #expect(try beside.store.lock(request).lock.state == StoreLock.State.held)
    #expect(beside.waits == 1)
  }

  @Test(.timeLimit(.minutes(1)))
  func `a lock whose task is cancelled while it waits ends, and its file goes`() async throws {
    let rig = try start()
    let (waits, cancelled) = (DispatchSemaphore(value: 0), DispatchSemaphore(value: 0))
    let beside = try Meanwhile(rig) { _ in
      waits.signal()
      cancelled.wait()
    }
    beside.arm()
    let store = beside.store
    let task = Task { try await store.lock(note: nil, waitingUpTo: .seconds(3600)) }
    await withCheckedContinuation { continuation in
      DispatchQueue.global().async {
        waits.wait()
        continuation.resume()
      }
    }
    task.cancel()
    cancelled.signal()
    await #expect(throws: CancellationError.self) { try await task.value }
    #expect(try lockFiles(rig) == 0)
    #expect(try Self.rows(store) == ["one"])
  }

  @Test func `under a lock, reads run beside each other, a look, and a write after its end`() throws
  {
    let rig = try start()
    _ = try rig.on("phone") { try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.deliver("phone", "mac", live: false)
    let store = try rig.open("mac")
    try store.read { db in
      let rows = { try db.rows("SELECT v FROM t ORDER BY id") { try $0.get(0) as String } }
      #expect(try rows() == ["one"])
      #expect(elsewhere { try Self.rows(store) } == ["one"])
      #expect(elsewhere { try store.status().device.name } == "mac")
      #expect(refusal { try store.history() } == .nested)
      _ = try rig.on("phone") { try $0.unlock() }
      try unlockMac(rig)
      let written: Void? = elsewhere {
        try store.lookOnce()
        try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
      }
      #expect(written != nil)
      #expect(try rows() == ["one"])
    }
    #expect(try Self.rows(store) == ["one", "two"])
  }

  @Test func `a background look that waits for a program's lock still sees what the lock left`()
    throws
  {
    let rig = try start()
    _ = try rig.on("phone") { store in
      _ = try store.lock(LockRequest(outlivesProcess: true))
    }
    try rig.deliver("phone", "mac", live: false)
    let other = try Store.open(rig.database("mac"), rig.configuration("mac"), EventHub())
    let held = Held()
    let beside = try Meanwhile(rig) { (store: SyncedDatabase) throws in
      #expect(try store.history().count == 2)
      held.locks = []
    }
    try beside.store.lookOnce()
    _ = try rig.on("phone") { store in
      _ = try store.unlock()
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    }
    try unlockMac(rig)
    held.locks = try other.coordinator.takeAlone(waitingUpTo: .zero)
    beside.arm()
    _ = try beside.store.core.patiently { try $0.housekeeping.tick(folderChanged: false) }
    #expect(beside.waits > 0)
    let live = try beside.store.history().first { $0.isLive }
    #expect(try beside.store.history().first?.version.id == live?.version.id)
  }

  private final class Held {
    var locks: [OSLock] = []
  }

  /// Brings the end of the phone's lock, and what it wrote since.
  private func unlockMac(_ rig: Rig) throws {
    let locks = rig.companion("mac").appending("locks")
    for name in try FileSystem().list(locks) { try FileSystem().unlink(locks.appending(name)) }
    try rig.deliver("phone", "mac", live: false)
  }

  /// Runs a body on another thread; nil if it throws or takes a minute.
  private func elsewhere<Result: Sendable>(
    _ body: @escaping @Sendable () throws -> Result
  ) -> Result? {
    let (done, found) = (DispatchSemaphore(value: 0), Found<Result>())
    DispatchQueue(label: "elsewhere").async {
      found.result.withLock { $0 = try? body() }
      done.signal()
    }
    guard done.wait(timeout: .now() + 60) == .success else { return nil }
    return found.result.withLock { $0 }
  }

  private final class Found<Result: Sendable>: Sendable {
    let result = Mutex<Result?>(nil)
  }
}
