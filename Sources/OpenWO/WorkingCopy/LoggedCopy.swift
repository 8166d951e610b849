import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// A private copy of a database in WAL mode, with the rows of its log brought into it; gone with the last reference.
///
/// Copied at one moment, the two files are what a power failure would leave, and SQLite makes the last committed state of that:
/// <https://sqlite.org/walformat.html>. The files themselves are only read.
final class LoggedCopy {
  /// How the database and its log looked.
  struct State: Hashable {
    var database: FileSignature
    var log: FileSignature?

    /// Looks at both; nil if the database is missing.
    init?(of paths: StorePaths, _ files: FileSystem) throws(FileError) {
      guard let status = try files.statusIfPresent(paths.database) else { return nil }
      database = status.signature
      log = try files.statusIfPresent(paths.writeAheadLog)?.signature
    }

    /// When either changed last here, in nanoseconds.
    var changedAt: Int64 { max(database.ctime, log?.ctime ?? .min) }
    /// When the two would have been written as one file, in nanoseconds.
    var modifiedAt: Int64 {
      let hasRows = (log?.size ?? 0) > 0
      let folded = WorkingCopy.foldedTime(database.mtime, hasRows: hasRows)
      return hasRows ? max(folded, log?.mtime ?? .min) : folded
    }
  }

  let state: State
  let digests: BlockDigests
  private let path: FilePath
  private let files: FileSystem

  var content: ContentHash { digests.root }

  /// Copies the database and its log; nil if somebody wrote into one of them meanwhile.
  ///
  /// This process must have the database closed.
  init?(of paths: StorePaths, in scratch: FilePath, _ files: FileSystem, _ clock: any StoreClock)
    throws
  {
    guard let before = try State(of: paths, files) else { return nil }
    // A file that changed a moment ago may change again without its times showing it.
    let age = clock.now().minus(before.changedAt / 1_000_000)
    if (0..<50).contains(age) { clock.sleep(nanoseconds: (50 - age) * 1_000_000) }
    self.files = files
    path = scratch.appending("logged-\(randomHex(bytes: 8)).sqlite")
    state = before
    do {
      digests = try Self.fold(paths, before, to: path, files)
    } catch {
      Self.remove(path, files)
      throw error
    }
    guard try State(of: paths, files) == before else {
      Self.remove(path, files)
      return nil
    }
  }

  deinit { Self.remove(path, files) }

  /// Opens the copy for reading.
  func open() throws -> Connection {
    try Connection(path: path, .ofPrivateCopy)
  }

  private static func fold(
    _ paths: StorePaths, _ state: State, to path: FilePath, _ files: FileSystem
  ) throws -> BlockDigests {
    try AtomicFile.copy(paths.database, to: path, durable: false, fileSystem: files)
    if let log = state.log, log.size > 0 {
      try AtomicFile.copy(
        paths.writeAheadLog, to: beside(path, "-wal"), durable: false, fileSystem: files)
    }
    let connection = try Connection(
      path: path, Connection.Options(guardPolicy: .foldWAL(judge: { _ in .refuse })))
    defer { connection.close() }
    _ = try connection.foldWAL()
    return try connection.withReadLock { try LiveContent(connection).digests() }
  }

  private static func beside(_ path: FilePath, _ ending: String) -> FilePath {
    FilePath(bytes: path.bytes + Array(ending.utf8))
  }

  private static func remove(_ path: FilePath, _ files: FileSystem) {
    for ending in ["", "-wal", "-shm", "-journal"] { try? files.unlink(beside(path, ending)) }
  }
}
