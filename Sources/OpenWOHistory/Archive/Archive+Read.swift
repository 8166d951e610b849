package import OpenWOFiles
package import SystemPackage

extension Archive {
  /// Opens a content for reading at any place, without writing it out.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - listing: What a scan saw.
  /// - Returns: A reader that holds its files open.
  /// - Throws: ``HistoryError/missing(_:)`` naming what is missing, ``HistoryError`` for files that are not whole, and
  ///   `FileError`.
  package func reader(_ content: ContentHash, in listing: ArchiveListing) throws -> ContentReader {
    var chain = try listing.chain(content)
    let lowest = chain.removeLast()
    guard let largest = ([lowest] + chain).map(\.version.bytes).max(), largest <= sizeLimit else {
      throw HistoryError.malformed("the database is larger than \(sizeLimit) bytes")
    }
    let layers = try chain.reversed().map { try layer(of: $0) }
    return try ContentReader(content, bottom: payload(of: lowest), layers: layers)
  }

  /// Writes a content to a file, all of it or nothing, and holds it against its hash on the way.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - path: The file.
  ///   - listing: What a scan saw.
  ///   - permissions: The permissions of the file.
  ///   - mode: Whether a file that has the name is replaced.
  ///   - durable: Whether to return only when the file would survive a power failure.
  /// - Returns: The digests of its blocks.
  /// - Throws: As ``reader(_:in:)``, and ``HistoryError/damaged(_:)`` when the bytes are not those of the content.
  @discardableResult
  package func materialize(
    _ content: ContentHash, to path: FilePath, in listing: ArchiveListing,
    permissions: UInt16 = 0o600, mode: AtomicFile.Mode = .replace, durable: Bool = true
  ) throws -> BlockDigests {
    let reader = try reader(content, in: listing)
    var digests = BlockDigests(digests: [], size: 0)
    try AtomicFile.write(
      to: path, mode: mode, permissions: permissions, durable: durable, fileSystem: fileSystem
    ) { writer in
      try writer.reserve(bytes: reader.size)
      var hasher = TreeHasher()
      try reader.forEachPiece { piece in
        hasher.update(piece)
        try writer.append(piece)
      }
      digests = hasher.finish()
      guard digests.root == content else {
        throw HistoryError.damaged("the stored content \(content) is not what its hash says")
      }
    }
    return digests
  }

  func layer(of stored: StoredVersion) throws -> PagesLayer {
    try PagesLayer(payload(of: stored), newSize: stored.version.bytes)
  }

  /// The payload of a file; a small one is read at once, so that long chains do not hold many files open.
  private func payload(of stored: StoredVersion) throws -> any ContentSource {
    let (descriptor, status) = try fileSystem.openRegular(stored.path)
    guard status.size == stored.fileSize else {
      throw HistoryError.damaged("\(stored.fileName) has not the size that it had")
    }
    let file = FileContent(descriptor, from: 0, size: status.size, fileSystem: fileSystem)
    let payload = file.dropFirst(stored.payloadOffset)
    guard payload.size <= 16_384 else { return payload }
    var bytes = [UInt8](repeating: 0, count: Int(payload.size))
    if !bytes.isEmpty { try bytes.withUnsafeMutableBytes { try payload.fill($0, at: 0) } }
    return MemoryContent(bytes)
  }
}
