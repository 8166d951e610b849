import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// The files of WAL mode beside a database: the log, and its index that programs share.
///
/// SQLite takes a log with content for the newest part of the database, whatever the database's own
/// header says, and ignores an empty one: <https://sqlite.org/walformat.html>.
struct LogFiles {
  /// Nil if no file has the name.
  let log, index: FileStatus?

  /// Reads which of them exist.
  init(beside paths: StorePaths, _ files: FileSystem) throws(FileError) {
    log = try files.statusIfPresent(paths.writeAheadLog)
    index = try files.statusIfPresent(paths.sharedMemory)
  }

  /// Replaces a log that has another hard link by a copy, and removes such an index, which SQLite
  /// recreates.
  ///
  /// A checkpoint writes to both, and the file under the other name is somebody else's.
  ///
  /// - Throws: `busy` while another program has the database open, and so may use them.
  static func detach(beside paths: StorePaths, _ files: FileSystem) throws {
    let found = try LogFiles(beside: paths, files)
    guard found.all.contains(where: \.hasOtherNames) else { return }
    guard ProcessTable.openers(of: paths.database).isEmpty else { throw StoreError.busy(paths) }
    if let log = found.log, log.hasOtherNames {
      let path = paths.writeAheadLog
      try AtomicFile.copy(path, to: path, permissions: log.mode & 0o777, fileSystem: files)
    }
    if found.index?.hasOtherNames ?? false { try files.unlink(paths.sharedMemory) }
  }

  /// Keeps the content of a database without its log before the log is checkpointed, if the log has
  /// pages.
  ///
  /// SQLite accepts every log that agrees with itself, even another database's, or an old one that
  /// a service restored.
  ///
  /// - Returns: The path of the kept file; nil if there is nothing to keep.
  static func keepDatabase(
    _ connection: Connection, _ paths: StorePaths, in state: StatePaths, _ files: FileSystem,
    unless isKnown: (LiveContent) throws -> Bool = { _ in false }
  ) throws -> FilePath? {
    guard try LogFiles(beside: paths, files).mayHoldPages, try connection.header().isWAL else {
      return nil
    }
    let content = try LiveContent(connection)
    guard try !isKnown(content) else { return nil }
    try files.makeDirectories(state.unproven)
    let kept = state.unproven.appending("log-\(randomHex(bytes: 8)).sqlite")
    try FoldedContent(content).write(to: kept, files)
    return kept
  }

  /// The paths of those that are there.
  func names(_ paths: StorePaths) -> [FilePath] {
    [log.map { _ in paths.writeAheadLog }, index.map { _ in paths.sharedMemory }].compactMap(\.self)
  }

  private var all: [FileStatus] { [log, index].compactMap(\.self) }

  /// Whether the next program that opens the database may find something in them.
  var mayHoldPages: Bool { (log?.size ?? 0) > 0 }

  /// Whether they exist and can be removed without loss once nobody uses the database in WAL mode.
  var areSpent: Bool {
    !all.isEmpty && !mayHoldPages && all.allSatisfy { $0.kind == .regular }
  }

  /// Whether none of them has been touched since a moment, in nanoseconds.
  func areOlder(than moment: Int64) -> Bool { all.allSatisfy { $0.ctime < moment } }
}
