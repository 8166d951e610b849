import OpenWO
import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// A local database that moves into a store, while other programs may still write to it.
struct LocalFile {
  let path: FilePath
  let configuration: Configuration
  /// What to do if a program does not stop.
  let advice: Advice

  private var files: FileSystem { configuration.files }

  /// Imports the file's rows, again if a program has committed meanwhile, and renames the file
  /// while no program can commit.
  ///
  /// - Parameters:
  ///   - name: The other name, which is free.
  ///   - bring: Imports the rows into the store, and returns the header of their state.
  /// - Throws: `busy` while a program still uses the file, which then keeps its name; what `bring`
  ///   throws.
  func setAside(as name: FilePath, after bring: () throws -> [UInt8]) throws {
    for _ in 0..<8 {
      let state = try bring()
      if try setAside(as: name, ifStill: state) { return }
    }
    throw inUse
  }

  /// Renames the file and its versions if it is unchanged and no program is about to commit.
  ///
  /// - Parameters:
  ///   - name: The other name, which is free.
  ///   - state: The file's header, whose counter every commit increases.
  /// - Returns: Whether it was renamed.
  /// - Throws: `busy` while a program is in a transaction; `damaged`, `notADatabase`.
  func setAside(as name: FilePath, ifStill state: [UInt8]) throws -> Bool {
    do {
      let isDone = try withWhole { source in
        // A program that waits for the lock finds that the file has moved.
        try source.begin(.exclusive)
        defer { try? source.rollback() }
        guard try source.headerBytes() == state else { return false }
        try files.renameWithCompanion(path, to: name)
        return true
      }
      // Under its old name it would be merged once more, with rows that were deleted since.
      if isDone { try files.syncFolder(files.realpath(name).removingLastComponent()) }
      return isDone
    } catch let error as StoreError where error.code == .busy {
      throw inUse
    }
  }

  /// The file's header, after a checkpoint of its log.
  func standing() throws -> [UInt8] {
    try withWhole { source in
      try source.foldWAL()
      return try source.withReadLock { try source.headerBytes() }
    }
  }

  /// Runs a body with the file open; a journal that is not its own is kept in the state folder.
  ///
  /// - Throws: `busy`, `damaged`, `notADatabase`; what the body throws.
  func withWhole<Result>(_ body: (Connection) throws -> Result) throws -> Result {
    let folder = configuration.resolvedStateFolder.appending("migrated")
    do {
      return try FoundDatabase(path, keepingIn: folder, configuration).withWhole(body)
    } catch let error as SQLiteError {
      throw StoreError(
        error.code == .busy ? .busy : .notADatabase,
        "cannot read \(path.printable): \(error.message); nothing was changed",
        advice: Advice("see what it is", .identify(path)))
    }
  }

  private var inUse: StoreError {
    StoreError(
      .busy, "a program still uses \(path.printable); what it wrote until now is copied",
      advice: advice)
  }
}

extension FileSystem {
  /// The header of a copy of a database that nobody writes to.
  func databaseHeader(of copy: FilePath) throws -> [UInt8] {
    let (file, _) = try openRegular(copy)
    var header = [UInt8](repeating: 0, count: DatabaseHeader.size)
    let count = try header.withUnsafeMutableBytes { try pread(file, at: 0, into: $0) }
    return Array(header.prefix(count))
  }
}
