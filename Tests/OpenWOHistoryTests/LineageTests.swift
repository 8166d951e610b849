import Testing

@testable import OpenWOHistory

/// Rows come from winners, never from what lost.
struct LineageTests {
  private let first, loser, winner, settled: Version

  init() throws {
    first = try Sample.version([1], at: 1, reason: .create)
    loser = try Sample.version([2], parents: [first], at: 2)
    winner = try Sample.version([3], parents: [first], at: 3)
    settled = try Sample.version(
      [3], parents: [loser, winner], device: Version.settleDevice, at: 4, reason: .settle)
  }

  private func tips(_ versions: Version...) -> Set<VersionID> {
    Set(Lineage(VersionGraph(versions)).tips.map(\.id))
  }

  @Test func `a loser is a tip even while the winner has not arrived`() throws {
    let later = try Sample.version([4], parents: [settled], at: 5)
    #expect(tips(first, loser, winner, settled, later) == [loser.id, later.id])
    #expect(tips(first, loser, settled, later) == [loser.id, later.id])
    #expect(tips(first, winner, settled, later) == [later.id])
  }

  /// A file may come before its version: then its content is captured as a child of something else.
  @Test func `a content has the rows that any of its versions says`() throws {
    let merged = try Sample.version(
      [5], parents: [winner, loser], device: Version.mergeDevice, at: 5, reason: .merge)
    let found = try Sample.version([5], parents: [winner], at: 6, reason: .external)
    let lineage = Lineage(VersionGraph([first, loser, winner, merged, found]))
    #expect(!lineage.line(of: [found.id]).contains(loser.id))
    #expect(lineage.line(ofContent: found.content).contains(loser.id))
  }

  @Test func `a late twin of a loser is a tip even if a version names it as a parent`() throws {
    let twin = try Sample.version([2], device: "phone", at: 5)
    let graph = VersionGraph([first, loser, winner, settled, twin])
    // The winner names both, so that the twin is no head any more.
    #expect(graph.effectiveHeads.map { Set($0.members) } == [[settled, twin]])
    let later = try Sample.version([4], parents: [settled, twin], at: 6)
    let all = [first, loser, winner, settled, twin, later]
    #expect(tips(first, loser, winner, settled, twin, later) == [loser.id, twin.id, later.id])
    let lineage = Lineage(VersionGraph(all))
    #expect(lineage.line(of: [later.id]) == [first.id, winner.id, settled.id, later.id])
    #expect(lineage.bases(of: later, and: twin).isEmpty)
  }

  /// Each side's loser is the other side's twin: neither may vouch for the other.
  @Test func `two sides that both left a content behind do not hide it`() throws {
    let twin = try Sample.version([2], parents: [first], device: "phone", at: 5)
    let other = try Sample.version([5], parents: [first], device: "phone", at: 6)
    let otherSettled = try Sample.version(
      [5], parents: [twin, other], device: Version.settleDevice, at: 7, reason: .settle)
    let here = try Sample.version([6], parents: [settled, twin], at: 8)
    let there = try Sample.version([7], parents: [otherSettled, loser], device: "phone", at: 9)
    #expect(
      tips(first, loser, winner, settled, twin, other, otherSettled, here, there) == [
        loser.id, twin.id, here.id, there.id,
      ])
  }

  @Test func `neither a late twin of the winner nor a merged version is a tip`() throws {
    let twin = try Sample.version([3], parents: [first], device: "phone", at: 5)
    let later = try Sample.version([4], parents: [settled, twin], at: 6)
    #expect(tips(first, loser, winner, settled, twin, later) == [loser.id, later.id])
    let merged = try Sample.version([5], parents: [later, loser], at: 7, reason: .merge)
    #expect(tips(first, loser, winner, settled, twin, later, merged) == [merged.id])
  }

  @Test func `of several settlements of the same heads only the winner gives rows`() throws {
    for number: UInt8 in 0..<8 {
      let sides = [
        try Sample.version([2, number], parents: [first], at: 2),
        try Sample.version([3, number], parents: [first], device: "phone", at: 2),
      ]
      let settled = try sides.map { try Version.settle(parents: sides, candidates: [$0]) }
        .sorted { $0.id < $1.id }
      let later = try Sample.version([4, number], parents: settled, at: 5)
      // Nothing follows from the first one as long as the sides have not arrived.
      #expect(tips(first, settled[0], settled[1], later) == [first.id, settled[1].id, later.id])
      let won = try #require(sides.first { $0.content == settled[0].content })
      let line = Lineage(VersionGraph([first] + sides + settled + [later])).line(of: [later.id])
      #expect(line == [first.id, won.id, settled[0].id, later.id])
      // A merge of the same heads goes before it, and has the rows of all.
      let merged = try Version.merge(parents: sides, facts: Sample.facts([5, number]))
      for one in settled {
        let next = try Sample.version([6, number], parents: [one, merged], at: 5)
        #expect(tips(first, sides[0], sides[1], one, merged, next) == [next.id])
      }
    }
  }

  @Test func `all of several merge bases are returned, with their own ancestry`() throws {
    for number: UInt8 in 0..<8 {
      let sides = [
        try Sample.version([2, number], parents: [first], at: 2),
        try Sample.version([3, number], parents: [first], at: 3),
      ]
      let merges = try (4...5).map {
        try Sample.version([UInt8($0), number], parents: sides, at: Int64($0), reason: .merge)
      }
      let lineage = Lineage(VersionGraph([first] + sides + merges))
      #expect(lineage.bases(of: merges[0], and: merges[1]) == sides)
      #expect(lineage.bases(of: sides[0], and: sides[1]) == [first])
      #expect(Set(lineage.grounds(of: merges)) == Set(sides + [first]))
      #expect(lineage.crossings(between: merges[0], and: merges[1]) == 1)
      #expect(lineage.crossings(between: sides[0], and: sides[1]) == 0)
      // A third one from one of the two.
      let next = try Sample.version([6, number], parents: [sides[0]], at: 6)
      let upon = try (7...8).map {
        try Sample.version([UInt8($0), number], parents: merges, at: Int64($0), reason: .merge)
      }
      let all = Lineage(VersionGraph([first, next] + sides + merges + upon))
      #expect(Set(all.grounds(of: upon + [next])) == Set([first] + sides + merges))
    }
  }

  @Test func `twins from which both sides follow count as one merge base`() throws {
    let twins = try ["phone", "mac"].map {
      try Sample.version([2], parents: [first], device: $0, at: 2)
    }
    let sides = try (3...4).map { try Sample.version([$0], parents: twins, at: Int64($0)) }
    let lineage = Lineage(VersionGraph([first] + twins + sides))
    #expect(lineage.bases(of: sides[0], and: sides[1]).map(\.content) == [twins[0].content])
  }

  @Test func `a version that a restore undid gives later rows, but not rows that may vanish`()
    throws
  {
    let undone = try Sample.version([2], parents: [first], at: 2)
    let restored = try Sample.version([1], parents: [undone], at: 3, reason: .restore)
    let graph = VersionGraph([first, undone, restored])
    #expect(Lineage(graph).tips == [restored])
    #expect(Set(Lineage.ofRows(graph).tips.map(\.id)) == [undone.id, restored.id])
  }
}
