import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

/// `status` with versions that are not in the folder, and after wrong times.
struct StatusTruthTests {
  @Test func `a version that cannot be published is reported until it is published`() throws {
    let rig = try Rig(["mac"])
    try rig.start("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)")
    let refusal = Refusal(.open, "/versions/", .noSpace)
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: refusal)
    let store = try SyncedDatabase(
      path: rig.database("mac").string, configuration: configuration)
    #expect(try store.status().unpublished == 0)
    refusal.set(true)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('kept here')") }
    rig.clock.advance(milliseconds: 60_000)
    _ = try? store.reconcile()
    #expect(try store.status().unpublished == 1)
    refusal.set(false)
    rig.clock.advance(milliseconds: 60_000)
    _ = try store.reconcile()
    #expect(try store.status().unpublished == 0)
    try store.close()
  }

  @Test func `the last save is that of the right clock once it is set right`() throws {
    let rig = try Rig(["mac"])
    try rig.start("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)")
    let now = rig.clock.now()
    rig.clock.setWall(now + 365 * 86_400_000)
    try rig.write("mac", "from next year")
    rig.clock.setWall(now + 1000)
    let ahead = try rig.on("mac") { try $0.status().lastLocalSaveAt }
    #expect(try #require(ahead) > Timestamp(milliseconds: now + 86_400_000))
    try rig.write("mac", "from today")
    let saved = try rig.on("mac") { try $0.status().lastLocalSaveAt }
    #expect(try #require(saved) < Timestamp(milliseconds: now + 86_400_000))
  }
}
