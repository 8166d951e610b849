import OpenWOFiles
package import SystemPackage

extension Archive {
  /// Writes a version, all of it or nothing; when it is there already, that is fine.
  ///
  /// A full payload is hashed as it goes by, so a file that does not hold what the version says never gets its name.
  ///
  /// - Parameters:
  ///   - version: The version.
  ///   - payload: What to store.
  ///   - folder: Where to write.
  ///   - durable: Whether to return only when the file would survive a power failure.
  ///   - replacing: Whether a file of that name is written anew, as its right header says nothing of its payload.
  /// - Returns: The file.
  /// - Throws: `FileError`, ``HistoryError/damaged(_:)`` when the content is not that of the version, and what reading
  ///   the content throws.
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
