import OpenWOFiles
import OpenWOTestSupport
import SystemPackage
import Testing

@testable import OpenWOHistory

/// Lists of pruned versions of several devices, each in its own files.
@Suite("lists of pruned versions")
struct PrunedListTests {
  private let here, there: ScratchFolder

  init() throws { (here, there) = (try ScratchFolder(), try ScratchFolder()) }

  private func prune(_ folder: ScratchFolder, keeping kept: [Version]) throws {
    let archive = Archive(folders: [folder.path], fileSystem: folder.files)
    let listing = try archive.scan()
    let plan = RetentionPlan(
      Retention(), listing, in: folder.path, deviceHeads: listing.graph.heads.map(\.id),
      protected: Set(kept.map(\.id)))
    try archive.prune(plan, in: folder.path, listing)
  }

  /// The list comes before the file goes, and this device prunes between the two.
  @Test func `a version that another device pruned stays in a list while its file is still here`()
    throws
  {
    var line: [Version] = []
    for number: UInt8 in 0..<5 {
      line.append(
        try Sample.version(
          [number], parents: line.suffix(1), at: Int64(number), pageSize: 512))
      for folder in [here, there] {
        try Archive(folders: [folder.path], fileSystem: folder.files).write(
          line[Int(number)], .full(MemoryContent([number])), into: folder.path, durable: false)
      }
    }
    try prune(there, keeping: [line[0], line[3]])
    let list = try #require(try there.names().first { $0.hasSuffix(".pruned") })
    try here.make(list, there.bytes(list))
    try prune(here, keeping: [line[0], line[1]])
    for name in try here.names() where try there.names().allSatisfy({ $0 != name }) {
      guard !name.hasSuffix(".pruned") else { continue }
      try here.files.unlink(here.path.appending(name))
    }
    let graph = try Archive(folders: [here.path], fileSystem: here.files).scan().graph
    #expect(graph.heads == [line[4]] && graph.missingParents.isEmpty)
  }
}
