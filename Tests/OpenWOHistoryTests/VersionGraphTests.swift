import OpenWOTestSupport
import Testing

@testable import OpenWOHistory

@Suite("version graph")
struct VersionGraphTests {
  /// Builds versions from lines such as `d: b c`, parents first.
  private func versions(_ lines: String...) throws -> [String: Version] {
    var versions: [String: Version] = [:]
    for (time, line) in lines.enumerated() {
      let parts = line.split(separator: ":", omittingEmptySubsequences: false)
      let parents = parts[1].split(separator: " ").compactMap { versions[String($0)] }
      versions[String(parts[0])] = try Sample.version(
        Array(parts[0].utf8), parents: parents, at: Int64(time))
    }
    return versions
  }

  private func names(_ found: [Version], in versions: [String: Version]) -> [String] {
    found.compactMap { version in versions.first { $0.value == version }?.key }.sorted()
  }

  @Test func `heads are the versions that nobody names as a parent`() throws {
    let all = try versions("a:", "b: a", "c: a", "d: b", "x:")
    let graph = VersionGraph(Array(all.values))
    #expect(names(graph.heads, in: all) == ["c", "d", "x"])
    #expect(VersionGraph([]).heads.isEmpty)
  }

  @Test func `ancestry is proper and goes through merges`() throws {
    let all = try versions("a:", "b: a", "c: a", "d: b c", "e:")
    let graph = VersionGraph(Array(all.values))
    let id = all.mapValues(\.id)
    #expect(graph.ancestors(of: id["d"]!) == [id["a"]!, id["b"]!, id["c"]!])
    #expect(graph.isAncestor(id["a"]!, of: id["d"]!))
    #expect(!graph.isAncestor(id["d"]!, of: id["a"]!))
    #expect(!graph.isAncestor(id["d"]!, of: id["d"]!))
    #expect(!graph.isAncestor(id["e"]!, of: id["d"]!))
    #expect(names(graph.children(of: id["a"]!), in: all) == ["b", "c"])
    #expect(graph.ancestors(of: Sample.id(0)).isEmpty)
  }

  @Test func `nearest common ancestors are those of git`() throws {
    let all = try versions("a:", "b: a", "c: a", "d: b c", "e: b c", "f: d", "g: e", "h:")
    let graph = VersionGraph(Array(all.values))
    func nearest(_ one: String, _ two: String) throws -> [String] {
      let (one, two) = (try #require(all[one]), try #require(all[two]))
      return names(graph.nearestCommonAncestors(one.id, two.id), in: all)
    }
    #expect(try nearest("b", "c") == ["a"])
    #expect(try nearest("f", "g") == ["b", "c"])
    #expect(try nearest("f", "b") == ["b"])
    #expect(try nearest("f", "f") == ["f"])
    #expect(try nearest("f", "h") == [])
  }

  @Test func `nearest common ancestors agree with the definition in random graphs`() throws {
    for seed in 0..<30 {
      var random = SeededRandom(seed: UInt64(seed))
      var all: [Version] = []
      for number in 0..<25 {
        let parents = all.shuffled(using: &random).prefix(.random(in: 0...3, using: &random))
        all.append(try Sample.version(parents: Array(parents), at: Int64(number)))
      }
      let graph = VersionGraph(all.shuffled(using: &random))
      for _ in 0..<20 {
        let (a, b) = (
          all[.random(in: 0..<25, using: &random)], all[.random(in: 0..<25, using: &random)]
        )
        let common = graph.ancestors(of: a.id).union([a.id])
          .intersection(graph.ancestors(of: b.id).union([b.id]))
        let nearest = common.filter { id in !common.contains { graph.isAncestor(id, of: $0) } }
        #expect(graph.nearestCommonAncestors(a.id, b.id).map(\.id) == nearest.sorted())
      }
    }
  }

  @Test func `parents that are not there are listed and do no harm`() throws {
    let all = try versions("a:", "b: a", "c: b", "d: a")
    let rest = all.filter { ["c", "d"].contains($0.key) }
    let graph = VersionGraph(Array(rest.values))
    #expect(graph.missingParents == [all["a"]!.id, all["b"]!.id].sorted())
    #expect(names(graph.heads, in: all) == ["c", "d"])
    #expect(graph.nearestCommonAncestors(all["c"]!.id, all["d"]!.id).isEmpty)
  }

  @Test func `a walk through a circle of parents ends`() throws {
    let like = try Sample.version()
    func version(_ number: Int, _ parents: Int...) -> Version {
      var fields = like.fields
      fields.parents = parents.map(Sample.id)
      return Version(trusting: Sample.id(number), fields)
    }
    let graph = VersionGraph([version(1, 2), version(2, 3), version(3, 1), version(4, 4, 1)])
    #expect(graph.heads.map(\.id) == [Sample.id(4)])
    #expect(graph.ancestors(of: Sample.id(1)) == [Sample.id(2), Sample.id(3)])
    #expect(graph.isAncestor(Sample.id(3), of: Sample.id(4)))
    #expect(graph.newestFirst.count == 4)
    #expect(graph.nearestCommonAncestors(Sample.id(1), Sample.id(4)).isEmpty)
    #expect(graph.winner(among: graph.versions)?.id == Sample.id(4))
  }

  @Test func `a descendant beats its ancestor whatever the clocks say`() throws {
    let old = try Sample.version([1], at: 9_000_000)
    let new = try Sample.version([2], parents: [old], at: 1000)
    let other = try Sample.version([3], at: 5000)
    let graph = VersionGraph([old, new, other])
    #expect(graph.winner(among: [old, new]) == new)
    #expect(graph.winner(among: [new, other]) == other)
    #expect(graph.winner(among: [old, new, other]) == other)
    #expect(graph.winner(among: [new, other, old]) == other)
    #expect(graph.winner(among: []) == nil)
  }

  @Test func `the newest of several heads is the one that will win, whatever their ids`() throws {
    for number: UInt8 in 0..<8 {
      let heads = [
        try Sample.version([1, number], at: 2000), try Sample.version([2, number], at: 3000),
      ]
      #expect(VersionGraph(heads).newestHead == heads[1])
    }
    #expect(VersionGraph([]).newestHead == nil)
  }

  @Test func `heads of equal content count as the one with the lower id`() throws {
    let root = try Sample.version()
    let one = try Sample.version([1], parents: [root], device: "a")
    let two = try Sample.version([1], parents: [root], device: "b")
    let graph = VersionGraph([root, one, two])
    let head = try #require(graph.effectiveHeads.first)
    #expect(graph.effectiveHeads.count == 1)
    #expect(head.version.id == min(one.id, two.id))
    #expect(head.members.map(\.id) == [one.id, two.id].sorted())
    #expect(try graph.settling() == nil)
  }

  @Test func `two merges of the same parents are never merged again`() throws {
    let (a, b) = (try Sample.version([1], device: "a"), try Sample.version([2], device: "b"))
    let merges = try (3...4).map {
      try Sample.version([UInt8($0)], parents: [a, b], at: Int64($0), reason: .merge)
    }
    let graph = VersionGraph([a, b] + merges)
    #expect(graph.effectiveHeads.map(\.version.id) == [merges.map(\.id).min()])
    #expect(graph.effectiveHeads.first?.members.count == 2)
    let writes = try (3...4).map { try Sample.version([UInt8($0)], parents: [a, b]) }
    #expect(VersionGraph([a, b] + writes).effectiveHeads.count == 2)
  }

  @Test func `a merge wins over every settlement of the same heads`() throws {
    for number: UInt8 in 0..<8 {
      let sides = [
        try Sample.version([1, number], device: "a"), try Sample.version([2, number], device: "b"),
      ]
      let late = try Sample.version([3, number], device: "c", at: 500)
      let settled = try [sides, sides.reversed()].map {
        try Version.settle(parents: $0, candidates: [$0[0]])
      }
      let merges = try (4...5).map {
        try Version.merge(parents: sides, facts: Sample.facts([$0, number]))
      }
      let first = try #require(merges.min { $0.id < $1.id })
      for members in [settled + merges, settled.dropLast() + merges, settled + [first]] {
        for heads in [members, members.reversed()] {
          let found = VersionGraph(sides + heads).effectiveHeads
          #expect(found.map(\.version) == [first])
          #expect(found.first.map { Set($0.members) } == Set(members))
        }
        // And once more, with a third side that one device merges and the other one settles.
        let all = [sides, members, [late]].flatMap(\.self)
        let again = try #require(try VersionGraph(all).settling())
        #expect(again.content == first.content)
        let merged = try Version.merge(
          parents: members + [late], facts: Sample.facts([6, number]))
        #expect(VersionGraph(all + [again, merged]).effectiveHeads.map(\.version) == [merged])
      }
      // A merge that brought nothing new has the same content, and represents it.
      let same = try Version.merge(parents: sides, facts: settled[0].facts)
      let found = VersionGraph(sides + settled + [same]).effectiveHeads
      #expect(found.map(\.version) == [same])
    }
  }

  @Test func `heads of equal content count as the winner with the lowest id`() throws {
    for number: UInt8 in 0..<8 {
      let sides = [
        try Sample.version([1, number], device: "a"), try Sample.version([2, number], device: "b"),
      ]
      let merged = try Version.merge(parents: sides, facts: Sample.facts([3, number]))
      let settled = try Version.settle(parents: sides)
      let twin = try Sample.version([3, number], parents: sides, device: "c")
      let heads = VersionGraph(sides + [merged, settled, twin]).effectiveHeads
      #expect(heads.map(\.version.id) == [min(merged.id, twin.id)])
      #expect(heads.first?.members.count == 3)
    }
  }

  @Test func `settling names every head and lets representatives win`() throws {
    let (a, b) = (try Sample.version([1], device: "a"), try Sample.version([2], device: "b"))
    let merges = try (3...4).map {
      try Sample.version([UInt8($0)], parents: [a, b], at: 5000, reason: .merge)
    }
    let other = try Sample.version([5], device: "c", at: 4000)
    let graph = VersionGraph([a, b, other] + merges)
    let settled = try #require(try graph.settling())
    #expect(settled.parents == (merges + [other]).map(\.id).sorted())
    #expect(settled.content == merges.min { $0.id < $1.id }?.content)
  }

  @Test func `settling leads to one head whatever order things arrive in`() throws {
    for seed in 0..<50 {
      var random = SeededRandom(seed: UInt64(seed))
      var all = [try Sample.version()]
      for number in 0..<20 {
        let parents = all.suffix(4).shuffled(using: &random).prefix(
          .random(in: 1...2, using: &random))
        all.append(
          try Sample.version(
            [UInt8.random(in: 0..<4, using: &random)], parents: Array(parents),
            device: "d\(number % 3)", at: .random(in: 0..<6, using: &random),
            reason: [.merge, .settle, .write, .write].randomElement(using: &random) ?? .write))
      }
      let answers = try (0..<4).map { _ in
        try VersionGraph(all.shuffled(using: &random)).settling()
      }
      #expect(Set(answers.map { $0?.id }).count == 1)
      guard let settled = answers[0] else { continue }
      #expect(VersionGraph(all + [settled]).heads == [settled])
    }
  }

  @Test func `history lists children before parents and otherwise the later first`() throws {
    let all = try versions("a:", "b: a", "c: a", "d: b", "e: c d")
    let graph = VersionGraph(Array(all.values))
    let order = graph.newestFirst.compactMap { version in all.first { $0.value == version }?.key }
    #expect(order == ["e", "d", "c", "b", "a"])
    let ahead = try Sample.version([9], at: 99)
    let child = try Sample.version([8], parents: [ahead], at: 1)
    let other = try Sample.version([7], at: 50)
    #expect(VersionGraph([ahead, child, other]).newestFirst == [other, child, ahead])
  }

  @Test func `ten thousand versions in a line and wide merges are fast`() throws {
    var chain = [try Sample.version()]
    for number in 1..<10_000 {
      chain.append(try Sample.version(parents: [chain[number - 1]], at: Int64(number)))
    }
    let graph = VersionGraph(chain)
    #expect(graph.heads == [chain[9999]])
    #expect(graph.isAncestor(chain[0].id, of: chain[9999].id))
    #expect(graph.newestFirst == chain.reversed())
    let leaves = try (0..<1000).map { try Sample.version(at: Int64($0)) }
    let merges = try (0..<20).map { try Sample.version(parents: leaves, at: 2000 + Int64($0)) }
    let wide = VersionGraph(leaves + merges)
    #expect(wide.nearestCommonAncestors(merges[0].id, merges[1].id).count == 1000)
  }
}

extension VersionGraph {
  /// The version that settles all heads; nil if there is nothing to decide.
  fileprivate func settling() throws -> Version? {
    let heads = effectiveHeads
    guard heads.count > 1 else { return nil }
    return try Version.settle(
      parents: heads.flatMap(\.members), candidates: heads.map(\.version))
  }
}
