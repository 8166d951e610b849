import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// An app that is not written in Swift commits to the live file, and runs `openwo sync`.
struct OtherLanguageTests {
  private let rig: Rig

  init() throws {
    rig = try Rig(["mac", "phone"])
    try rig.start()
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('python')", rig.database("mac"))
  }

  /// The times of files are real, so the clock is too; nothing here waits for it.
  private func reconcile(
    dryRun: Bool = false, _ change: (inout Policy) -> Void
  ) throws -> [String] {
    var configuration = rig.configuration("mac")
    configuration.clock = SystemClock()
    configuration.opensAsFound = true
    configuration.policy.settleTime = 600_000
    change(&configuration.policy)
    let store = try SyncedDatabase(
      path: rig.database("mac").string, configuration: configuration)
    let report = try store.reconcile(dryRun: dryRun)
    try store.close()
    return report.actions.map(\.kind)
  }

  @Test func `a commit that its app vouches for is captured at once`() throws {
    #expect(try reconcile(dryRun: true) { _ in } == ["wait"])
    #expect(try reconcile { $0.isCommitted = true } == ["capture", "publish"])
  }

  @Test func `what a service wrote into the file is waited for all the same`() throws {
    let status = try FileSystem().lstat(rig.database("mac"))
    try FileSystem().setTimes(
      rig.database("mac"), modified: status.signature.mtime - 1_000_000_000)
    #expect(try reconcile(dryRun: true) { $0.isCommitted = true } == ["wait"])
  }

  @Test func `an app that commits without a pause is captured all the same`() throws {
    #expect(try reconcile { $0.unknownTime = 0 } == ["capture", "publish"])
  }

  @Test func `the wait for it begins with its first commit after a version`() {
    var upkeep = Upkeep()
    let version = VersionID(Digest(hashing: [1]))
    let times = (0..<4).map { Timestamp(milliseconds: $0) }
    #expect(upkeep.sawUnknown(since: times[0], after: nil) == times[0])
    #expect(upkeep.sawUnknown(since: times[1], after: nil) == times[0])
    #expect(upkeep.sawUnknown(since: times[2], after: version) == times[2])
    #expect(upkeep.sawUnknown(since: nil, after: version) == nil)
    #expect(upkeep.sawUnknown(since: times[3], after: version) == times[3])
  }
}
