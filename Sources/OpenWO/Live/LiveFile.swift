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
  private let path: FilePath
  private let files: FileSystem

  init(connection: Connection, path: FilePath, files: FileSystem) throws {
    self.connection = connection
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

  /// What became of a commit.
  enum Fate {
    /// It is in the file that has the name, and nothing else is new.
    case held
    /// It is there, and somebody has committed after it.
    case overtaken
    /// Another file has the name, or somebody wrote over this one.
    case lost
  }

  /// Looks where the commit that was just made has gone.
  ///
  /// SQLite looks for a replaced file only when a transaction opens its journal; a file renamed over the database after that takes the
  /// commit with it into nowhere. So the handle is compared with the name after the commit and before anybody is told of it: same inode,
  /// as long as its pages say, and one commit further than before.
  func fate(ofCommitAfter counter: UInt32) throws -> Fate {
    guard !connection.hasMoved, try isPlausible() else { return .lost }
    let now = try connection.header().changeCounter
    if now == counter &+ 1 { return .held }
    return Self.isAhead(now, of: counter &+ 1) ? .overtaken : .lost
  }

  /// Whether a change counter tells of commits after another one; one that is behind, or far away, is that of another file.
  static func isAhead(_ counter: UInt32, of other: UInt32) -> Bool {
    (1..<1000).contains(counter &- other)
  }

  /// Whether the file is as long as its header says.
  func isPlausible() throws -> Bool {
    let size = try connection.fileSize()
    guard size > 0 else { return false }
    let header: DatabaseHeader
    do {
      header = try connection.header()
    } catch {
      // What cannot be read for a moment is another matter: it says nothing of the file.
      guard error.code == .corrupt || error.code == .notADatabase else { throw error }
      return false
    }
    let pageSize = Int64(header.pageSize)
    // Before SQLite 3.7 the header did not tell how many pages there are.
    let tells = header.pageCount > 0 && header.versionValidFor == header.changeCounter
    return tells ? size == Int64(header.pageCount) * pageSize : size % pageSize == 0
  }

  func close() {
    connection.close()
  }
}
