import Testing

@testable import OpenWOHistory

/// The cost of a long history grows with its length, not with the square of it.
struct LongHistoryTests {
  private let versions: [Version]

  init() throws {
    var versions = [try Sample.version([0], at: 1, reason: .create)]
    for number in 1..<10_000 {
      let content = [UInt8(number >> 8), UInt8(number & 255)]
      versions.append(
        try Sample.version(content, parents: [versions[number - 1]], at: Int64(number + 1)))
    }
    self.versions = versions
  }

  /// A device that was away may have continued from any version that it did not have.
  @Test func `what merges of any versions ahead of a device rest on is found`() {
    let lineage = Lineage(VersionGraph(versions))
    let ahead = Array(versions[1...])
    var grounds: [Version] = []
    let time = ContinuousClock().measure { grounds = lineage.grounds(of: ahead) }
    #expect(Set(grounds) == Set(ahead.dropLast()))
    #expect(time < .seconds(20))
  }

  /// Behind each of them the next one comes to light.
  @Test func `versions whose contents have not arrived are left out`() {
    let graph = VersionGraph(versions)
    let arrived = Set(versions.prefix(2).map(\.id))
    var rest = graph
    let time = ContinuousClock().measure { rest = graph.withoutHeads { !arrived.contains($0) } }
    #expect(rest.heads == [versions[1]])
    #expect(rest.versions.count == 2)
    #expect(time < .seconds(20))
  }
}
