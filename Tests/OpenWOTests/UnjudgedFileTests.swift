import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// A file that the service put in the database's place, while an app has the store open.
struct UnjudgedFileTests {
  /// Both devices have written; the phone's file takes the mac's place, and its version is still on its way.
  private func meeting() throws -> (Rig, SyncedDatabase) {
    let rig = try Rig()
    try rig.start()
    try rig.on("mac") { store in
      try store.write { db in
        for number in 2...2000 { try db.execute("INSERT INTO t VALUES(?, ?)", number, "start") }
      }
    }
    try rig.settle()
    try rig.on("phone") { store in
      try store.write { try $0.execute("UPDATE t SET v = 'phone' WHERE id BETWEEN 2 AND 900") }
    }
    let mac = try rig.open("mac")
    _ = try mac.read { db in try db.rows("SELECT v FROM t") { try $0.get(0) as String } }
    try rig.deliver("phone", "mac", companion: false)
    try FileSystem().setTimes(rig.database("mac"), modified: rig.clock.now() * 1_000_000)
    return (rig, mac)
  }

  @Test
  func
    `a write after the background thread has looked at it is no version that cannot be restored`()
    throws
  {
    let (rig, mac) = try meeting()
    _ = try mac.core.with { try $0.housekeeping.tick(folderChanged: true) }
    try mac.write { try $0.execute("UPDATE t SET v = 'mac' WHERE id > 1990") }
    try mac.close()
    for entry in try mac.history() {
      let path = rig.place.root.appending("shown.sqlite")
      try mac.export(entry.version.id, to: path.string)
    }
    #expect(try rig.rows("mac").contains("mac"))
  }

  @Test func `a write waits until a judgement, and the earlier state becomes a version`() throws {
    let (rig, mac) = try meeting()
    _ = try mac.core.with { try $0.housekeeping.tick(folderChanged: true) }
    try mac.write { try $0.execute("UPDATE t SET v = 'mac' WHERE id > 1990") }
    try mac.close()
    let reasons = try mac.history().map(\.version.reason)
    #expect(reasons.contains(.external))
    #expect(try rig.rows("mac").count == 2000)
  }
}
