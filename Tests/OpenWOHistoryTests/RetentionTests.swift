import OpenWOFiles
import OpenWOTestSupport
import SystemPackage
import Testing

@testable import OpenWOHistory

@Suite("retention")
struct RetentionTests {
  let folder: ScratchFolder
  let archive: Archive

  private static let hour: Int64 = 3_600_000
  /// 2026-11-02, a Monday, at midnight.
  private static let monday: Int64 = 1_793_577_600_000

  init() throws {
    folder = try ScratchFolder()
    archive = Archive(folders: [folder.path], fileSystem: folder.files)
  }

  /// Writes a line of versions at the given hours, stored as the archive chooses.
  private func write(hours: [Int64], pages: Int = 120) throws -> [Version] {
    var content = HashTests.sample(pages * 512)
    var versions: [Version] = []
    var listing = ArchiveListing.empty
    for (number, hour) in hours.enumerated() {
      let before = MemoryContent(content)
      let page = (number * 7) % pages
      for place in 0..<20 { content[page * 512 + place] = UInt8.random(in: 0...255) }
      let new = MemoryContent(content)
      let at = HybridTime(milliseconds: Self.monday + hour * Self.hour + Int64(number))
      let facts = Sample.facts(content, pageSize: 512)
      listing = try archive.scan(reusing: listing)
      let payload = try archive.payload(
        for: new, facts, at: at, after: versions.last?.content,
        changed: versions.isEmpty ? nil : [UInt32(page + 1)], source: before, in: listing)
      let version = try Version(
        facts: facts, parents: versions.suffix(1).map(\.id), device: "a", deviceName: "a", at: at,
        reason: .write)
      try archive.write(version, payload, into: folder.path, durable: false)
      versions.append(version)
    }
    return versions
  }

  private func plan(
    _ retention: Retention, heads: [VersionID] = [], protected: Set<VersionID> = []
  ) throws -> RetentionPlan {
    RetentionPlan(
      retention, try archive.scan(), in: folder.path, deviceHeads: heads, protected: protected)
  }

  private func restore(_ version: Version, in listing: ArchiveListing) throws {
    let path = folder.path.appending("copy.sqlite")
    try archive.materialize(version.content, to: path, in: listing, durable: false)
    try folder.files.unlink(path)
  }

  @Test func `the last versions and the firsts of the calendar are kept`() throws {
    let versions = try [0, 1, 1, 2, 24, 25, 170, 171, 171, 800].enumerated().map { number, hour in
      try Sample.version(at: Self.monday + hour * Self.hour + Int64(number))
    }
    func kept(_ retention: Retention) -> [Int] {
      let ids = retention.kept(versions.shuffled())
      return versions.indices.filter { ids.contains(versions[$0].id) }
    }
    #expect(kept(Retention(last: 2)) == [8, 9])
    #expect(kept(Retention(hourly: 3)) == [6, 7, 9])
    #expect(kept(Retention(hourly: 100)) == [0, 1, 3, 4, 5, 6, 7, 9])
    #expect(kept(Retention(daily: 3)) == [4, 6, 9])
    #expect(kept(Retention(weekly: 10)) == [0, 6, 9])
    #expect(kept(Retention(monthly: 2)) == [0, 9])
    #expect(kept(Retention(last: -1, hourly: -5)) == [])
    #expect(kept(.standard) == Array(0...9))
  }

  @Test func `heads, the newest full payload and what is protected are never removed`() throws {
    let versions = try write(hours: [0, 1, 2, 3, 4])
    let other = try Sample.version([1, 2, 3], parents: [versions[1]], at: Self.monday - 1)
    try archive.write(other, .full(MemoryContent([1, 2, 3])), into: folder.path, durable: false)
    let plan = try plan(Retention(), protected: [versions[2].id])
    #expect(plan.kept.isSuperset(of: [versions[4].id, other.id, versions[0].id, versions[2].id]))
    #expect(!plan.kept.contains(versions[1].id) && !plan.kept.contains(versions[3].id))
  }

  @Test func `a version that a device has live or has not checked out yet is kept`() throws {
    let versions = try write(hours: [0, 24, 48, 72, 96, 120])
    let plan = try plan(Retention(), heads: [versions[3].id, versions[5].id])
    #expect(plan.kept == [0, 3, 4, 5].reduce(into: []) { $0.insert(versions[$1].id) })
    let unknown = try self.plan(Retention(), heads: [Sample.id(1)])
    #expect(unknown.isEmpty)
  }

  @Test func `every kept version can be restored after pruning, and the graph stays as it was`()
    throws
  {
    for seed in 0..<2 {
      let folder = try ScratchFolder()
      var test = self
      test = try RetentionTests(in: folder)
      var random = SeededRandom(seed: UInt64(seed))
      var hour: Int64 = 0
      let hours = (0..<18).map { _ in
        hour += [0, 0, 0, 1, 5, 24, 100].randomElement(using: &random) ?? 0
        return hour
      }
      let versions = try test.write(hours: hours)
      let before = try test.archive.scan().graph
      for keep in [8, 1] {
        let listing = try test.archive.scan()
        let plan = RetentionPlan(
          Retention(last: keep, daily: keep, weekly: 2), listing, in: folder.path,
          deviceHeads: versions.suffix(1).map(\.id))
        try test.archive.prune(plan, in: folder.path, listing)
        let after = try test.archive.scan()
        #expect(after.problems.isEmpty)
        #expect(after.graph.heads == before.heads)
        let left = Set(after.versions.map(\.id))
        #expect(left.isSuperset(of: plan.kept))
        #expect(left == plan.kept.union(plan.bases.map(\.version.id)))
        for version in versions where plan.kept.contains(version.id) {
          try test.restore(version, in: after)
        }
        for version in versions {
          #expect(after.graph.contains(version.id))
          #expect(after.graph.isPruned(version.id) == !left.contains(version.id))
          #expect(
            after.graph.isAncestor(version.id, of: versions[17].id)
              == before.isAncestor(version.id, of: versions[17].id))
        }
        let again = RetentionPlan(
          Retention(last: keep, daily: keep, weekly: 2), after, in: folder.path,
          deviceHeads: versions.suffix(1).map(\.id))
        #expect(again.isEmpty)
      }
    }
  }

  @Test func `a published version keeps its file when an equal one waits to be published`() throws {
    let first = try Sample.version([1], at: Self.monday)
    let waiting = try Sample.version([2], parents: [first], device: "a", at: Self.monday + 1)
    let published = try Sample.version([2], parents: [first], device: "b", at: Self.monday + 2)
    let pending = try ScratchFolder()
    for (version, bytes, place) in [
      (first, [1], folder.path), (waiting, [2], pending.path), (published, [2], folder.path),
    ] as [(Version, [UInt8], FilePath)] {
      try archive.write(version, .full(MemoryContent(bytes)), into: place, durable: false)
    }
    let both = Archive(folders: [pending.path, folder.path], fileSystem: folder.files)
    let plan = RetentionPlan(.standard, try both.scan(), in: folder.path, deviceHeads: [])
    #expect(plan.isEmpty)
  }

  @Test func `equal versions each keep their file, since one may not have reached all devices`()
    throws
  {
    let first = try Sample.version([1], at: Self.monday)
    let twins = try ["a", "b"].map {
      try Sample.version([2], parents: [first], device: $0, at: Self.monday + 1)
    }
    for (version, bytes) in [(first, [1]), (twins[0], [2]), (twins[1], [2])] as [(Version, [UInt8])]
    {
      try archive.write(version, .full(MemoryContent(bytes)), into: folder.path, durable: false)
    }
    let plan = RetentionPlan(.standard, try archive.scan(), in: folder.path, deviceHeads: [])
    #expect(plan.remove.isEmpty && plan.forgotten.isEmpty)
  }

  @Test func `versions that are kept for long are based on each other`() throws {
    let hours = (0..<5).flatMap { day in (0..<4).map { Int64(day * 24 + $0 * 2) } }
    let versions = try write(hours: hours)
    let plan = try plan(Retention(last: 1, daily: 100), heads: [versions[19].id])
    #expect(plan.kept.count == 6 && plan.rewriteAsFull.isEmpty)
    // The newest rests on those of its day; the first ones of the days rest on each other alone.
    #expect(plan.bases.count == 2 && plan.remove.count == 12)
  }

  @Test func `a small database is rewritten rather than keeping what it rests on`() throws {
    let versions = try write(hours: Array(repeating: 0, count: 14) + [24], pages: 4)
    let plan = try plan(Retention(last: 2), heads: [versions[14].id])
    let listing = try archive.scan()
    #expect(plan.rewriteAsFull.map(\.version) == [versions[13]])
    try archive.prune(plan, in: folder.path, listing)
    try restore(versions[13], in: archive.scan())
    #expect(try archive.scan().stored.count < 10)
  }

  /// Its next version may rest on any of it.
  @Test func `all stays that the version rests on that a device has live`() throws {
    let versions = try write(hours: Array(repeating: 0, count: 14), pages: 4)
    // A newer one in full, so that the first one of the line is not kept as such.
    let other = try Sample.version([1, 2, 3], parents: [versions[1]], at: Self.monday + 100)
    try archive.write(other, .full(MemoryContent([1, 2, 3])), into: folder.path, durable: false)
    let before = try archive.scan()
    let chain = try before.chain(versions[13].content)
    #expect(chain.count == 14)
    // A new day begins there, so it rests on the first one.
    let content = [UInt8](repeating: 7, count: Int(versions[13].bytes))
    let facts = Sample.facts(content, pageSize: 512)
    let at = HybridTime(milliseconds: Self.monday + 25 * Self.hour)
    let next = try Sample.version(content, parents: [versions[13]], pageSize: 512)
    let payload = try archive.payload(
      for: MemoryContent(content), facts, at: at, after: versions[13].content, changed: nil,
      in: before)
    let there = try ScratchFolder()
    let file = try archive.write(next, payload, into: there.path, durable: false)
    #expect(file.base == versions[0].content)
    // And here nothing is known of it yet.
    try archive.prune(
      plan(Retention(last: 1), heads: [versions[13].id]), in: folder.path, before)
    let name = try #require(file.path.lastComponent)
    try folder.files.rename(file.path, to: folder.path.appending(name))
    try restore(next, in: archive.scan())
  }

  @Test func `a kept version keeps the full file of another one that has its content`() throws {
    let versions = try write(hours: Array(repeating: 0, count: 3), pages: 4)
    let listing = try archive.scan()
    let source = try archive.reader(versions[1].content, in: listing)
    try archive.write(versions[1], .full(source), into: folder.path, durable: false)
    let again = try Version(
      facts: versions[1].facts, parents: [versions[2].id], device: "a", deviceName: "a",
      at: HybridTime(milliseconds: Self.monday + 10), reason: .restore)
    try archive.write(again, .same, into: folder.path, durable: false)
    // The newest full file is another one, which would be kept anyway.
    let last = try Version(
      facts: Sample.facts([1, 2, 3], pageSize: 512), parents: [again.id], device: "a",
      deviceName: "a", at: HybridTime(milliseconds: Self.monday + 20), reason: .write)
    try archive.write(last, .full(MemoryContent([1, 2, 3])), into: folder.path, durable: false)
    let plan = try plan(Retention(), heads: [last.id], protected: [again.id])
    #expect(!plan.kept.contains(versions[1].id))
    try archive.prune(plan, in: folder.path, archive.scan())
    try restore(again, in: archive.scan())
  }

  @Test func `of several versions based on each other only the oldest is rewritten`() throws {
    let versions = try write(hours: Array(repeating: 0, count: 14) + [24], pages: 4)
    let plan = try plan(Retention(last: 7), heads: [versions[14].id])
    #expect(plan.rewriteAsFull.map(\.version) == [versions[8]])
    try archive.prune(plan, in: folder.path, archive.scan())
    let left = try archive.scan()
    for version in versions[8...] { try restore(version, in: left) }
    #expect(left.stored.count { $0.payload == .full } <= 2)
  }

  @Test func `sides with the same base share its cost`() throws {
    let line = try write(hours: Array(repeating: 0, count: 12), pages: 4)
    var listing = try archive.scan()
    var sides: [Version] = []
    for number in 6..<12 {
      let old = line[number]
      var content = [UInt8](repeating: 0, count: Int(old.bytes))
      let reader = try archive.reader(old.content, in: listing)
      try content.withUnsafeMutableBytes { try reader.fill($0, at: 0) }
      content[100] &+= 1
      let facts = Sample.facts(content, pageSize: 512)
      let at = HybridTime(milliseconds: old.at.milliseconds, counter: 1)
      let version = try Version(
        facts: facts, parents: [old.id], device: "b", deviceName: "b", at: at, reason: .write)
      let payload = try archive.payload(
        for: MemoryContent(content), facts, at: at, after: old.content, changed: [1], in: listing)
      try archive.write(version, payload, into: folder.path, durable: false)
      sides.append(version)
      listing = try archive.scan(reusing: listing)
    }
    let plan = try plan(Retention(), protected: Set(sides.map(\.id)))
    #expect(plan.kept.isSuperset(of: sides.map(\.id)))
    #expect(plan.rewriteAsFull.isEmpty)
    try archive.prune(plan, in: folder.path, listing)
    let left = try archive.scan()
    for version in sides { try restore(version, in: left) }
  }

  @Test func `files that an interrupted pruning left behind do not count`() throws {
    let versions = try write(hours: Array(repeating: 0, count: 14) + [24], pages: 4)
    let retention = Retention(last: 1)
    let before = try archive.scan()
    let plan = try plan(retention, heads: [versions[14].id])
    let removed = try plan.remove.map { ($0, try folder.files.readSmall($0.path, limit: 65_536)) }
    try archive.prune(plan, in: folder.path, before)
    let after = try archive.scan()
    var left = 0
    for (file, bytes) in removed where plan.forgotten.contains(file.version) {
      try AtomicFile.write(bytes, to: file.path, fileSystem: folder.files)
      let scan = try archive.scan(reusing: after)
      if scan.holds(file.version.content) {
        #expect(scan.versions.contains(file.version))
      } else {
        left += 1
        #expect(scan.graph.isPruned(file.version.id))
        #expect(scan.graph.newestFirst == after.graph.newestFirst)
        #expect(scan.versions.count == after.versions.count)
      }
      let again = RetentionPlan(retention, scan, in: folder.path, deviceHeads: [versions[14].id])
      #expect(again.remove.contains(file) && again.forgotten.contains(file.version))
      try folder.files.unlink(file.path)
    }
    #expect(left > 2)
  }

  @Test func `the existing bases of a version whose base has not arrived are kept`() throws {
    let versions = try write(hours: [0, 0, 0, 0])
    let missing = try #require(try archive.scan().stored.first { $0.version == versions[2] })
    try folder.files.unlink(missing.path)
    let plan = try plan(Retention(), heads: [versions[3].id])
    #expect(!plan.remove.contains { $0.version == versions[3] })
    #expect(plan.kept.contains(versions[0].id))
  }

  @Test func `a version that vanished is remembered by those who saw it`() throws {
    let versions = try write(hours: [0, 1, 2])
    let first = try archive.scan()
    try folder.files.unlink(try #require(first.stored.first { $0.version == versions[1] }).path)
    let second = try archive.scan(reusing: first)
    #expect(second.graph.heads == [versions[2]] && second.graph.isPruned(versions[1].id))
    #expect(try archive.scan().graph.heads.count == 2)
    try folder.files.unlink(try #require(first.stored.first { $0.version == versions[2] }).path)
    #expect(try archive.scan(reusing: second).graph.heads == [versions[0]])
  }

  @Test func `a second pruning keeps the records of the first one`() throws {
    let versions = try write(hours: (0..<24).map { Int64($0 / 3 * 24 + $0 % 3) })
    for days in [5, 2] {
      let listing = try archive.scan()
      let plan = RetentionPlan(
        Retention(daily: days), listing, in: folder.path, deviceHeads: [versions[23].id])
      try archive.prune(plan, in: folder.path, listing)
      #expect(try folder.names().count { $0.hasSuffix(".pruned") } == 1)
      let after = try archive.scan().graph
      #expect(versions.allSatisfy { after.contains($0.id) } && after.heads == [versions[23]])
    }
  }

  @Test func `a garbled list of pruned versions is reported and not used`() throws {
    let versions = try write(hours: [0, 1, 2, 24, 25, 26, 48])
    let listing = try archive.scan()
    try archive.prune(plan(Retention(), heads: [versions[6].id]), in: folder.path, listing)
    let name = try #require(try folder.names().first { $0.hasSuffix(".pruned") })
    let bytes = try folder.bytes(name)
    for garbled in [Array(bytes.dropLast()), bytes + [10], Array(bytes[..<100]), []] {
      try folder.make(name, garbled)
      let scan = try archive.scan()
      #expect(scan.problems.count == 1 && scan.pruned.isEmpty)
    }
  }
}

extension RetentionTests {
  init(in folder: ScratchFolder) throws {
    self.folder = folder
    archive = Archive(folders: [folder.path], fileSystem: folder.files)
  }
}
