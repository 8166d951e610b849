import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// Files that come after a file of which nobody knows where it came from.
struct FoundRivalTests {
  /// No other device has shown itself, and yet somebody else's file is live.
  @Test func `a file without a row of a version that follows from nothing is not its child`() throws
  {
    let rig = try Rig(["phone"])
    // Then heads that may still turn out to be one line are left apart for a while.
    rig.settling = .merge
    try rig.start("CREATE TABLE t(v TEXT)")
    try rig.write("phone", "two")
    // Another device's file, which has none of the rows that are known here.
    let file = rig.place.root.appending("file")
    try rig.place.sqlite3(
      "CREATE TABLE t(v TEXT); INSERT INTO t VALUES('a'), ('b'), ('c')", file)
    try deliver(file, rig)
    let first = try #require(try found(rig).first)
    #expect(first.parents.isEmpty)
    // It comes again, without what it had at first.
    try rig.place.sqlite3("DELETE FROM t WHERE v = 'a'; INSERT INTO t VALUES('d')", file)
    try deliver(file, rig)
    let second = try #require(try found(rig).first { $0.id != first.id })
    #expect(!second.parents.contains(first.id))
  }

  private func deliver(_ file: FilePath, _ rig: Rig) throws {
    let copy = rig.place.root.appending("copy")
    try rig.copy(file, copy)
    try FileSystem().rename(copy, to: rig.database("phone"))
  }

  private func found(_ rig: Rig) throws -> [Version] {
    try rig.on("phone") { try $0.history() }.map(\.version).filter { $0.reason == .external }
  }
}
