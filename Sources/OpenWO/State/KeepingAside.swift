import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Keeping what cannot become a version.
struct KeepingAside: StorePart {
  let store: Store

  /// Keeps a file before it is replaced or removed, and tells of it; nil if nothing of it is lost.
  ///
  /// To be called while this process has the live file closed.
  @discardableResult
  func keep(_ path: FilePath, because why: String) throws -> QuarantinedFile? {
    try session.awaitReaders(of: path)
    let status = try files.lstat(path)
    guard status.kind == .regular, status.size > 0 else { return nil }
    // A file that a program wrote here is kept even if it repeats known pages.
    if try !workingCopy.isWritten(status.signature) && isMadeOfKnownPages(path, status) {
      return nil
    }
    let known = workingCopy.baseline?.digests.size ?? 0
    let file = try quarantine.keep(path, because: why, databaseBytes: max(known, status.size))
    store.call.keptAside.append(file)
    let told = StoreError.quarantined(file, paths)
    events.send(.problem(told))
    configuration.whenKeptAside?(told)
    return file
  }

  /// Whether all whole pages of a file are in known versions, at their places, or are empty.
  private func isMadeOfKnownPages(_ path: FilePath, _ status: FileStatus) throws -> Bool {
    guard !status.isHollow else { return false }
    let content = try FileContent(path, fileSystem: files)
    guard let header = try DatabaseHeader.parse(content.prefix(DatabaseHeader.size)) else {
      return false
    }
    let pages = content.whole(pages: header.pageSize)
    guard pages.size > 0 else { return false }
    // Unreadable versions do not count as known.
    let longAgo = Timestamp(milliseconds: 0)
    return try VersionDetector(store: store).isMix(
      pages, pageSize: header.pageSize, versions.listed(), changedAt: longAgo)
  }
}

extension FileContent {
  /// The same content up to its last whole page.
  fileprivate func whole(pages pageSize: Int) -> FileContent {
    prefixed(size - size % Int64(pageSize))
  }
}
