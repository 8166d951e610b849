import Testing

@testable import OpenWO
@testable import OpenWOHistory

/// What a prune removes, decided from facts.
struct PruneDecisionTests {
  private typealias Scene = DecisionScene
  private let versions: [Version]

  init() throws {
    var versions = [try Scene.version("0", day: 1, reason: .create)]
    for number in 1..<6 {
      versions.append(
        try Scene.version("\(number)", from: versions[number - 1], day: Int64(number + 1)))
    }
    self.versions = versions
  }

  private func facts(_ versions: [Version]? = nil) -> PruneFacts {
    let all = versions ?? self.versions
    return PruneFacts(
      listing: Scene.listing(all), folder: Scene.paths.versions, live: self.versions[5].id,
      now: Scene.day(10))
  }

  private func removed(_ facts: PruneFacts) -> Set<VersionID> {
    Set(PruneDecision(facts, keeping: Retention()).report.removed)
  }

  private func ids(_ range: Range<Int>) -> Set<VersionID> { Set(versions[range].map(\.id)) }

  @Test func `only the newest stays if nothing else needs a version`() {
    let decision = PruneDecision(facts(), keeping: Retention())
    #expect(Set(decision.report.removed) == ids(0..<5))
    #expect(decision.report.kept.map(\.reasons) == [["live", "newest"]])
    #expect(decision.report.files == 5)
  }

  @Test func `what a device has not checked out stays`() {
    var facts = facts()
    facts.devices = [Scene.device("mac", head: versions[2], seen: 9)]
    #expect(removed(facts) == ids(0..<2))
    // One that was not seen for a year is no longer waited for.
    facts.now = Scene.day(800)
    #expect(removed(facts) == ids(0..<2), "a clock that jumped does not count")
  }

  @Test func `a pinned version stays`() {
    var facts = facts()
    facts.pinned = ids(1..<2)
    #expect(removed(facts) == ids(0..<5).subtracting(facts.pinned))
  }

  @Test func `a side that lost stays with what a merge of it is made from`() throws {
    let lost = try Scene.version("lost", from: versions[1], device: "mac", day: 4)
    let settled = try Version.settle(
      parents: [versions[5], lost], candidates: [versions[5]], keepingApart: nil)
    var facts = facts(versions + [lost, settled])
    facts.live = settled.id
    let decision = PruneDecision(facts, keeping: Retention())
    let kept = Dictionary(
      uniqueKeysWithValues: decision.report.kept.map { ($0.version, $0.reasons) })
    #expect(kept[lost.id] == ["unmerged"])
    #expect(kept[versions[1].id] == ["unmerged"])
    #expect(decision.report.removed.contains(versions[0].id))
  }

  @Test func `nothing goes in the week after a version came without what it rests on`() {
    var facts = facts()
    facts.unsettled = [Scene.day(9)]
    let decision = PruneDecision(facts, keeping: Retention())
    #expect(decision.plan == nil && decision.report.waits && decision.report.removed.isEmpty)
    facts.unsettled = [Scene.day(2)]
    #expect(!PruneDecision(facts, keeping: Retention()).report.waits)
  }
}
