import OpenWOFiles
package import SystemPackage

extension Archive {
  /// Writes a version completely or not at all; a version that is already there is fine.
  ///
  /// A full payload is hashed while it is written, so a file with another content never gets the
  /// version's name.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - payload: What to store.
  ///   - folder: Where to write.
  ///   - durable: Whether to return only after the file would survive a power failure.
  ///   - replacing: Whether to replace a file of that name, as its payload may be damaged though
  ///     its header is right.
  /// - Returns: The file.
  /// - Throws: `FileError`, ``HistoryError/damaged(_:)`` if the content is not that of the version,
  ///   and what reading the content throws.
  @discardableResult
  package func write(
    _ version: Version, _ payload: NewPayload, into folder: FilePath, durable: Bool = true,
    replacing: Bool = false
  ) throws -> StoredVersion {
    let name = VersionFileName(version, payload.stored.kind)
    let path = folder.appending(name.text)
    var isNew = false
    do {
      let stored = try read(name, in: folder)
      if !replacing { return stored }
    } catch let error as FileError {
      isNew = error.isMissing
    } catch {}
    let header = VersionFile.header(version, payload.stored)
    var size: Int64 = 0
    do {
      try AtomicFile.write(to: path, durable: durable, fileSystem: fileSystem) { writer in
        try writer.append(header)
        try append(payload, of: version, to: &writer)
        size = writer.count
      }
    } catch {
      // It has its name already when only the folder could not be made durable.
      if isNew { try? fileSystem.unlink(path) }
      throw error
    }
    return StoredVersion(
      version: version, payload: payload.stored, folder: folder,
      payloadOffset: Int64(header.count), fileSize: size)
  }

  private func append(
    _ payload: NewPayload, of version: Version, to writer: inout AtomicFile.Writer
  ) throws {
    switch payload {
    case .same: return
    case .full(let content):
      try writer.reserve(bytes: writer.count + content.size)
      var hasher = TreeHasher()
      try content.forEachPiece { piece in
        hasher.update(piece)
        try writer.append(piece)
      }
      guard hasher.finish().root == version.content else {
        throw HistoryError.damaged("the content changed while it was written")
      }
    case .pages(let changes):
      let pageSize = version.pageSize
      try PagesEncoder.encode(
        changed: try changes.listed(pageSize: pageSize), from: changes.old, to: changes.new,
        pageSize: pageSize
      ) { try writer.append($0) }
    }
  }
}
