import OpenWOFiles
import OpenWOTestSupport
import SystemPackage
import Testing

@testable import OpenWOHistory

/// A listing that follows single files is the listing that a scan would give.
struct ListingChangeTests {
  @Test(arguments: UInt64(1)...4)
  func `following single files gives the same listing as a scan`(seed: UInt64) throws {
    var random = SeededRandom(seed: seed)
    let folder = try ScratchFolder()
    let archive = Archive(folders: [folder.path], fileSystem: folder.files)
    var listing = try archive.scan()
    var graph = listing.graph
    var contents: [ContentHash: [UInt8]] = [:]
    for step in 0..<60 {
      let known = graph.versions.sorted { $0.id < $1.id }
      if let head = graph.heads.randomElement(using: &random), random.next() % 4 == 0 {
        let files = listing.stored.filter { $0.version == head }
        for file in files {
          try folder.files.unlink(file.path)
          listing.remove(file)
        }
        graph.removeHead(head.id)
      } else {
        let parents = Set((0..<2).compactMap { _ in known.randomElement(using: &random) })
        // Few contents, so that several versions share one.
        let bytes = [UInt8](repeating: UInt8(random.next() % 40), count: 1024)
        let version = try Sample.version(
          bytes, parents: Array(parents), at: Int64(step), pageSize: 512)
        let old = parents.map(\.content).first { $0 != version.content && listing.holds($0) }
        var payload = NewPayload.full(MemoryContent(bytes))
        if let old, let before = contents[old], random.next() % 3 > 0 {
          payload = .pages(
            PageChanges(
              from: MemoryContent(before), old, to: MemoryContent(bytes), pages: nil))
        } else if listing.holds(version.content) {
          payload = .same
        }
        contents[version.content] = bytes
        let file = try archive.write(version, payload, into: folder.path, durable: false)
        listing.insert(file)
        graph.insert(version)
      }
      // Comparisons that grow with the square of the versions are not made after each step.
      guard step < 20 || step % 8 == 3 else { continue }
      let scan = try archive.scan()
      #expect(listing.stored == scan.stored)
      for content in contents.keys { #expect(listing.holds(content) == scan.holds(content)) }
      expectEqual(graph, scan.graph)
    }
  }

  @Test func `a version with a pruned parent is pruned, but none with children`() throws {
    let pruned = try Sample.version([1], at: 1)
    let middle = try Sample.version([2], parents: [pruned], at: 2)
    let head = try Sample.version([3], parents: [middle], at: 3)
    let whole = VersionGraph([middle, head], pruned: [pruned])
    var graph = whole
    graph.removeHead(middle.id)
    graph.insert(head)
    expectEqual(graph, whole)
    graph.removeHead(head.id)
    expectEqual(graph, VersionGraph([middle], pruned: [pruned]))
    graph.removeHead(middle.id)
    expectEqual(graph, VersionGraph([], pruned: [pruned]))
    #expect(graph.versions.isEmpty)
  }

  @Test func `only a line of pruned versions is followed to its beginning`() throws {
    let first = try Sample.version([1], at: 1)
    let second = try Sample.version([2], parents: [first], at: 2)
    let head = try Sample.version([3], parents: [second], at: 3)
    let other = try Sample.version([4], parents: [first], at: 4)
    let graph = VersionGraph([head], pruned: [other, first, second, head])
    #expect(Set(graph.versions) == [first, second, head] && graph.missingParents.isEmpty)
    #expect(graph.isPruned(first.id) && graph.isPruned(second.id) && !graph.isPruned(head.id))
    #expect(graph.isAncestor(first.id, of: head.id) && graph.heads == [head])
  }

  @Test func `versions may arrive before their parents`() throws {
    var random = SeededRandom(seed: 3)
    var versions: [Version] = []
    for number in 0..<40 {
      let parents = Set((0..<2).compactMap { _ in versions.randomElement(using: &random) })
      versions.append(try Sample.version(parents: Array(parents), at: Int64(number)))
    }
    var graph = VersionGraph([])
    for version in versions.shuffled(using: &random) { graph.insert(version) }
    expectEqual(graph, VersionGraph(versions))
  }

  private func expectEqual(_ graph: VersionGraph, _ other: VersionGraph) {
    #expect(Set(graph.versions) == Set(other.versions))
    #expect(graph.heads == other.heads)
    #expect(graph.effectiveHeads == other.effectiveHeads)
    #expect(graph.newestFirst == other.newestFirst)
    #expect(graph.missingParents == other.missingParents)
    for version in other.versions {
      #expect(graph.children(of: version.id) == other.children(of: version.id))
      #expect(graph.ancestors(of: version.id) == other.ancestors(of: version.id))
    }
  }
}
