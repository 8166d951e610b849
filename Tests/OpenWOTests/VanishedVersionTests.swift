import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Versions vanish from the folder, and no list of pruned ones names them.
struct VanishedVersionTests {
  private let files = FileSystem()

  private func files(_ rig: Rig, _ device: String) throws -> [String] {
    try files.list(rig.companion(device).appending("versions")).map(\.string).sorted()
  }

  /// Two devices with a write that both have, and the phone's folder put back to the time before it.
  private func putBack() throws -> (rig: Rig, newer: VersionID) {
    let rig = try Rig()
    try rig.start()
    try rig.settle()
    let backup = rig.place.root.appending("backup").string
    try FileManager.default.copyItem(atPath: rig.folder("phone").string, toPath: backup)
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac")
    rig.clock.advance(milliseconds: 10_000)
    _ = try rig.command("mac") { try $0.reconcile() }
    let newer = try #require(try rig.command("mac") { try $0.status() }.head)
    try FileManager.default.removeItem(atPath: rig.folder("phone").string)
    try FileManager.default.copyItem(atPath: backup, toPath: rig.folder("phone").string)
    return (rig, newer)
  }

  @Test func `versions that a restored backup lacks come back, and its content stays live`()
    throws
  {
    let (rig, newer) = try putBack()
    let gone = try rig.command("phone") { try $0.status() }
    #expect(gone.vanished.contains(newer))
    let outcome = try rig.command("phone") { try $0.reconcile().outcome }
    guard case .upToDate(let proof) = outcome else {
      Issue.record("not settled: \(outcome)")
      return
    }
    #expect(try rig.rows("phone") == ["one"])
    let status = try rig.command("phone") { try $0.status() }
    #expect(status.putBack?.newer == newer)
    #expect(status.vanished.isEmpty)
    let head = try rig.command("phone") { try $0.history() }.first { $0.version.id == proof.head }
    #expect(head?.version.reason == .restore)
    #expect(head?.version.parents == [newer])
    try rig.settle()
    #expect(try rig.rows("mac") == ["one"])
    _ = try rig.on("mac") { try $0.restore(newer) }
    try rig.settle()
    #expect(try rig.rows("phone") == ["one", "two"])
    #expect(try rig.command("phone") { try $0.status() }.putBack == nil)
  }

  @Test func `a service that removes a version for a moment is waited for`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("mac", "two")
    try rig.settle()
    let versions = rig.companion("mac").appending("versions")
    let name = try #require(try files.list(versions).max { $0.string < $1.string })
    let aside = rig.place.root.appending("aside")
    try files.rename(versions.appending(name), to: aside)
    let app = try rig.open("mac")
    #expect(try app.read { try $0.value("SELECT count(*) FROM t") } == 2)
    try files.rename(aside, to: versions.appending(name))
    rig.clock.advance(milliseconds: 10_000)
    _ = try app.reconcile()
    #expect(try app.history().allSatisfy { ![.restore, .external].contains($0.version.reason) })
    try app.close()
  }

  @Test func `versions alone that vanish come back, and nothing else changes`() throws {
    let rig = try Rig()
    try rig.start()
    for value in ["two", "three", "four"] { try rig.write("mac", value) }
    try rig.settle()
    let before = try files(rig, "mac")
    let versions = rig.companion("mac").appending("versions")
    for name in before.dropFirst() { try files.unlink(versions.appending(name)) }
    _ = try rig.command("mac") { try $0.reconcile() }
    let after = try files(rig, "mac")
    #expect(after == before, "\(after) \(before)")
    #expect(try rig.rows("mac") == ["one", "two", "three", "four"])
  }

  @Test func `pruned versions do not come back`() throws {
    let rig = try Rig()
    try rig.start()
    for value in ["two", "three", "four"] { try rig.write("mac", value) }
    try rig.settle()
    var configuration = rig.configuration("mac")
    configuration.retention = Retention(last: 1)
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    _ = try store.prune()
    let after = try files(rig, "mac")
    rig.clock.advance(milliseconds: 10_000)
    _ = try store.reconcile()
    #expect(try files(rig, "mac") == after)
    try store.close()
  }
}
