import Foundation
import OpenWOFiles
import OpenWOTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import OpenWOHistory

@Suite("archive")
struct ArchiveTests {
  let folder: ScratchFolder
  let archive: Archive

  init() throws {
    folder = try ScratchFolder()
    archive = Archive(folders: [folder.path], fileSystem: folder.files)
  }

  /// Writes a first version in full and the others as pages, each upon the one before.
  @discardableResult
  private func writeChain(_ contents: [[UInt8]], pageSize: Int = 512) throws -> [Version] {
    var versions: [Version] = []
    for (number, content) in contents.enumerated() {
      let version = try Sample.version(
        content, parents: versions.suffix(1), at: Int64(number), pageSize: pageSize)
      let new = MemoryContent(content)
      if let last = versions.last {
        let old = MemoryContent(contents[number - 1])
        let changes = PageChanges(from: old, last.content, to: new, pages: nil)
        try archive.write(version, .pages(changes), into: folder.path, durable: false)
      } else {
        try archive.write(version, .full(new), into: folder.path, durable: false)
      }
      versions.append(version)
    }
    return versions
  }

  private func contents(_ count: Int, pageSize: Int = 512) -> [[UInt8]] {
    var random = SeededRandom(seed: UInt64(count))
    var contents = [HashTests.sample(20 * pageSize)]
    while contents.count < count {
      contents.append(
        PagesPayloadTests.change(contents[contents.count - 1], pageSize: pageSize, with: &random)
          + [UInt8(contents.count)])
    }
    return contents
  }

  private func materialized(_ content: ContentHash, in listing: ArchiveListing) throws -> [UInt8] {
    let path = folder.path.appending("copy.sqlite")
    try archive.materialize(content, to: path, in: listing, durable: false)
    defer { try? folder.files.unlink(path) }
    return try folder.bytes("copy.sqlite")
  }

  private func run(_ command: String) throws {
    let shell = try Process.run(URL(filePath: "/bin/sh"), arguments: ["-c", command])
    shell.waitUntilExit()
    #expect(shell.terminationStatus == 0)
  }

  @Test func `every version of a chain comes back as it was`() throws {
    let contents = contents(20)
    let versions = try writeChain(contents)
    let listing = try archive.scan()
    #expect(listing.problems.isEmpty)
    #expect(Set(listing.versions) == Set(versions))
    for (version, content) in zip(versions, contents) {
      #expect(try materialized(version.content, in: listing) == content)
    }
  }

  @Test func `tail cuts a database out of a full version`() throws {
    let content = HashTests.sample(100_000)
    let version = try Sample.version(content)
    let stored = try archive.write(version, .full(MemoryContent(content)), into: folder.path)
    try run("tail -n +2 '\(stored.path)' > '\(folder.path)/copy.sqlite'")
    #expect(try folder.bytes("copy.sqlite") == content)
  }

  @Test func `a version that is there is not written again`() throws {
    let content = HashTests.sample(1000)
    let version = try Sample.version(content)
    let one = try archive.write(version, .full(MemoryContent(content)), into: folder.path)
    let before = try folder.files.stat(one.path)
    #expect(try archive.write(version, .full(MemoryContent(content)), into: folder.path) == one)
    #expect(try folder.files.stat(one.path).signature == before.signature)
  }

  @Test func `a partially arrived version is replaced by the whole one`() throws {
    let content = HashTests.sample(1000)
    let version = try Sample.version(content)
    let name = VersionFileName(version, .full).text
    try folder.make(name, Array(VersionFile.header(version, .full) + content.prefix(500)))
    #expect(try archive.scan().problems.count == 1)
    try archive.write(version, .full(MemoryContent(content)), into: folder.path)
    #expect(try archive.scan().problems.isEmpty)
  }

  @Test func `content that is not what the version says never gets the version's name`() throws {
    let version = try Sample.version([1, 2, 3])
    #expect(throws: HistoryError.self) {
      try archive.write(version, .full(MemoryContent([1, 2, 4])), into: folder.path)
    }
    #expect(try folder.names() == [])
  }

  @Test func `a version of the same content needs no bytes of its own`() throws {
    let version = try Sample.version([1, 2, 3])
    let same = try Sample.version([1, 2, 3], parents: [version], at: 2000)
    try archive.write(same, .same, into: folder.path)
    #expect(throws: HistoryError.missing(version.content)) {
      try archive.scan().chain(version.content)
    }
    try archive.write(version, .full(MemoryContent([1, 2, 3])), into: folder.path)
    #expect(try materialized(same.content, in: archive.scan()) == [1, 2, 3])
  }

  @Test func `a missing base is named`() throws {
    let versions = try writeChain(contents(5))
    try folder.files.unlink(folder.path.appending(VersionFileName(versions[1], .pages).text))
    let listing = try archive.scan()
    #expect(listing.holds(versions[0].content) && !listing.holds(versions[1].content))
    #expect(throws: HistoryError.missing(versions[1].content)) {
      try archive.reader(versions[4].content, in: listing)
    }
    #expect(throws: HistoryError.missing(ContentHash(of: [5]))) {
      try archive.reader(ContentHash(of: [5]), in: listing)
    }
  }

  @Test func `bytes that rotted are never handed out as a restored file`() throws {
    let versions = try writeChain(contents(6))
    for version in versions {
      let kind: Payload.Kind = version == versions[0] ? .full : .pages
      let name = VersionFileName(version, kind).text
      let whole = try folder.bytes(name)
      var rotten = whole
      rotten[whole.count - 5] ^= 1
      try folder.make(name, rotten)
      #expect(throws: HistoryError.self) {
        _ = try materialized(version.content, in: archive.scan())
      }
      try folder.make(name, whole)
    }
    #expect(try folder.names().count == 6)
  }

  @Test func `payloads in a circle are refused`() throws {
    let (one, two) = (try Sample.version([1]), try Sample.version([2]))
    for (version, base, content) in [(one, two.content, [2]), (two, one.content, [1])]
      as [(Version, ContentHash, [UInt8])]
    {
      let changes = PageChanges(
        from: MemoryContent(content), base, to: MemoryContent(version == one ? [1] : [2]),
        pages: nil)
      try archive.write(version, .pages(changes), into: folder.path, durable: false)
    }
    let listing = try archive.scan()
    #expect(listing.stored.count == 2)
    #expect(throws: HistoryError.self) { try listing.chain(one.content) }
  }

  @Test func `a chain longer than the limit is refused`() throws {
    var files: [String: ArchiveFile] = [:]
    var versions: [Version] = []
    for number in 0..<258 {
      let version = try Sample.version([UInt8(number & 255), UInt8(number >> 8)])
      let payload = versions.last.map { Payload.pages(base: $0.content) } ?? .full
      let stored = StoredVersion(
        version: version, payload: payload, folder: "f", payloadOffset: 1, fileSize: 2)
      files["\(number)"] = .version(stored)
      versions.append(version)
    }
    let listing = ArchiveListing(
      folders: ["f"], files: ["f": files], problems: [], remembering: [])
    #expect(try listing.chain(versions[255].content).count == 256)
    #expect(throws: HistoryError.endlessChain(versions[257].content)) {
      try listing.chain(versions[257].content)
    }
  }

  @Test func `the pages in which two contents can differ are known without reading them`() throws {
    let contents = contents(9)
    let versions = try writeChain(contents)
    let listing = try archive.scan()
    for (one, left) in zip(versions, contents) {
      for (other, right) in zip(versions, contents) {
        let pages = try #require(
          try archive.pagesThatMayDiffer(one.content, other.content, in: listing))
        let differing = try PagesPayload.changedPages(
          from: MemoryContent(left), to: MemoryContent(right), pageSize: 512)
        #expect(Set(pages).isSuperset(of: differing))
        #expect(one != other || pages.isEmpty)
      }
    }
    let alone = try Sample.version([1, 2, 3], pageSize: 512)
    try archive.write(alone, .full(MemoryContent([1, 2, 3])), into: folder.path, durable: false)
    let unrelated = try archive.pagesThatMayDiffer(
      alone.content, versions[0].content, in: archive.scan())
    #expect(unrelated == nil)
  }

  @Test func `a file that is not a version file is left alone and reported`() throws {
    let versions = try writeChain(contents(2))
    let name = VersionFileName(versions[1], .pages).text
    let bytes = try folder.bytes(name)
    let others: [(String, ArchiveProblem.Reason?)] = [
      (name.replacing(".pages", with: " (1).pages"), .copy),
      (name.replacing(".pages", with: " (conflicted copy 2026-11-21).pages"), .copy),
      (name + ".sync-conflict", .copy), ("notes.txt", .unknownName),
      ("store (1).json", .unknownName),
      (".~openwo-0123456789abcdef.tmp", .staging), (".syncthing.x.tmp", .staging),
      (VersionFileName(versions[0], .pages).text, nil),
    ]
    for (name, _) in others { try folder.make(name, bytes) }
    let listing = try archive.scan()
    #expect(listing.stored.count == 2)
    for (name, reason) in others {
      let problem = listing.problems.first { $0.path == folder.path.appending(name) }
      #expect(problem != nil, "\(name)")
      if let reason { #expect(problem?.reason == reason, "\(name)") }
    }
  }

  @Test func `links, folders and pipes under a version's name are not opened`() throws {
    let (one, two) = (try Sample.version([1]), try Sample.version([2]))
    let pipe = folder.path.appending(VersionFileName(one, .full).text)
    try run("mkfifo '\(pipe)'")
    let link = folder.path.appending(VersionFileName(two, .full).text)
    try run("ln -s /dev/zero '\(link)'")
    try folder.files.makeDirectory(
      folder.path.appending(VersionFileName(try Sample.version([3]), .same).text))
    let listing = try archive.scan()
    #expect(listing.stored.isEmpty && listing.problems.count == 3)
  }

  @Test func `a folder that is not there holds nothing`() throws {
    let archive = Archive(
      folders: [folder.path.appending("none"), folder.path], fileSystem: folder.files)
    #expect(try archive.scan().stored.isEmpty)
  }

  @Test func `headers are not read again`() throws {
    let calls = Calls()
    let watched = Archive(folders: [folder.path], fileSystem: FileSystem(observer: calls))
    try writeChain(contents(5))
    let first = try watched.scan()
    let opened = calls.count(of: .open)
    #expect(opened >= 5)
    let second = try watched.scan(reusing: first)
    #expect(calls.count(of: .open) == opened)
    #expect(second.stored == first.stored)
    try folder.files.unlink(first.stored[4].path)
    #expect(try watched.scan(reusing: second).stored == Array(first.stored.dropLast()))
  }

  @Test
  func
    `a version whose folder cannot be made durable is not left behind, and one that was there stays`()
    throws
  {
    let refused = Archive(
      folders: [folder.path], fileSystem: FileSystem(observer: RefusedFolder(path: folder.path)))
    let version = try Sample.version([1], device: "a")
    #expect(throws: FileError.self) { try refused.write(version, .same, into: folder.path) }
    #expect(try archive.scan().stored.isEmpty)
    try archive.write(version, .same, into: folder.path, durable: false)
    try refused.write(version, .same, into: folder.path)
    #expect(try archive.scan().stored.count == 1)
  }

  @Test func `a refused file is read again only when it has changed, or may have`() throws {
    let version = try #require(try writeChain(contents(1)).first)
    let name = try #require(try folder.names().first)
    let whole = try folder.bytes(name)
    let calls = Calls()
    let clock = ManualClock(now: SystemClock().now() - 60_000)
    var watched = Archive(folders: [folder.path], fileSystem: FileSystem(observer: calls))
    watched.clock = clock
    try folder.make(name, Array(whole.dropLast(3)))
    // It has only just come: more of it may follow and leave its times as they are.
    let first = try watched.scan()
    let second = try watched.scan(reusing: first)
    #expect(calls.count(of: .open) == 2)
    clock.advance(milliseconds: 120_000)
    let third = try watched.scan(reusing: second)
    let fourth = try watched.scan(reusing: watched.scan(reusing: third))
    #expect(calls.count(of: .open) == 3)
    #expect(fourth.problems == first.problems)
    #expect(fourth.problems.count == 1)
    try folder.make(name, whole)
    let last = try watched.scan(reusing: fourth)
    #expect(calls.count(of: .open) == 4)
    #expect(last.problems.isEmpty)
    #expect(last.graph.contains(version.id))
  }

  @Test func `a database larger than the limit is not read`() throws {
    let versions = try writeChain(contents(2))
    let small = Archive(folders: [folder.path], fileSystem: folder.files, sizeLimit: 5000)
    #expect(throws: HistoryError.self) {
      try small.reader(versions[1].content, in: small.scan())
    }
  }
}

/// Counts system calls.
private final class Calls: SystemCallObserver {
  private let kinds = Mutex<[SystemCall.Kind]>([])

  func willCall(_ call: SystemCall) throws(FileError) {
    kinds.withLock { $0.append(call.kind) }
  }

  func didCall(_ call: SystemCall) {}

  func count(of kind: SystemCall.Kind) -> Int { kinds.withLock { $0.count { $0 == kind } } }
}

/// A folder that cannot be opened.
private struct RefusedFolder: SystemCallObserver {
  let path: FilePath

  func willCall(_ call: SystemCall) throws(FileError) {
    guard call.kind == .open, call.path == path else { return }
    throw FileError(call, errno: EIO)
  }

  func didCall(_ call: SystemCall) {}
}
