import OpenWOFiles
import OpenWOTestSupport
import Synchronization
import SystemPackage
import Testing

@testable import OpenWOHistory

@Suite("header cache")
struct HeaderCacheTests {
  private let folder: ScratchFolder
  private let opened = Opened()
  private var archive: Archive

  init() throws {
    folder = try ScratchFolder()
    archive = Archive(folders: [folder.path], fileSystem: FileSystem(observer: opened))
    archive.clock = ManualClock(now: SystemClock().now() + 60_000)
    for number in 0..<80 { try write(number) }
  }

  @discardableResult
  private func write(_ number: Int) throws -> StoredVersion {
    let content = MemoryContent(HashTests.sample(512 + number))
    let version = try Sample.version(
      HashTests.sample(512 + number), device: "d\(number % 3)", at: Int64(number),
      note: number % 5 == 0 ? "for\nlater" : nil)
    return try archive.write(version, .full(content), into: folder.path, durable: false)
  }

  /// A version with a member that nobody knows.
  private func writeUnknown() throws -> Version {
    let same = try Sample.version(HashTests.sample(512), device: "b", at: 99)
    let line = VersionFile.header(same, .full).dropLast(2) + Array(",\"zeta\":[1,{}]}".utf8)
    let version = try VersionFile.decode(
      line: VersionFileTests.withFittingID(String(decoding: line, as: UTF8.self))
    ).0
    try archive.write(version, .same, into: folder.path, durable: false)
    return version
  }

  private func scan(_ cache: inout HeaderCache) throws -> ArchiveListing {
    opened.forget()
    return try archive.scan(reusing: .empty, &cache)
  }

  private func filled() throws -> (listing: ArchiveListing, cache: HeaderCache) {
    var cache = HeaderCache()
    let listing = try scan(&cache)
    return (listing, cache)
  }

  @Test func `headers outlive their process`() throws {
    let unknown = try writeUnknown()
    let gone = try Version(
      facts: unknown.facts, parents: [], device: "gone", deviceName: "Gone", at: unknown.at,
      reason: .write)
    for (name, bytes) in PrunedList.files(VersionGraph([gone]), listed: [], forgetting: [gone]) {
      try folder.make(name, bytes)
    }
    let (first, cache) = try filled()
    #expect(opened.count >= 81)
    #expect(cache.isWorthWriting)
    var next = try #require(HeaderCache(bytes: cache.bytes(of: "store"), of: "store"))
    let second = try scan(&next)
    #expect(opened.count == 0)
    #expect(!next.isWorthWriting)
    #expect(second.stored == first.stored && second.pruned == first.pruned)
    for (one, other) in zip(second.stored, first.stored) {
      #expect(one.version.canonicalForm == other.version.canonicalForm)
      #expect(one.path == other.path)
    }
    #expect(second.stored.contains { $0.version == unknown })
  }

  @Test func `bytes with any fault, of another kind or of another store are no cache`() throws {
    var (_, cache) = try filled()
    cache.entries = Dictionary(uniqueKeysWithValues: cache.entries.prefix(1).map { ($0, $1) })
    let bytes = cache.bytes(of: "store")
    #expect(HeaderCache(bytes: bytes, of: "store") != nil)
    #expect(HeaderCache(bytes: bytes, of: "other") == nil)
    for place in bytes.indices {
      var garbled = bytes
      garbled[place] ^= 1
      #expect(HeaderCache(bytes: garbled, of: "store") == nil)
      #expect(HeaderCache(bytes: Array(bytes[..<place]), of: "store") == nil)
      // Even under the right hash nothing traps.
      for body in [Array(garbled.dropLast(Digest.byteCount)), Array(bytes[..<place])] {
        _ = HeaderCache(bytes: body + Digest(hashing: body).bytes, of: "store")
      }
    }
    var newer = bytes.dropLast(Digest.byteCount)
    newer.replaceSubrange(0..<17, with: Array("openwo headers 2\n".utf8))
    let hashed = Array(newer) + Digest(hashing: Array(newer)).bytes
    #expect(HeaderCache(bytes: hashed, of: "store") == nil)
    #expect(HeaderCache(bytes: bytes + [0], of: "store") == nil)
  }

  @Test func `only a file that looks different is opened`() throws {
    let (first, cache) = try filled()
    let chosen = first.stored[7]
    let whole = try folder.bytes(chosen.fileName)
    // Replaced by the same bytes, shortened, garbled in its header, written over in place.
    var garbled = whole
    garbled[20] ^= 1
    for bytes in [whole, Array(whole.dropLast(3)), garbled] {
      try folder.make(chosen.fileName, bytes)
      var used = cache
      let second = try scan(&used)
      #expect(opened.names == [chosen.fileName])
      #expect(second.stored.contains(chosen) == (bytes == whole))
      #expect(second.problems.count == (bytes == whole ? 0 : 1))
    }
    try folder.make(chosen.fileName, whole)
    let file = try folder.files.open(chosen.path, .readWrite)
    try garbled.withUnsafeBytes { try folder.files.pwrite(file, at: 0, $0) }
    var used = cache
    #expect(try scan(&used).problems.count == 1)
    #expect(opened.names == [chosen.fileName])
  }

  @Test func `a new file is opened, and one that is gone is gone`() throws {
    let (first, cache) = try filled()
    try folder.files.unlink(first.stored[3].path)
    let new = try write(100)
    var used = cache
    let second = try scan(&used)
    #expect(opened.names == [new.fileName])
    #expect(second.stored == first.stored.filter { $0 != first.stored[3] } + [new])
    used.keepOnly(second)
    #expect(used.entries.count == 80)
    #expect(used.entries[new.fileName] != nil)
  }

  @Test func `what changed a moment ago is read again, and so is what has lost its blocks`() throws
  {
    var soon = self
    soon.archive.clock = ManualClock(now: SystemClock().now() - 3_600_000)
    let (_, cache) = try soon.filled()
    #expect(cache.entries.isEmpty && !cache.isWorthWriting)
    let (_, whole) = try filled()
    let (name, entry) = try #require(whole.entries.first)
    let status = try folder.files.lstat(folder.path.appending(name))
    #expect(whole.file(name, status, in: folder.path) != nil)
    var hollow = status
    hollow.blocks = 0
    #expect(whole.file(name, hollow, in: folder.path) == nil)
    var touched = status
    touched.ctime += 1
    #expect(whole.file(name, touched, in: folder.path) == nil)
    #expect(whole.file(name + "x", status, in: folder.path) == nil)
    #expect(entry.look == HeaderCache.Look(status))
  }
}

/// Notes which files are opened.
private final class Opened: SystemCallObserver {
  private let paths = Mutex<[FilePath]>([])

  var names: [String] {
    paths.withLock { $0.compactMap { $0.lastComponent?.string }.filter { $0.contains(".") } }
  }
  var count: Int { names.count }

  func forget() { paths.withLock { $0 = [] } }

  func willCall(_ call: SystemCall) throws(FileError) {
    guard call.kind == .open, let path = call.path else { return }
    paths.withLock { $0.append(path) }
  }

  func didCall(_ call: SystemCall) {}
}
