import Testing

@testable import OpenWOHistory

/// Merges that devices make by themselves are no rivals of a head that has all they were made from.
struct SurpassedMergeTests {
  private let base: Version
  private let sides: [Version]

  init() throws {
    let base = try Sample.version([0], device: "a", at: 1)
    self.base = base
    sides = try ["a", "b", "c"].enumerated().map { place, device in
      try Sample.version([UInt8(place + 1)], parents: [base], device: device, at: 10)
    }
  }

  private func merge(_ parents: [Version], _ content: UInt8) throws -> Version {
    try Version.merge(parents: parents, facts: Sample.facts([content]))
  }

  private func heads(_ versions: [Version]) -> Set<VersionID> {
    Set(VersionGraph([base] + sides + versions).effectiveHeads.map(\.version.id))
  }

  @Test func `a merge of two sides gives way to one of all three`() throws {
    let two = try merge([sides[0], sides[1]], 10)
    let other = try merge([sides[1], sides[2]], 11)
    let all = try merge([sides[0], other], 12)
    #expect(heads([two, other, all]) == [all.id])
    #expect(VersionGraph([base] + sides + [two, other, all]).surpassedMerges == [two.id])
  }

  @Test func `of two merges of the same sides in another order one remains`() throws {
    let (one, other) = (try merge([sides[0], sides[1]], 10), try merge([sides[1], sides[2]], 11))
    let first = try merge([one, sides[2]], 12)
    let second = try merge([other, sides[0]], 13)
    #expect(heads([one, other, first, second]) == [min(first.id, second.id)])
  }

  /// The first loses to the second, as it comes from a file that was found early; the second to the third if its id is higher; and the third
  /// to the first, which has all that it has.
  @Test func `of merges that surpass each other in a circle one remains`() throws {
    let early = try merge([sides[1], sides[2]], 10)
    let third = try merge([sides[0], merge([sides[1], sides[2]], 11)], 12)
    var orders: Set<Bool> = []
    for number in UInt8(20)..<40 {
      let second = try merge([early, sides[0]], number)
      let found = try Sample.version(
        [number], parents: [early], device: "b", at: 30, reason: .external)
      let first = try merge([merge([sides[0], sides[2]], 13), found], number + 100)
      orders.insert(second.id < third.id)
      let versions = [early, second, third, found, first]
      let inner = try [merge([sides[1], sides[2]], 11), merge([sides[0], sides[2]], 13)]
      #expect(heads(inner + versions).count == 1)
    }
    #expect(orders.count == 2)
  }

  @Test func `of two merges of the same sides the one remains that knew all versions`() throws {
    let merges = try (10..<14).map { number in
      try [false, true].map { isPartial in
        try Version.merge(
          parents: [sides[0], sides[1]], facts: Sample.facts([number, isPartial ? 1 : 0]),
          renumbered: RenumberedRows([:]), isPartial: isPartial)
      }
    }
    for pair in merges {
      #expect(pair.map(\.isPartial) == [false, true])
      let others = try merge([sides[1], sides[2]], 20)
      #expect(heads(pair + [sides[2]]).contains(pair[0].id))
      #expect(!heads(pair + [others]).contains(pair[1].id))
    }
  }

  @Test func `a merge about which a person decided something is never left out`() throws {
    for isPartial in [false, true] {
      let chosen = try Version.merge(
        parents: [sides[0], sides[1]], facts: Sample.facts([10]), isPartial: isPartial,
        isChosen: true)
      let other = try merge([sides[1], sides[2]], 11)
      let all = try merge([sides[0], other], 12)
      #expect(heads([chosen, other, all]) == [chosen.id, all.id])
      #expect(heads([chosen]) == [chosen.id, sides[2].id])
    }
  }

  @Test func `a merge made before all versions had arrived is made again with all of them`() throws
  {
    let late = try Sample.version([7], parents: [sides[0]], device: "a", at: 12)
    let known = try merge([late, sides[1]], 13)
    let early = try merge([sides[1], sides[2]], 14)
    let partial = try Version.merge(
      parents: [known, early], facts: Sample.facts([15]), isPartial: true)
    let all = [base, sides[1], sides[2], known, early, partial]
    let arrived = all + [sides[0], late]
    func heads(_ versions: [Version]) -> Set<VersionID> {
      Set(VersionGraph(versions).effectiveHeads.map(\.version.id))
    }
    #expect(heads(all) == [partial.id])
    #expect(heads(arrived) == [known.id, early.id])
    let written = try Sample.version([16], parents: [partial], device: "b", at: 20)
    #expect(heads(arrived + [written]) == [written.id])
    let found = try Version(
      facts: Sample.facts([15]), parents: [known.id], device: "c", deviceName: "c",
      at: HybridTime(milliseconds: 30), reason: .external, members: [Version.delivered])
    #expect(heads(all + [found]) == [min(partial.id, found.id)])
    #expect(heads(arrived + [found]) == [known.id, early.id])
    let again = try merge([known, early], 17)
    #expect(heads(arrived + [again]) == [again.id])
  }

  @Test func `a merge with a file that came before its version gives way to the version`() throws {
    let all = try merge(sides, 12)
    // The file has the numbers of the merge, and nothing says so.
    let early = try Sample.version(
      [12], parents: [sides[0]], device: "a", at: 20, reason: .external)
    let doubled = try merge([early, sides[1]], 13)
    #expect(heads([early, doubled]).count == 2)
    #expect(heads([early, doubled, all]) == [all.id])
  }

  @Test func `an edit of a device that was captured early stays deleted`() throws {
    let edit = try Sample.version([7], parents: [sides[0]], device: "a", at: 12)
    let early = try Sample.version([7], parents: [base], device: "b", at: 2, reason: .external)
    let stale = try merge([sides[0], early], 13)
    let doubled = try merge([stale, sides[1]], 14)
    let right = try merge([edit, sides[1]], 15)
    #expect(heads([edit, early, stale, doubled, right, sides[2]]) == [right.id, sides[2].id])
  }

  @Test func `what a device wrote or restored is a rival all the same`() throws {
    let two = try merge([sides[0], sides[1]], 10)
    let all = try merge(sides, 12)
    let written = try Sample.version([20], parents: [two], device: "b", at: 20)
    #expect(heads([two, all, written]) == [all.id, written.id])
    let restored = try Sample.version(
      [0], parents: [sides[0]], device: "a", at: 20, reason: .restore)
    let undone = try merge([restored, sides[1]], 21)
    #expect(heads([all, restored, undone]) == [all.id, undone.id])
    // A person's merge has decisions.
    let byHand = try Sample.version(
      [22], parents: [sides[0], sides[1]], device: "b", at: 20, reason: .merge)
    #expect(heads([byHand, all]) == [all.id, byHand.id])
  }

  @Test func `a merge of what is not here is not judged`() throws {
    let hidden = try Sample.version([30], device: "d", at: 5)
    let two = try merge([sides[0], hidden], 10)
    let all = try merge(sides, 12)
    #expect(heads([two, all]) == [two.id, all.id])
  }
}
