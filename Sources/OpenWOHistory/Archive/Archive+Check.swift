import OpenWOFiles

extension Archive {
  /// Reads a content once, to see whether it is what its hash says.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - listing: What a scan saw.
  /// - Throws: As ``reader(_:in:)``, and ``HistoryError/damaged(_:)`` when the bytes are not those of the content.
  package func check(_ content: ContentHash, in listing: ArchiveListing) throws {
    let reader = try reader(content, in: listing)
    guard try BlockDigests(size: reader.size, read: reader.read).root == content else {
      throw HistoryError.wrongContent
    }
  }

  /// Finds out why a content cannot be read.
  ///
  /// A file with a right header can hold other bytes than its hash says: a service is still bringing them, or has changed them. Until it changes
  /// nothing is read from it. One that was exchanged for another since the scan is forgotten, so that the next scan reads that.
  ///
  /// - Parameters:
  ///   - content: The content.
  ///   - listing: What a scan saw.
  /// - Returns: The listing without the file that is to blame; nil if there is none.
  /// - Throws: `FileError`.
  package func leavingOutDamage(
    in content: ContentHash, _ listing: ArchiveListing
  ) throws -> ArchiveListing? {
    for stored in try listing.chain(content).reversed() {
      guard let status = try fileSystem.statusIfPresent(stored.path) else {
        return listing.forgetting(stored)
      }
      do {
        try check(stored.version.content, in: listing)
      } catch is HistoryError {
        let found = VersionFileName(stored.fileName).flatMap { try? read($0, in: stored.folder) }
        guard found == stored else { return listing.forgetting(stored) }
        return listing.leavingOut(stored, status.signature)
      }
    }
    return nil
  }
}

extension ArchiveListing {
  /// The listing as it was before a file was read.
  fileprivate func forgetting(_ file: StoredVersion) -> ArchiveListing {
    var files = files
    files[file.folder]?[file.fileName] = nil
    return ArchiveListing(
      folders: folders, files: files, problems: problems, damaged: damaged,
      refused: refused, remembering: pruned)
  }

  /// The listing in which nothing is read from a file as long as it looks the same.
  fileprivate func leavingOut(_ file: StoredVersion, _ signature: FileSignature) -> ArchiveListing {
    let problem = ArchiveProblem(path: file.path, reason: .invalid(.wrongContent))
    return ArchiveListing(
      folders: folders, files: files, problems: problems + [problem],
      damaged: damaged.merging([file.path: signature]) { _, new in new }, refused: refused,
      remembering: pruned)
  }
}

extension HistoryError {
  /// The bytes are not those of the content that the header names.
  static let wrongContent = damaged("its content is not what its hash says")
}
