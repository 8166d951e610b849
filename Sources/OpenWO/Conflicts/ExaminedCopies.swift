import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Acts on the files beside the database that were examined: a conflict copy is captured first and removed after.
struct ExaminedCopies: StorePart {
  let store: Store

  private func entry(_ file: FileName) -> CopyLedger.Entry? { store.upkeep.copies.entries[file] }

  /// Writes a copy's content as a version, stamped with the time that the file carries.
  ///
  /// One that is set aside goes live only if somebody merges or restores it.
  func capture(_ file: FileName, isAside: Bool = false) throws {
    let path = paths.folder.appending(file.component)
    guard let entry = entry(file), let facts = entry.facts else { return }
    try session.awaitReaders(of: path)
    let (source, status) = try openExamined(file)
    let content = try FoldedContent(source, size: status.size, files)
    let modified = Timestamp(nanoseconds: status.mtime)
    let parents = try originOfCopy(path)
    // Another file may have taken the name before it was looked at for that, or come beside it.
    try requireExamined(file, isFinished: true)
    let new = NewVersion(
      facts, .external, parents: parents, note: Version.copyNote + "\(file)", notAfter: modified,
      members: isAside ? [Version.aside, Version.delivered] : [Version.delivered])
    do {
      try newVersions.capture(new) {
        try newVersions.payload($0, content)
      } check: {
        try requireExamined(file)
      }
    } catch let error as HistoryError {
      // It differs from the file that was examined.
      try requireExamined(file)
      throw error
    }
  }

  /// The versions that a copy follows from, by its rows; none if the rows do not tell.
  ///
  /// Its pages may match a later version by chance, and that version's rows would count as removed.
  /// A copy without a parent wins or loses as a whole.
  private func originOfCopy(_ path: FilePath) throws -> [VersionID] {
    do {
      return try EvidenceGatherer(store: store).origins(ofFile: .conflictCopy, path).parents
    } catch is StoreError {
      return []
    } catch let error as SQLiteError where !error.isPassing {
      // Rows that cannot be compared do not show a parent.
      return []
    }
  }

  /// Opens a file beside the live one, if it is still the one that was examined.
  private func openExamined(_ file: FileName) throws -> (Descriptor, FileStatus) {
    let (source, status) = try files.openRegular(paths.folder.appending(file.component))
    guard status.signature == entry(file)?.signature else { throw StaleLook() }
    return (source, status)
  }

  /// Makes sure that a name still leads to the file that was examined, and that no part of it is on
  /// its way.
  private func requireExamined(_ file: FileName, isFinished: Bool = false) throws {
    let path = paths.folder.appending(file.component)
    guard let entry = entry(file),
      try files.statusIfPresent(path)?.signature == entry.signature,
      try !isFinished || Unfinished.reason(path, files) == nil
    else { throw StaleLook() }
  }

  /// Removes a copy whose content is a version, if it is still the file that was examined.
  func remove(_ file: FileName) throws {
    let path = paths.folder.appending(file.component)
    guard let entry = entry(file), let content = entry.content,
      try versions.isRestorable(content)
    else { return }
    try requireExamined(file, isFinished: true)
    try files.unlink(path)
    store.upkeep.copies.entries[file] = nil
  }

  /// Quarantines a staging file that is not whole and takes it out of the folder.
  func setAside(_ file: FileName) throws {
    let path = paths.folder.appending(file.component)
    try requireExamined(file)
    try KeepingAside(store: store).keep(path, because: entry(file)?.problem ?? "it is damaged")
    try files.unlink(path)
    store.upkeep.copies.entries[file] = nil
  }

  /// Writes a known version in full from a copy, or from the live file, if the base of its own file
  /// is not here.
  func storeInFull(_ id: VersionID, from file: FileName?) throws {
    guard let version = try versions.listed().graph[id] else { throw StaleLook() }
    try companion.inside(paths.versions, mode: 0o755) { within in
      try storeInFull(version, from: file, versions.archive.through(within))
    }
    try versions.list()
  }

  private func storeInFull(_ version: Version, from file: FileName?, _ archive: Archive) throws {
    if let file {
      let path = paths.folder.appending(file.component)
      try session.awaitReaders(of: path)
      let (source, status) = try openExamined(file)
      let content = try FoldedContent(source, size: status.size, files)
      try archive.write(version, .full(content), into: paths.versions, replacing: true)
    } else {
      try store.asWriter {
        let connection = try workingCopy.open().connection
        try connection.withReadLock {
          let content = try LiveContent(connection)
          guard try content.digests().root == version.content else { throw StaleLook() }
          try archive.write(version, .full(content), into: paths.versions, replacing: true)
        }
      }
    }
  }
}
