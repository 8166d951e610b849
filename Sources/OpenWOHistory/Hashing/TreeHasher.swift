/// Computes the block digests of content that streams by, in pieces of any size.
package struct TreeHasher: Sendable {
  private var block = SHA256Hasher()
  private var filled = 0
  private var size: Int64 = 0
  private var digests: [Digest] = []

  /// Starts with nothing read.
  package init() {}

  /// Takes the next bytes.
  package mutating func update(_ bytes: UnsafeRawBufferPointer) {
    var rest = bytes[...]
    while !rest.isEmpty {
      let piece = rest.prefix(BlockDigests.blockSize - filled)
      block.update(UnsafeRawBufferPointer(rebasing: piece))
      filled += piece.count
      rest = rest.dropFirst(piece.count)
      if filled == BlockDigests.blockSize { closeBlock() }
    }
    size += Int64(bytes.count)
  }

  /// The digests of all that was taken.
  package consuming func finish() -> BlockDigests {
    if filled > 0 { closeBlock() }
    return BlockDigests(digests: digests, size: size)
  }

  private mutating func closeBlock() {
    digests.append(block.finish())
    block = SHA256Hasher()
    filled = 0
  }
}
