import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// Many conflict copies of one state.
struct ManyCopiesTests {
  /// More than the versions that are tried for one of them.
  @Test func `each of many copies follows from their common state`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    try rig.write("mac", "two")
    let base = try #require(try rig.command("mac") { try $0.status() }.head)
    let state = rig.place.root.appending("state.sqlite")
    try rig.copy(rig.database("mac"), state)
    try rig.write("mac", "three")
    let count = 36
    for number in 1...count {
      let digits = String(100_000 + number)
      let name = "openwo.sync-conflict-20261121-\(digits)-ABCDEFG.sqlite"
      let path = rig.folder("mac").appending(name)
      try rig.copy(state, path)
      try rig.place.sqlite3("INSERT INTO t(v) VALUES('copy \(number)')", path)
    }
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.command("mac") { try $0.reconcile() }
    let captured = try rig.command("mac") { try $0.history() }.map(\.version)
      .filter { $0.reason == .external }
    #expect(captured.count == count)
    #expect(captured.filter { $0.parents == [base] }.count == count)
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
