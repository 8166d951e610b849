/// Content that returns no byte before its block was checked against its digest.
///
/// So reading a few pages of a stored content is as safe as if all of it had been written out and
/// hashed.
package final class CheckedContent: ContentSource {
  /// The number of bytes.
  package var size: Int64 { source.size }

  private let source: any ContentSource
  private let digests: BlockDigests
  private let block = PageBuffer(byteCount: BlockDigests.blockSize)
  private var isChecked: [Bool]
  /// A content that shares its stored bytes with this one, and the blocks in which they differ.
  private let twin: (content: CheckedContent, differing: Set<Int>)?

  /// Takes a content and the digests of its blocks, which are known to be right.
  ///
  /// `checked` are the blocks that the digests were just made from. What `twin` has checked is not checked again, but for the blocks in which
  /// the two differ.
  package init(
    _ source: any ContentSource, digests: BlockDigests, checked: [Int] = [],
    twin: (content: CheckedContent, differing: Set<Int>)? = nil
  ) {
    self.source = source
    self.digests = digests
    self.twin = twin
    isChecked = Array(repeating: false, count: digests.count)
    for block in checked where isChecked.indices.contains(block) { isChecked[block] = true }
  }

  /// Reads from an offset until the buffer is full or the content ends.
  ///
  /// - Throws: ``HistoryError/damaged(_:)`` if the bytes are not those of the digest, and what
  ///   reading throws.
  package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    guard 0..<size ~= offset else { return 0 }
    let end = min(size, offset + Int64(buffer.count))
    let blocks = Int(offset / blockSize)...Int((end - 1) / blockSize)
    for number in blocks { try check(number) }
    return try source.read(at: offset, into: buffer)
  }

  private var blockSize: Int64 { Int64(BlockDigests.blockSize) }

  private func check(_ number: Int) throws {
    guard number < isChecked.count, size == digests.size else {
      throw HistoryError.damaged("the content has not the size of its digests")
    }
    if isChecked[number] { return }
    if let twin, !twin.differing.contains(number), number < twin.content.isChecked.count,
      twin.content.isChecked[number]
    {
      isChecked[number] = true
      return
    }
    let offset = Int64(number) * blockSize
    let bytes = block.bytes(Int(min(blockSize, size - offset)))
    try source.fill(bytes, at: offset)
    guard digests.holds(UnsafeRawBufferPointer(bytes), inBlock: number) else {
      throw HistoryError.damaged("block \(number) of a stored content is not what its hash says")
    }
    isChecked[number] = true
  }
}
