import OpenWOFiles
import OpenWOShell
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// A lock that waits for other devices: what happens to it meanwhile, and what it says at its end.
struct LockWaitTests {
  /// A mac that waits for a phone which never answers, and what happens meanwhile.
  private func waiting(
    _ rig: Rig, _ request: LockRequest, meanwhile: @escaping (StoreLock) throws -> Void
  ) throws -> (SyncedDatabase, ManualClock) {
    var configuration = rig.configuration("mac")
    let file = rig.companion("mac").appending("locks")
    // All on the one thread of this test.
    nonisolated(unsafe) let action = meanwhile
    let hasActed = Mutex(false)
    let clock = ManualClock(now: rig.clock.now()) { _ in
      let isFirst = hasActed.withLock { old in
        defer { old = true }
        return !old
      }
      guard isFirst, let name = try? FileSystem().list(file).first,
        let lock = try? CompanionFile.read(StoreLock.self, at: file.appending(name), FileSystem())
      else { return }
      #expect(throws: Never.self) { try action(lock) }
    }
    configuration.clock = clock
    return (
      try SyncedDatabase(path: rig.database("mac").string, configuration: configuration), clock
    )
  }

  private let request = LockRequest(waitingUpTo: .seconds(60), outlivesProcess: true)

  @Test func `a lock that is ended while it waits is not taken, and leaves the next one alone`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    let (store, _) = try waiting(rig, request) { _ in
      _ = try rig.command("mac") { try $0.unlock() }
      let next = LockRequest(note: "second", outlivesProcess: true)
      _ = try rig.command("mac") { try $0.lock(next) }
    }
    let refused = #expect(throws: StoreError.self) { try store.lock(request) }
    #expect(refused?.code == .locked && refused?.lock?.note == "second")
    try store.close()
    #expect(try rig.command("mac") { try $0.lockReport() }?.lock.note == "second")
  }

  @Test func `a lock that is ended by force while it waits is not taken`() throws {
    let rig = try Rig()
    try rig.start()
    let (store, clock) = try waiting(rig, request) { lock in
      try rig.deliver("mac", "phone", live: false)
      try rig.on("phone") { _ = try $0.unlock(UnlockRequest(force: lock.id)) }
      try rig.deliver("phone", "mac", live: false)
    }
    let begun = clock.monotonic()
    let refused = #expect(throws: StoreError.self) { try store.lock(request) }
    #expect(refused?.code == .lockLost)
    #expect(refused?.hint.contains("openwo ") == true)
    // It does not wait on for nothing.
    #expect(clock.monotonic() - begun < 30_000_000_000)
    try store.close()
    #expect(try FileSystem().list(rig.companion("mac").appending("locks")).isEmpty)
  }

  @Test func `a device whose file cannot be read for a moment is waited for like any other`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    let phone = try rig.on("phone") { try $0.status() }.device.id
    let refusal = Refusal(.open, "\(phone).json", .ioError, isOn: true)
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: refusal)
    let clock = ManualClock(now: rig.clock.now()) { _ in refusal.set(false) }
    configuration.clock = clock
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    let begun = clock.monotonic()
    let report = try store.lock(request)
    #expect(report.waitingFor.map(\.id) == [phone])
    #expect(clock.monotonic() - begun > 59_000_000_000)
    try store.close()
  }

  @Test func `the time of a lock counts from when it is held`() throws {
    let rig = try Rig()
    try rig.start()
    var asked = request
    (asked.duration, asked.waitingUpTo) = (.seconds(3), .seconds(4))
    let (store, clock) = try waiting(rig, asked) { lock in
      // Were it killed now, others would not wait for it for ever.
      let until = try #require(lock.until).milliseconds - lock.since.milliseconds
      #expect(until > 7_000 && until < 120_000)
    }
    let lock = try store.lock(asked).lock
    #expect(lock.until == Timestamp(milliseconds: clock.now() + 3000))
    #expect(try store.lockReport()?.lock == lock)
    try store.close()
  }

  /// Of two locks at once the older holds, so that one that waited for its turn must not claim to be older than it is.
  @Test func `a lock is as old as its file, not as its wish`() throws {
    let rig = try Rig()
    try rig.start()
    let held = try rig.on("phone") { try $0.lock(LockRequest(outlivesProcess: true)) }.lock
    try rig.deliver("phone", "mac", live: false)
    var configuration = rig.configuration("mac")
    let theirs = rig.companion("mac").appending("locks").appending("\(held.device).json")
    let clock = ManualClock(now: rig.clock.now()) { _ in try? FileSystem().unlink(theirs) }
    configuration.clock = clock
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    let begun = clock.now()
    var request = request
    request.waitingUpTo = .seconds(2)
    #expect(try store.lock(request).lock.since.milliseconds > begun)
    try store.close()
  }

  @Test func `a wait that is too long to count is the longest possible one`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let long = LockRequest(
      duration: .seconds(604_800_000_000), waitingUpTo: .seconds(604_800_000_000),
      outlivesProcess: true)
    try rig.on("mac") { store in
      _ = try store.lock(long)
      _ = try store.unlock()
    }
  }
}
