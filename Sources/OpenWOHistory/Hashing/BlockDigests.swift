/// The digests of a file's 64 KiB blocks, kept so that a changed page re-hashes only its block.
///
/// A value of this type always describes one whole content: ``update(size:changed:read:)`` either takes
/// over every change or, when reading fails, none.
package struct BlockDigests: Hashable, Sendable {
  /// The bytes in a block; only the last block of a file may be shorter.
  package static let blockSize = 65_536

  /// Reads the file from an offset into a buffer and says how many bytes there were.
  package typealias Read = (Int64, UnsafeMutableRawBufferPointer) throws -> Int

  private var digests: [Digest]

  /// The size of the file in bytes.
  package private(set) var size: Int64
  /// The tree hash of the file.
  package private(set) var root: ContentHash

  init(digests: [Digest], size: Int64) {
    self.digests = digests
    self.size = size
    root = ContentHash(Digest(hashing: Self.bytes(digests)))
  }

  /// Hashes a whole file of a known size, block by block, in constant memory.
  ///
  /// - Throws: ``HistoryError/damaged(_:)`` when the file is shorter than `size`, and what `read` throws.
  package init(size: Int64, read: Read) throws {
    self.init(digests: [], size: 0)
    try update(size: size, changed: [], read: read)
  }

  /// Takes back what ``bytes`` gave; nil if the number of digests does not fit the size.
  package init?(bytes: [UInt8], size: Int64) {
    guard 0...ContentFacts.byteLimit ~= size, bytes.count == Self.count(of: size) * Digest.byteCount
    else { return nil }
    let digests = bytes.withUnsafeBytes { raw in
      stride(from: 0, to: raw.count, by: Digest.byteCount).compactMap { start in
        Digest(bytes: UnsafeRawBufferPointer(rebasing: raw[start..<start + Digest.byteCount]))
      }
    }
    self.init(digests: digests, size: size)
  }

  /// The digests one after the other, 32 bytes a block.
  package var bytes: [UInt8] { Self.bytes(digests) }

  private static func bytes(_ digests: [Digest]) -> [UInt8] {
    // Filling in an array of no bytes writes into the storage that all empty arrays of all threads share.
    if digests.isEmpty { return [] }
    let count = digests.count * Digest.byteCount
    return [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
      let raw = UnsafeMutableRawBufferPointer(buffer)
      for (place, digest) in digests.enumerated() {
        digest.store(in: raw, at: place * Digest.byteCount)
      }
      filled = count
    }
  }

  /// The blocks in which another content differs, those that only one of the two has among them.
  package func blocks(differingFrom other: BlockDigests) -> [Int] {
    let common = min(digests.count, other.digests.count)
    let differing = (0..<common).filter { digests[$0] != other.digests[$0] }
    return differing + (common..<max(digests.count, other.digests.count))
  }

  /// The digests of an empty file.
  package static let none = BlockDigests(digests: [], size: 0)

  /// The number of blocks.
  package var count: Int { digests.count }

  /// The digest of a block, as 32 bytes.
  package func bytes(ofBlock block: Int) -> [UInt8] { digests[block].bytes }

  /// Whether a block's bytes are those of its digest.
  func holds(_ bytes: UnsafeRawBufferPointer, inBlock block: Int) -> Bool {
    digests[block] == Digest(hashing: bytes)
  }

  /// The digests after those of some blocks were exchanged; nil if they do not make a file of this
  /// size.
  package func replacing(_ blocks: [(Int, [UInt8])], size: Int64) -> BlockDigests? {
    let count = Self.count(of: size)
    var updated = Array(digests.prefix(count))
    for (block, bytes) in blocks.sorted(by: { $0.0 < $1.0 }) {
      guard let digest = bytes.withUnsafeBytes({ Digest(bytes: $0) }) else { return nil }
      switch block {
      case updated.count: updated.append(digest)
      case updated.indices: updated[block] = digest
      default: return nil
      }
    }
    return size >= 0 && updated.count == count ? BlockDigests(digests: updated, size: size) : nil
  }

  /// Follows a change of the file, reading only the blocks that changed.
  ///
  /// Blocks that came to exist, and the block in which the file ended or ends, are read without being named.
  ///
  /// - Parameters:
  ///   - size: The size of the file now.
  ///   - changed: The numbers of the blocks that changed, from 0, in any order; those past the end are ignored.
  ///   - read: Reads the file as it is now.
  /// - Throws: ``HistoryError/damaged(_:)`` when the file is shorter than `size`, and what `read` throws.
  package mutating func update(size: Int64, changed: some Sequence<Int>, read: Read) throws {
    let count = Self.count(of: size)
    var stale = Set(changed.lazy.filter { 0 <= $0 && $0 < count })
    stale.formUnion(min(digests.count, count)..<count)
    if size != self.size {
      for end in [self.size, size] where end > 0 {
        let last = Int((end - 1) / Int64(Self.blockSize))
        if last < count { stale.insert(last) }
      }
    }
    var updated = Array(digests.prefix(count))
    let buffer = PageBuffer(byteCount: Self.blockSize)
    for block in stale.sorted() {
      let offset = Int64(block) * Int64(Self.blockSize)
      let wanted = buffer.bytes(Int(min(Int64(Self.blockSize), size - offset)))
      guard try read(offset, wanted) == wanted.count else {
        throw HistoryError.damaged("the file is shorter than its \(size) bytes")
      }
      let digest = Digest(hashing: UnsafeRawBufferPointer(wanted))
      if block < updated.count { updated[block] = digest } else { updated.append(digest) }
    }
    self = BlockDigests(digests: updated, size: size)
  }

  /// The blocks that hold the given pages, in ascending order.
  ///
  /// - Parameters:
  ///   - pages: Page numbers as SQLite counts them, from 1.
  ///   - pageSize: The bytes in a page.
  /// - Returns: Block numbers, from 0.
  package static func blocks(holding pages: some Sequence<UInt32>, pageSize: Int) -> [Int] {
    var blocks: Set<Int> = []
    for page in pages where page > 0 {
      blocks.insert(Int((Int64(page) - 1) * Int64(pageSize) / Int64(blockSize)))
    }
    return blocks.sorted()
  }

  private static func count(of size: Int64) -> Int {
    Int((max(size, 0) + Int64(blockSize) - 1) / Int64(blockSize))
  }
}
