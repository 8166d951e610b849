import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The live file while this process has it open, and how it looked when the two were last in step.
///
/// Only here is the live file opened: closing any other descriptor on it in this process would drop SQLite's locks.
final class LiveFile {
  let connection: Connection
  /// The file's signature when its content was last known; anything else means that somebody changed it.
  private(set) var signature: FileSignature
  /// Whether its content is what the record says, but for commits of our own; until then nobody may write on it.
  private(set) var isKnown = false
  /// Whether nothing can be written to it.
  let isReadOnly: Bool
  private let path: FilePath
  private let files: FileSystem

  init(connection: Connection, path: FilePath, isReadOnly: Bool, files: FileSystem) throws {
    self.connection = connection
    self.isReadOnly = isReadOnly
    self.path = path
    self.files = files
    guard let status = try files.statusIfPresent(path), !connection.hasMoved else {
      throw LiveFileChanged()
    }
    signature = status.signature
  }

  /// Whether the name still leads to the open file and nobody has changed it.
  func isUntouched() throws -> Bool {
    try files.statusIfPresent(path)?.signature == signature
  }

  /// Takes the signature as it stands, after a commit of our own or a touch; what is known of the content stays as it was.
  ///
  /// - Throws: `LiveFileChanged` when another file has the name, so that its signature is never taken for that of the open one.
  func acknowledge() throws {
    guard let status = try files.statusIfPresent(path), !connection.hasMoved else {
      throw LiveFileChanged()
    }
    signature = status.signature
  }

  /// Takes the signature as it stands for that of a content that somebody else made and that is only being looked at.
  func acknowledgeUnknown() throws {
    isKnown = false
    try acknowledge()
  }

  /// Takes it for what is to be looked at now, once SQLite has undone what a program left half done.
  func takeAsFound() throws {
    try connection.withReadLock { try acknowledgeUnknown() }
  }

  /// The record says what it holds.
  func becomeKnown() {
    isKnown = true
  }

  /// Makes sure that the commit that was just made, and nothing else, is in the file that has the name; within a read lock held since it.
  ///
  /// SQLite looks for a replaced file only when a transaction opens its journal; a file renamed over the database after that takes the
  /// commit with it into nowhere. So the handle is compared with the name after the commit and before anybody is told of it: same inode,
  /// as long as its pages say, and what was written is what is there.
  ///
  /// - Throws: `LiveFileChanged` when another file has the name; `LiveFileOverwritten` when somebody wrote over this one.
  func verifyCommit() throws {
    let isAsWritten = try isPlausible() && !connection.isWrittenByOthers()
    guard !connection.hasMoved else { throw LiveFileChanged() }
    guard isAsWritten else { throw LiveFileOverwritten() }
  }

  /// Whether the file is as long as its header says, or longer.
  func isPlausible() throws -> Bool { try doubt() == nil }

  /// Why the file is no whole database, as its beginning and its length tell; nil if they do not.
  func doubt() throws -> String? {
    let size = try connection.fileSize()
    let isTooShort = "it is shorter than a database has to be"
    guard size > 0 else { return isTooShort }
    let header: DatabaseHeader
    do {
      header = try connection.header()
    } catch {
      // What cannot be read for a moment is another matter: it says nothing of the file.
      guard error.code == .corrupt || error.code == .notADatabase else { throw error }
      return size < DatabaseHeader.size ? isTooShort : "it does not begin as a database does"
    }
    return header.contentSize(inFileOf: size) <= size ? nil : isTooShort
  }

  /// Whether the file is longer than its header says.
  func hasBytesBehind() throws -> Bool {
    let size = try connection.fileSize()
    return try connection.header().contentSize(inFileOf: size) < size
  }

  func close() {
    connection.close()
  }
}
