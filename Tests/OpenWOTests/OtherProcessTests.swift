import OpenWOFiles
import OpenWOHistory
import Testing

@testable import OpenWO

/// Actions of another process of this device between two looks of this one.
struct OtherProcessTests {
  @Test func `a handle from before another process's write does not keep the store from use`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    // Whether a folder is listed again depends on its time and the clock's, and its time is the
    // disk's own.
    var configuration = rig.configuration("mac")
    configuration.clock = SystemClock()
    let ours = try Store.open(rig.database("mac"), configuration, EventHub())
    let theirs = try Store.open(rig.database("mac"), configuration, EventHub())
    _ = try ours.session.enter(waiting: 0)
    let start = try #require(try ours.workingCopy.currentVersion())

    // They write, and end just after the recorded version was replaced by its twin.
    let transaction = try WritePath(store: theirs).begin()
    try transaction.connection.execute("INSERT INTO t(v) VALUES('theirs')")
    try WritePath(store: theirs).commit(transaction, reason: .write)
    WritePath(store: theirs).end()
    let written = try #require(try theirs.workingCopy.currentVersion())
    let twin = try theirs.newVersions.make(
      NewVersion(written.facts, .external, parents: [start.id]))
    let content = try LiveContent(try theirs.workingCopy.open().connection)
    try NewVersions(store: theirs).keep(twin, .full(content))
    try NewVersions(store: theirs).drop(written)

    try SyncLoop(store: ours).run()
    #expect(try ours.workingCopy.currentVersion()?.id == twin.id)
    ours.session.letGo()
    theirs.session.letGo()
  }

  /// A write that had begun when the lock was asked for is the last one before the edit.
  @Test func `a lock starts from what another process wrote while it waited`() throws {
    let rig = try Rig(["mac", "phone"])
    try rig.start()
    var configuration = rig.configuration("mac")
    configuration.capturing = .immediately
    let theirs = try Store.open(rig.database("mac"), configuration, EventHub())
    let transaction = try WritePath(store: theirs).begin()
    try transaction.connection.execute("INSERT INTO t(v) VALUES('theirs')")
    nonisolated(unsafe) let writing = (store: theirs, transaction: transaction)
    configuration.clock = ManualClock(now: rig.clock.now()) { _ in
      guard writing.store.workingCopy.file != nil,
        (try? writing.store.coordinator.lockInSight()) != nil
      else {
        return
      }
      #expect(throws: Never.self) {
        try WritePath(store: writing.store).commit(writing.transaction, reason: .write)
      }
      WritePath(store: writing.store).end()
      writing.store.session.letGo()
    }
    let ours = try StoreCore(rig.database("mac"), configuration)
    // The phone does not answer.
    let report = try ours.lock(
      LockRequest(waitingUpTo: .milliseconds(50), outlivesProcess: true))
    let written = try #require(try theirs.workingCopy.currentVersion())
    #expect(written.reason == .write)
    #expect(report.lock.head == written.id)
    let reasons = try ours.with { try $0.versions.list().graph.versions.map(\.reason) }
    #expect(!reasons.contains(.external))
  }
}
