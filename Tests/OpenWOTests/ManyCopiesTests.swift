import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// Many conflict copies of one state.
struct ManyCopiesTests {
  /// A state on the mac with a version after it, and conflict copies that follow from the state.
  private func stage(copies: Int) throws -> (rig: Rig, base: VersionID) {
    let rig = try Rig(["mac"])
    try rig.start()
    try rig.write("mac", "two")
    let base = try #require(try rig.command("mac") { try $0.status() }.head)
    let state = rig.place.root.appending("state.sqlite")
    try rig.copy(rig.database("mac"), state)
    try rig.write("mac", "three")
    for number in 1...copies {
      let digits = String(100_000 + number)
      let name = "openwo.sync-conflict-20261121-\(digits)-ABCDEFG.sqlite"
      let path = rig.folder("mac").appending(name)
      try rig.copy(state, path)
      try rig.place.sqlite3("INSERT INTO t(v) VALUES('copy \(number)')", path)
    }
    rig.clock.advance(milliseconds: 60_000)
    return (rig, base)
  }

  /// More than the versions that are tried for one of them.
  @Test func `each of many copies follows from their common state`() throws {
    let count = 36
    let (rig, base) = try stage(copies: count)
    _ = try rig.command("mac") { try $0.reconcile() }
    let captured = try rig.command("mac") { try $0.history() }.map(\.version)
      .filter { $0.reason == .external }
    #expect(captured.count == count)
    #expect(captured.filter { $0.parents == [base] }.count == count)
  }

  @Test func `the work for one copy does not grow with their number`() throws {
    func calls(copies: Int) throws -> Int {
      let (rig, _) = try stage(copies: copies)
      let log = CallLog()
      var configuration = rig.configuration("mac")
      configuration.opensAsFound = true
      configuration.files = FileSystem(observer: log)
      let store = try SyncedDatabase(
        path: rig.database("mac").string, configuration: configuration)
      _ = try store.reconcile()
      try store.close()
      return log.calls.count
    }
    let (few, many) = (try calls(copies: 8), try calls(copies: 32))
    #expect(many < 5 * few, "\(few) calls for 8 copies, \(many) for 32")
  }

  @Test func `a version is tried next once two of its children are refuted`() throws {
    var scene = Scene()
    try scene.version("base", "a", ago: 900, reason: .create)
    for number: Int64 in 1...9 {
      try scene.version("copy \(number)", "c\(number)", from: "base", ago: 100 - number)
    }
    var candidates = OriginCandidates(scene.seen.graph)
    for _ in 1...2 {
      let copy = candidates.next()
      #expect(copy?.parents.count == 1)
      if let copy { candidates.refute(copy) }
    }
    let base = try #require(scene.versions["base"])
    let third = candidates.next()
    #expect(third == base)
    candidates.refute(base)
    var rest = 0
    while candidates.next() != nil { rest += 1 }
    #expect(rest == 7)
  }
}
