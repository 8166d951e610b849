/// Something that holds the bytes of a database file and gives them out at any place.
package protocol ContentSource {
  /// The number of bytes.
  var size: Int64 { get }

  /// Reads from an offset until the buffer is full or the content ends, and says how many bytes there were.
  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ContentSource {
  /// Fills the buffer, or fails when the content ends before.
  ///
  /// - Throws: ``HistoryError/damaged(_:)`` for content shorter than it said.
  func fill(_ buffer: UnsafeMutableRawBufferPointer, at offset: Int64) throws {
    guard try read(at: offset, into: buffer) == buffer.count else {
      throw HistoryError.damaged("the content is shorter than its \(size) bytes")
    }
  }

  /// Hands out all bytes in order, in pieces from page-aligned memory.
  package func forEachPiece(_ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let buffer = PageBuffer(byteCount: 256 * 1024)
    var offset: Int64 = 0
    while offset < size {
      let piece = buffer.bytes(Int(min(Int64(buffer.count), size - offset)))
      try fill(piece, at: offset)
      try body(UnsafeRawBufferPointer(piece))
      offset += Int64(piece.count)
    }
  }
}

/// Content in memory.
package struct MemoryContent: ContentSource {
  private let bytes: [UInt8]

  /// Takes the bytes.
  package init(_ bytes: [UInt8]) {
    self.bytes = bytes
  }

  /// The number of bytes.
  package var size: Int64 { Int64(bytes.count) }

  /// Copies bytes from the array.
  package func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) -> Int {
    guard 0..<size ~= offset else { return 0 }
    let piece = bytes[Int(offset)...].prefix(buffer.count)
    buffer.copyBytes(from: piece)
    return piece.count
  }
}
