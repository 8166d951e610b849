import OpenWOFiles
import OpenWOHistory
import Testing

@testable import OpenWO

/// What another process of this device did between two looks of this one.
struct OtherProcessTests {
  @Test func `a handle from before another process's write does not keep the store from use`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    // Whether a folder is listed anew hangs on what its time says beside the clock's, and that is the disk's own.
    var configuration = rig.configuration("mac")
    configuration.clock = SystemClock()
    let ours = try Store.open(rig.database("mac"), configuration, EventHub())
    let theirs = try Store.open(rig.database("mac"), configuration, EventHub())
    _ = try ours.enter(waiting: 0)
    let start = try #require(try ours.current())

    // They write, and end when the version that stands in the record has just made place for its twin.
    let transaction = try theirs.beginWriting()
    try transaction.connection.execute("INSERT INTO t(v) VALUES('theirs')")
    try theirs.commit(transaction, reason: .write)
    theirs.endWriting()
    let written = try #require(try theirs.current())
    let twin = try theirs.make(written.facts, .external, parents: [start.id])
    let content = try LiveContent(try theirs.openLiveFile().connection)
    try theirs.keep(twin, .full(content))
    try theirs.drop(written)

    try ours.reconcile(waiting: 0, policy: ours.policy())
    #expect(try ours.current()?.id == twin.id)
    ours.letGo()
    theirs.letGo()
  }
}
