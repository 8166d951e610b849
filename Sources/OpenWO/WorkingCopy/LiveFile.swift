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
  /// Whether its content is the recorded one, except for our own commits; until then nothing may be
  /// written to it.
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
    signature = try Self.signature(of: connection, path, files)
  }

  /// The signature of the open file.
  ///
  /// - Throws: `StaleLook` when another file has the name, so that its signature is never taken for that of the open one.
  private static func signature(
    of connection: Connection, _ path: FilePath, _ files: FileSystem
  ) throws -> FileSignature {
    guard let status = try files.statusIfPresent(path), !connection.hasMoved else {
      throw StaleLook()
    }
    return status.signature
  }

  /// Whether the name still leads to the open file and nobody has changed it.
  func isUntouched() throws -> Bool {
    try files.statusIfPresent(path)?.signature == signature
  }

  /// Takes the file's current signature, after a commit of our own or a touch; what is known of the
  /// content stays.
  ///
  /// - Throws: `StaleLook` when another file has the name.
  func acknowledge() throws {
    signature = try Self.signature(of: connection, path, files)
  }

  /// Runs a body under a read lock on what was looked at.
  ///
  /// - Throws: `StaleLook` if somebody has changed the file since.
  func readingUntouched<Result>(_ body: () throws -> Result) throws -> Result {
    try connection.withReadLock {
      guard try isUntouched() else { throw StaleLook() }
      return try body()
    }
  }

  /// Takes the file's current signature for a content that somebody else made and that is only
  /// being looked at.
  func acknowledgeUnknown() throws {
    isKnown = false
    try acknowledge()
  }

  /// Takes the current file as the one to look at, after SQLite has rolled back an unfinished
  /// transaction.
  func takeAsFound() throws {
    try connection.withReadLock { try acknowledgeUnknown() }
  }

  /// The record says what it holds.
  func becomeKnown() {
    isKnown = true
  }

  /// Whether the file is as long as its header says, or longer.
  func isPlausible() throws -> Bool { try doubt() == nil }

  /// Why the file is not a whole database, judged by its header and its length; nil if these are
  /// right.
  func doubt() throws -> String? {
    let size = try connection.fileSize()
    let isTooShort = "it is shorter than a database has to be"
    guard size > 0 else { return isTooShort }
    let header: DatabaseHeader
    do {
      header = try connection.header()
    } catch {
      // A failed read says nothing about the file.
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
