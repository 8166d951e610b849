import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// Comparing files with the baseline.
extension WorkingCopy {
  /// Whether a file looks like the recorded one; nil: there is no file, as none is recorded.
  func isAsRecorded(_ signature: FileSignature?) -> Bool { signature == baseline?.signature }

  /// How the file that has the name looks; nil if there is none.
  func signature() throws(FileError) -> FileSignature? {
    try files.statusIfPresent(paths.database)?.signature
  }

  /// Whether the file that has the name looks like the recorded one.
  func isUntouched() throws(FileError) -> Bool {
    try signature().map { isAsRecorded($0) } ?? false
  }

  /// Whether this file is the recorded one, whatever was written into it since.
  func isSameFile(_ signature: FileSignature) -> Bool {
    signature.isSameFile(as: baseline?.signature)
  }

  /// Whether a local program modified the recorded file in place, as opposed to a service that
  /// replaced it.
  ///
  /// A checkpoint of the log sets the file's time, as a service does; then compare with the file as
  /// it was before.
  func isWritten(_ signature: FileSignature) -> Bool {
    let found = signature == folded?.after ? folded?.before : signature
    return found?.isWritten(since: baseline?.signature) ?? false
  }

  /// The digests of the content of an open file, of which only the changed pages are read if the
  /// baseline has the others.
  func digests(
    of connection: Connection, _ header: DatabaseHeader, _ changed: ChangedPages
  ) throws -> BlockDigests {
    let content = try LiveContent(connection)
    guard case .pages(let pages) = changed, var digests = baseline?.digests else {
      return try content.digests()
    }
    let blocks = BlockDigests.blocks(holding: pages, pageSize: header.pageSize)
    try digests.update(size: content.size, changed: blocks, read: content.read)
    return digests
  }
}
