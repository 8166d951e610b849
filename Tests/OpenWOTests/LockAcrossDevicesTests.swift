import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

struct LockAcrossDevicesTests {
  private func locked(_ rig: Rig) throws -> StoreLock {
    let report = try rig.on("mac") {
      try $0.lock(LockRequest(note: "templates", outlivesProcess: true))
    }
    #expect(report.waitingFor.map(\.name) == ["phone"])
    try rig.deliver("mac", "phone", live: false)
    return report.lock
  }

  @Test(arguments: ["x; rm -rf .", "\u{1B}[2J", "$(id)", "", "-\n-", "../../device"])
  func `a lock with an unsafe id is not a lock, as hints put the id into commands`(id: String)
    throws
  {
    let rig = try Rig()
    try rig.start()
    var lock = try locked(rig)
    let path = rig.companion("phone").appending("locks").appending("\(lock.device).json")
    lock.id = id
    try CompanionFile.write(lock, to: path, FileSystem())
    try rig.write("phone", "two")
    #expect(try rig.rows("phone") == ["one", "two"])
  }

  @Test func `a device that sees a lock acknowledges it and writes nothing`() throws {
    let rig = try Rig()
    try rig.start()
    let lock = try locked(rig)
    let before = try FileSystem().lstat(rig.database("phone"))
    let refused = #expect(throws: StoreError.self) { try rig.write("phone", "two") }
    #expect(refused?.code == .locked)
    #expect(refused?.lock?.id == lock.id)
    #expect(try rig.rows("phone") == ["one"])
    #expect(try FileSystem().lstat(rig.database("phone")) == before)
    try rig.deliver("phone", "mac", live: false)
    let report = try rig.on("mac") { try $0.lockReport() }
    #expect(report?.acknowledgedBy.map(\.name) == ["phone"])
    #expect(report?.waitingFor.isEmpty == true)
  }

  @Test(arguments: [Capturing.immediately, .whenIdle])
  func `an app that wrote a moment ago publishes it before it acknowledges a lock`(
    capturing: Capturing
  ) throws {
    let rig = try Rig()
    try rig.start()
    var configuration = rig.configuration("phone")
    configuration.capturing = capturing
    let app = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    try app.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    let lock = try locked(rig)
    let refused = #expect(throws: StoreError.self) {
      try app.write { try $0.execute("INSERT INTO t(v) VALUES('three')") }
    }
    #expect(refused?.lock?.id == lock.id)
    _ = try app.core.with { try $0.housekeeping.tick(folderChanged: true) }
    try rig.deliver("phone", "mac", live: false)
    let report = try rig.on("mac") { try $0.lockReport() }
    #expect(report?.acknowledgedBy.map(\.name) == ["phone"])
    let head = try #require(report?.acknowledgedBy.first?.head)
    let arrived = try rig.on("mac") { try $0.history() }.first { $0.version.id == head }
    #expect(arrived?.version.reason == .write)
    try app.close()
  }

  @Test func `a device whose newer version has not arrived is named`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    for name in try FileSystem().list(rig.companion("phone").appending("devices")) {
      let path = rig.companion("phone").appending("devices").appending(name)
      try rig.copy(path, rig.companion("mac").appending("devices").appending(name))
    }
    let report = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) }
    #expect(report.newerOn.map(\.name) == ["phone"])
    // A state that arrives during the edit is not the one that the edit started from.
    try rig.deliver("phone", "mac", live: false)
    #expect(try rig.on("mac") { try $0.lockReport() }?.newerOn.map(\.name) == ["phone"])
    _ = try rig.on("mac") { try $0.unlock() }
    rig.clock.advance(milliseconds: 10_000)
    #expect(try rig.rows("mac") == ["one", "two"])
    let next = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) }
    #expect(next.newerOn.isEmpty)
  }

  @Test func `a device that receives nothing is a warning`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("mac", "two")
    rig.clock.advance(milliseconds: 2 * 3_600_000)
    try rig.write("phone", "three")
    try rig.deliver("phone", "mac", live: false)
    let findings = try SyncedDatabase.examine(
      path: rig.database("mac").string, configuration: rig.configuration("mac"))
    #expect(findings.filter { $0.code == "travel" }.map(\.severity) == [.warning])
    try rig.settle()
    let after = try SyncedDatabase.examine(
      path: rig.database("mac").string, configuration: rig.configuration("mac"))
    #expect(after.filter { $0.code == "travel" }.map(\.severity) == [.ok])
  }

  @Test func `a lock that waits for the others edits what they wrote last`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    var configuration = rig.configuration("mac")
    // All on the one thread of this test.
    nonisolated(unsafe) let world = rig
    configuration.clock = ManualClock(now: rig.clock.now()) { _ in
      try? world.deliver("mac", "phone", live: false)
      _ = try? world.rows("phone")
      try? world.deliver("phone", "mac", live: false)
    }
    let store = try SyncedDatabase(
      path: rig.database("mac").string, configuration: configuration)
    let report = try store.lock(LockRequest(waitingUpTo: .seconds(60), outlivesProcess: true))
    #expect(report.waitingFor.isEmpty && report.newerOn.isEmpty)
    #expect(try rig.place.sqlite3("SELECT v FROM t", rig.database("mac")) == "one\ntwo\n")
    try store.close()
  }

  @Test(arguments: ["phone", "mac"])
  func `another device's write is not an edit under the lock, though no version shows that`(
    maker: String
  ) throws {
    let rig = try Rig(maker == "mac" ? ["mac", "phone"] : ["phone", "mac"])
    try rig.start()
    let phone = try rig.on("phone") { try $0.status() }.device.id
    try rig.write("mac", "of the mac")
    let start = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) }.lock.head
    try rig.write("phone", "of the phone")
    // The service puts the database there while it takes all else that came from the phone away.
    let files = FileSystem()
    for part in ["versions", "devices"] {
      let folder = rig.companion("mac").appending(part)
      for name in try files.list(folder) where name.string.contains(phone) {
        try files.unlink(folder.appending(name))
      }
    }
    try rig.copy(rig.database("phone"), rig.database("mac"))
    let found = try rig.command("mac") { try $0.unlock() }.version
    let version = try rig.command("mac") { store in
      try store.history().first { $0.version.id == found }?.version
    }
    #expect(try #require(version).parents.contains(#require(start)) == false)
  }

  @Test func `an unlock lets the other device work with the edit`() throws {
    let rig = try Rig()
    try rig.start()
    _ = try locked(rig)
    try rig.place.sqlite3("UPDATE t SET v='uno'", rig.database("mac"))
    let report = try rig.on("mac") { try $0.unlock() }
    #expect(report.version != nil)
    try FileSystem().unlink(
      rig.companion("phone").appending("locks").appending("\(report.lock.device).json"))
    try rig.deliver("mac", "phone")
    rig.clock.advance(milliseconds: 10_000)
    try rig.write("phone", "two")
    #expect(try rig.rows("phone") == ["uno", "two"])
  }

  @Test func `an ended lock does not count again when its file comes back`() throws {
    let rig = try Rig()
    try rig.start()
    let lock = try locked(rig)
    _ = try rig.on("mac") { try $0.unlock() }
    // The service restores the removed file; the phone still had it.
    try rig.deliver("mac", "phone", live: false)
    let file = rig.companion("phone").appending("locks").appending("\(lock.device).json")
    #expect(try FileSystem().statusIfPresent(file) != nil)
    try rig.copy(file, rig.companion("mac").appending("locks").appending("\(lock.device).json"))
    try rig.write("phone", "two")
    try rig.write("mac", "three")
  }

  @Test(arguments: [false, true])
  func `a lock stays ended if an older record arrives, or the record is gone`(
    isGone: Bool
  ) throws {
    let rig = try Rig()
    try rig.start()
    let lock = try locked(rig)
    let own = rig.companion("mac").appending("devices").appending("\(lock.device).json")
    let older = try FileSystem().readSmall(own, limit: 65_536)
    _ = try rig.on("mac") { try $0.unlock() }
    if isGone {
      try FileSystem().unlink(own)
    } else {
      try AtomicFile.write(older, to: own, fileSystem: FileSystem())
    }
    _ = try rig.on("mac") { try $0.reconcile() }
    // The phone has the lock's file still.
    try rig.deliver("mac", "phone", live: false)
    try rig.write("phone", "two")
    #expect(try rig.rows("phone") == ["one", "two"])
  }

  /// Also one that was to be discarded: others may have continued from it, so it is not undone.
  @Test(arguments: [false, true])
  func `a lock ended by force keeps the old holder's edit as a version`(discard: Bool) throws {
    let rig = try Rig()
    try rig.start()
    let lock = try locked(rig)
    try rig.on("phone") { _ = try $0.unlock(UnlockRequest(force: lock.id)) }
    try rig.write("phone", "two")
    try rig.place.sqlite3("UPDATE t SET v='uno'", rig.database("mac"))
    try rig.deliver("phone", "mac", live: false)
    let lost = #expect(throws: StoreError.self) {
      try rig.on("mac") { _ = try $0.unlock(UnlockRequest(discard: discard)) }
    }
    #expect(lost?.code == .lockLost)
    #expect(try rig.rows("mac").contains("two"))
    let kept = try #require(lost?.version)
    #expect(try rig.on("mac") { try $0.history() }.contains { $0.version.id == kept })
    #expect(try FileSystem().list(rig.companion("mac").appending("locks")).isEmpty)
  }

  @Test func `a lock ended by force stays ended, however many locks follow`() throws {
    let rig = try Rig()
    try rig.start()
    let lock = try locked(rig)
    try rig.on("phone") { store in
      _ = try store.unlock(UnlockRequest(force: lock.id))
      for _ in 0..<40 {
        _ = try store.lock()
        _ = try store.unlock()
      }
      #expect(
        try store.core.with { try $0.coordinator.deviceRecords() }
          .allSatisfy { $0.revoked.count < 40 })
    }
    try rig.write("phone", "two")
    #expect(try rig.rows("phone") == ["one", "two"])
  }

  @Test func `an expired lock no longer blocks anybody`() throws {
    let rig = try Rig()
    try rig.start()
    _ = try rig.on("mac") {
      try $0.lock(LockRequest(duration: .seconds(60), outlivesProcess: true))
    }
    try rig.deliver("mac", "phone", live: false)
    #expect(throws: StoreError.self) { try rig.write("phone", "two") }
    rig.clock.advance(milliseconds: 61_000)
    try rig.write("phone", "two")
    #expect(try rig.rows("phone") == ["one", "two"])
  }

  @Test(arguments: ["{", "[]", "{\"format\":1}", "null", String(repeating: "[", count: 10_000)])
  func `an invalid lock file blocks nobody`(text: String) throws {
    let rig = try Rig()
    try rig.start()
    let locks = rig.companion("phone").appending("locks")
    try FileSystem().makeDirectories(locks)
    try AtomicFile.write(
      Array(text.utf8), to: locks.appending("mac.json"), fileSystem: FileSystem())
    try rig.write("phone", "two")
    #expect(try rig.rows("phone") == ["one", "two"])
  }
}
