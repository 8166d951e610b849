import OpenWO
import OpenWOHistory
import Testing

/// The planner's decisions about heads, with a test for each fault that the simulator found.
struct PlannerHeadsTests {
  private func ids(_ scene: Scene, _ names: String...) throws -> [VersionID] {
    try names.map(scene.id).sorted()
  }

  @Test func `the later of two heads wins`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 50)
    try scene.version("c", "C", from: "a", ago: 40)
    scene.live("A")
    scene.seen.current = try scene.id("a")
    #expect(scene.plan == [.settle(try ids(scene, "b", "c"), winner: try scene.id("c"))])
    scene.policy.settling = .merge
    #expect(scene.plan == [.merge(try ids(scene, "b", "c"))])
  }

  @Test func `a late twin of a content is not a rival of its children`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 50)
    try scene.version("c", "C", from: "b", ago: 40)
    // Another device saw the file before its version and captured it later than all others.
    try scene.version("twin", "B", from: "a", device: "third", ago: 10, reason: .external)
    scene.live("C")
    scene.seen.current = try scene.id("c")
    #expect(scene.plan.isEmpty)
    #expect(scene.seen.graph.family(of: try scene.id("c")) == (try ids(scene, "c", "twin")))
    // A child of the twin does not follow from what others made of that content.
    #expect(scene.seen.graph.family(of: try scene.id("twin")) == [try scene.id("twin")])
    // A version that is out of sight for the moment is a parent all the same.
    try scene.hide("b")
    #expect(scene.seen.graph.family(of: try scene.id("b")) == [try scene.id("b")])
  }

  @Test func `a version that was captured again is not a rival of its children`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 40)
    // A service had taken the version of the live file out of sight.
    try scene.version("again", "A", from: "a", device: "third", ago: 10, reason: .external)
    scene.live("B")
    scene.seen.current = try scene.id("b")
    #expect(scene.plan.isEmpty)
    #expect(scene.seen.graph.family(of: try scene.id("b")) == (try ids(scene, "b", "again")))
  }

  @Test func `a return to an older content is a rival like any other`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 50)
    try scene.version("back", "A", from: "b", ago: 20, reason: .restore)
    try scene.version("c", "C", from: "b", ago: 40)
    scene.live("B")
    scene.seen.current = try scene.id("b")
    #expect(scene.plan == [.settle(try ids(scene, "back", "c"), winner: try scene.id("back"))])
  }

  @Test func `an older content counts as a restore until its history has arrived`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 50)
    try scene.version("c", "C", from: "b", ago: 40)
    try scene.version("back", "A", from: "c", ago: 20)
    try scene.hide("c")
    scene.live("B")
    scene.seen.current = try scene.id("b")
    #expect(scene.plan == [.settle(try ids(scene, "b", "back"), winner: try scene.id("back"))])
  }

  @Test func `a restored version is not a late twin, whatever happened to its content`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 50)
    try scene.version("c", "C", from: "b", ago: 40)
    // It was restored where its database had not arrived yet, on top of an older one.
    try scene.version("back", "B", from: "a", device: "third", ago: 10, reason: .restore)
    scene.live("C")
    scene.seen.current = try scene.id("c")
    #expect(scene.plan == [.settle(try ids(scene, "back", "c"), winner: try scene.id("back"))])
  }

  /// Two devices that have merged each other's versions a number of times while newer ones were on their way.
  private func crossed(_ times: Int) throws -> Scene {
    var scene = Scene()
    scene.policy.settling = .merge
    try scene.version("a", "A")
    var sides = ["here", "there"]
    for (side, device) in zip(sides, sides) {
      try scene.version(side, side, from: "a", device: device, ago: 90)
    }
    for round in 1...times {
      let next = sides.map { $0 + "\(round)" }
      for (number, device) in ["here", "there"].enumerated() {
        let (own, other) = (next[number] + "w", sides[1 - number])
        try scene.version(
          own, own, from: sides[number], device: device, ago: round == times ? 2 : 80)
        try scene.version(
          next[number], next[number], from: own, other, device: Version.mergeDevice, ago: 1,
          reason: .merge)
      }
      sides = next
    }
    scene.live(sides[0])
    scene.seen.current = try scene.id(sides[0])
    return scene
  }

  @Test func `if merges cross again and again, one of the devices waits for the other`() throws {
    var scene = try crossed(3)
    scene.seen.device = "there"
    #expect(scene.plan.count == 1 && scene.waits.isEmpty)
    scene = try crossed(4)
    #expect(scene.plan.count == 1 && scene.waits.isEmpty)
    scene.seen.device = "there"
    #expect(scene.plan.isEmpty && scene.waits == [3])
    // Not for ever, and longer if it did not help.
    scene.policy.crossingTime = 1000
    #expect(scene.plan.count == 1 && scene.waits.isEmpty)
    scene = try crossed(6)
    scene.seen.device = "there"
    #expect(scene.plan.isEmpty && scene.waits == [18])
  }

  @Test func `heads wait for the versions between them, and not for ever`() throws {
    var scene = Scene()
    // The clock of `b` and `c` is a day behind that of `a`.
    try scene.version("a", "A", ago: 10)
    try scene.version("b", "B", from: "a", device: "slow", ago: 90_000)
    try scene.version("c", "C", from: "b", device: "slow", ago: 89_999)
    try scene.hide("b")
    scene.seen.arrivals[try scene.id("c")] = Timestamp(milliseconds: Scene.now - 1000)
    scene.live("A")
    scene.seen.current = try scene.id("a")
    #expect(scene.plan.isEmpty && scene.waits == [599])
    scene.seen.arrivals[try scene.id("c")] = Timestamp(milliseconds: Scene.now - 601_000)
    #expect(scene.plan == [.settle(try ids(scene, "a", "c"), winner: try scene.id("a"))])
  }

  @Test(arguments: [Version.mergeDevice, Version.settleDevice])
  func `versions between heads are waited for once, however many heads are merged`(common: String)
    throws
  {
    var scene = Scene()
    scene.policy.settling = .merge
    try scene.version("a", "A", ago: 900)
    try scene.version("lost", "L", from: "a", ago: 900)
    try scene.version("b", "B", from: "a", ago: 800)
    try scene.version("c", "C", from: "lost", ago: 800)
    try scene.version("d", "D", from: "a", ago: 800)
    scene.live("A")
    scene.seen.current = try scene.id("a")
    try scene.version(
      "merged", "M", from: "b", "c", device: common, ago: 1, reason: .merge)
    try scene.hide("lost")
    #expect(scene.plan == [.merge(try ids(scene, "d", "merged"))])
  }

  @Test(arguments: [Version.mergeDevice, Version.settleDevice])
  func `of several expected arrivals the last one is waited for`(common: String) throws {
    var scene = Scene()
    try scene.version("a", "A", ago: 900)
    try scene.version("lost", "L", from: "a", ago: 900)
    try scene.version("b", "B", from: "a", ago: 800)
    try scene.version("c", "C", from: "lost", ago: 100)
    scene.live("A")
    scene.seen.current = try scene.id("a")
    scene.policy.settling = .merge
    try scene.version("d", "D", from: "a", ago: 800)
    try scene.version(
      "merged", "M", from: "b", "c", device: common, ago: 1, reason: .merge)
    try scene.hide("lost")
    #expect(scene.plan.isEmpty && scene.waits == [500])
    // Two heads with something missing behind them.
    try scene.version("lost too", "N", from: "a", ago: 900)
    try scene.version("e", "E", from: "lost too", ago: 50)
    try scene.hide("lost", "lost too")
    #expect(scene.plan.isEmpty && scene.waits == [550])
    // Two heads whose content is missing.
    scene.seen.incomplete = [try scene.id("d"), try scene.id("e")]
    scene.seen.arrivals[try scene.id("d")] = Timestamp(milliseconds: Scene.now - 4000)
    scene.seen.arrivals[try scene.id("e")] = Timestamp(milliseconds: Scene.now - 1000)
    #expect(scene.plan.isEmpty && scene.waits == [4])
  }

  @Test func `more heads than devices can have are settled, not merged one by one`() throws {
    var scene = Scene()
    scene.policy.settling = .merge
    try scene.version("a", "A")
    scene.live("A")
    scene.seen.current = try scene.id("a")
    for number in 1...16 { try scene.version("\(number)", "\(number)", from: "a", ago: 50) }
    guard case .merge = scene.plan.first else {
      Issue.record("not merged: \(scene.plan)")
      return
    }
    try scene.version("17", "17", from: "a", ago: 50)
    guard case .settle = scene.plan.first else {
      Issue.record("not settled: \(scene.plan)")
      return
    }
  }

  @Test func `the last writer needs no proof of its origin`() throws {
    var scene = Scene()
    try scene.version("a", "A", ago: 100)
    try scene.version("b", "B", from: "a", ago: 50)
    try scene.version("c", "C", from: "b", ago: 1)
    try scene.hide("b")
    scene.live("A")
    scene.seen.current = try scene.id("a")
    #expect(scene.plan == [.settle(try ids(scene, "a", "c"), winner: try scene.id("c"))])
    scene.policy.settling = .merge
    #expect(scene.plan.isEmpty && scene.waits == [599])
  }

  @Test func `the merge base of two heads is waited for while a version cannot be read`() throws {
    var scene = Scene()
    scene.policy.settling = .merge
    try scene.version("a", "A", ago: 900)
    try scene.version("b", "B", from: "a", ago: 800)
    try scene.version("c", "C", from: "a", ago: 700)
    scene.live("B")
    scene.seen.current = try scene.id("b")
    let merge = Action.merge(try ids(scene, "b", "c"))
    scene.seen.hasUnreadVersions = true
    #expect(scene.plan == [merge])
    scene.seen.incomplete = [try scene.id("a")]
    #expect(scene.plan.isEmpty && scene.waits == [1])
    scene.seen.incomplete = []
    try scene.hide("a")
    #expect(scene.plan.isEmpty && scene.waits == [1])
    scene.seen.hasUnreadVersions = false
    #expect(scene.plan == [merge])
  }

  @Test func `a live file that arrived before its version is not merged without it`() throws {
    var scene = Scene()
    try scene.version("a", "A", ago: 900)
    try scene.version("b", "B", from: "a", ago: 800)
    try scene.version("found", "F", device: "here", ago: 100, reason: .external)
    scene.live("F")
    scene.seen.current = try scene.id("found")
    #expect(scene.plan == [.settle(try ids(scene, "b", "found"), winner: try scene.id("found"))])
    scene.policy.settling = .merge
    #expect(scene.plan.isEmpty && scene.waits == [500])
    scene.seen.arrivals[try scene.id("found")] = Timestamp(milliseconds: Scene.now - 601_000)
    #expect(scene.plan == [.merge(try ids(scene, "b", "found"))])
    // A copy that a person put there has no version that may follow.
    try scene.version("copy", "C", device: "here", ago: 10, reason: .external, note: "a copy")
    try scene.hide("found")
    scene.live("B")
    scene.seen.current = try scene.id("b")
    #expect(scene.plan == [.merge(try ids(scene, "b", "copy"))])
  }

  @Test func `a head without its content does not count until that is here`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 50)
    try scene.version("c", "C", from: "a", ago: 2)
    scene.seen.incomplete = [try scene.id("c")]
    scene.live("A")
    scene.seen.current = try scene.id("a")
    #expect(scene.plan.isEmpty && scene.waits == [3])
    scene.seen.arrivals[try scene.id("c")] = Timestamp(milliseconds: Scene.now - 6000)
    #expect(scene.plan == [.adopt(try scene.id("b"))])
    scene.seen.incomplete = []
    #expect(scene.plan == [.settle(try ids(scene, "b", "c"), winner: try scene.id("c"))])
  }

  @Test func `a missing database is restored from the newest content that is here`()
    throws
  {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 50)
    scene.seen.incomplete = [try scene.id("b")]
    scene.seen.live = .missing(since: Timestamp(milliseconds: 0))
    #expect(scene.plan == [.repair(try scene.id("a"), reason: "the database is missing")])
  }

  @Test func `a content that is only in the live file is stored`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 50)
    scene.seen.incomplete = [try scene.id("b")]
    scene.live("B")
    scene.seen.current = try scene.id("b")
    #expect(scene.plan == [.store(try scene.id("b"), from: nil)])
    // Before it is overwritten, too.
    try scene.version("c", "C", from: "b", ago: 40)
    #expect(scene.plan == [.store(try scene.id("b"), from: nil)])
    scene.seen.incomplete = []
    #expect(scene.plan == [.adopt(try scene.id("c"))])
  }

  @Test func `a content that is only in the live file is stored before heads are settled`()
    throws
  {
    var scene = Scene()
    try scene.version("a", "A")
    scene.seen.incomplete = [try scene.id("a")]
    scene.live("A")
    scene.seen.current = try scene.id("a")
    #expect(scene.plan == [.store(try scene.id("a"), from: nil)])
    try scene.version("b", "B", ago: 50)
    try scene.version("c", "C", ago: 40)
    #expect(scene.plan == [.store(try scene.id("a"), from: nil)])
  }

  @Test func `a service has time to deliver what others wrote, and none for what was written here`()
    throws
  {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a", ago: 2)
    scene.live("A")
    scene.seen.current = try scene.id("a")
    #expect(scene.plan.isEmpty && scene.waits == [3])
    try scene.version("c", "B", from: "b", device: "here", ago: 1)
    #expect(scene.plan == [.adopt(try scene.id("c"))])
  }

  @Test func `the live file's version is recorded when it is the head`() throws {
    var scene = Scene()
    try scene.version("a", "A")
    try scene.version("b", "B", from: "a")
    scene.live("B")
    scene.seen.current = try scene.id("a")
    #expect(scene.plan == [.note(try scene.id("b"))])
    scene.seen.current = try scene.id("b")
    #expect(scene.plan.isEmpty)
  }
}
