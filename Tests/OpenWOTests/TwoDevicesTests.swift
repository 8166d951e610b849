import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

struct TwoDevicesTests {
  @Test func `a write on one device reaches the other by its version alone`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 10_000)
    #expect(try rig.rows("mac") == ["one", "two"])
    #expect(try rig.place.bytes(rig.database("phone")) == rig.place.bytes(rig.database("mac")))
  }

  @Test func `a delivered live file becomes known without being written`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac")
    let before = try FileSystem().lstat(rig.database("mac"))
    #expect(try rig.rows("mac") == ["one", "two"])
    #expect(try FileSystem().lstat(rig.database("mac")) == before)
    let heads = try rig.on("mac") { try $0.status() }
    #expect(heads.state == .synced)
  }

  @Test func `two writes apart end with the later one live and the other in the history`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "phone's")
    try rig.write("mac", "mac's")
    try rig.settle()
    #expect(try rig.rows("phone") == ["one", "mac's"])
    #expect(try rig.rows("mac") == ["one", "mac's"])
    #expect(try rig.place.bytes(rig.database("phone")) == rig.place.bytes(rig.database("mac")))
    let versions = try rig.on("phone") { try $0.history() }
    #expect(versions.filter { $0.version.reason == .settle }.count == 1)
    let lost = try #require(
      versions.last { $0.version.deviceName == "phone" && $0.version.reason == .write })
    try rig.on("phone") { _ = try $0.restore(lost.version.id) }
    #expect(try rig.rows("phone") == ["one", "phone's"])
  }

  @Test func `both devices settle the same conflict with the same file`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "phone's")
    try rig.write("mac", "mac's")
    try rig.deliver("phone", "mac", live: false)
    try rig.deliver("mac", "phone", live: false)
    rig.clock.advance(milliseconds: 10_000)
    _ = try rig.rows("phone")
    _ = try rig.rows("mac")
    let files = FileSystem()
    let settled = { (device: String) in
      try files.list(rig.companion(device).appending("versions")).filter {
        $0.string.contains("-settle-")
      }
    }
    let (a, b) = (try settled("phone"), try settled("mac"))
    #expect(a.count == 1 && a == b)
    for name in a {
      let one = try rig.place.bytes(rig.companion("phone").appending("versions").appending(name))
      let two = try rig.place.bytes(rig.companion("mac").appending("versions").appending(name))
      #expect(one == two)
    }
  }

  @Test func `a missing live file comes back from the newest version`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    try FileSystem().unlink(rig.database("phone"))
    #expect(try rig.rows("phone") == ["one", "two"])
  }

  /// In the background, where nobody waits for it.
  @Test func `a missing live file is put back first by the device that wrote it`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac")
    #expect(try rig.rows("mac") == ["one", "two"])
    func isThere(_ device: String) throws -> Bool {
      try FileSystem().statusIfPresent(rig.database(device)) != nil
    }
    for (device, seconds) in [("phone", 2), ("mac", 7)] {
      // The folder's time is the real one.
      var configuration = rig.configuration(device)
      let clock = ManualClock(now: SystemClock().now())
      configuration.clock = clock
      let store = try SyncedDatabase(
        path: rig.database(device).string, configuration: configuration)
      try FileSystem().unlink(rig.database(device))
      let since = try FileSystem().stat(rig.folder(device)).ctime / 1_000_000
      clock.advance(milliseconds: since + Int64(seconds) * 1_000 - 1 - clock.now())
      for (step, isBack) in [(0, false), (1, true)] {
        clock.advance(milliseconds: Int64(step))
        _ = try store.core.with { try $0.housekeeping.tick(folderChanged: true) }
        #expect(try isThere(device) == isBack)
      }
      try store.close()
    }
  }

  /// The version of the mac came in full; what the phone's own rests on, a service holds back.
  @Test func `a replaced version stays, even if nothing else has it in full`()
    throws
  {
    let rig = try Rig()
    try rig.start("CREATE TABLE t(v TEXT); CREATE TABLE filler AS SELECT randomblob(400000) AS b")
    let versions = rig.companion("phone").appending("versions")
    let first = try #require(try FileSystem().list(versions).first)
    try rig.write("phone", "two")
    let stood = try #require(try rig.on("phone") { try $0.history() }.first).version.id
    try rig.deliver("phone", "mac")
    try rig.on("mac") { store in
      try store.write { try $0.execute("UPDATE filler SET b = randomblob(400000)") }
    }
    try rig.deliver("mac", "phone", live: false)
    try FileSystem().rename(versions.appending(first), to: rig.place.root.appending("held back"))
    rig.clock.advance(milliseconds: 60_000)
    try rig.on("phone") { _ = try $0.reconcile() }
    #expect(try rig.on("phone") { try $0.history() }.first { $0.isLive }?.version.id != stood)
    try rig.on("phone") { _ = try $0.restore(stood) }
    #expect(try rig.on("phone") { try $0.history() }.first?.version.reason == .restore)
  }

  @Test func `an old state that a service brings back does not win`() throws {
    let rig = try Rig()
    try rig.start()
    let old = rig.place.root.appending("old")
    try rig.copy(rig.database("mac"), old)
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac")
    #expect(try rig.rows("mac") == ["one", "two"])
    try rig.copy(old, rig.database("mac"))
    #expect(try rig.rows("mac") == ["one", "two"])
  }
}
