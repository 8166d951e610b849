import OpenWO
import OpenWOFiles
import OpenWOSQLite
import SystemPackage

/// A private copy of an earlier database as its last transaction left it; gone with the last reference.
///
/// The files themselves are only read: the log of WAL mode and a journal that was left are brought into the copy.
final class EarlierCopy {
  /// Why there is no copy.
  enum Failure: Error {
    case damaged, inUse
  }

  let connection: Connection
  private let path: FilePath
  private let files: FileSystem

  private static let endings = ["", "-wal", "-journal"]

  /// Copies a database into a folder and opens the copy.
  ///
  /// - Throws: ``Failure``; what the file system says.
  init(of source: FilePath, in folder: FilePath, _ files: FileSystem) throws {
    self.files = files
    try files.makeDirectories(folder)
    Self.sweep(folder, files)
    path = folder.appending("earlier-\(randomHex(bytes: 8)).sqlite")
    do {
      try Self.copy(files.realpath(source), to: path, files)
      connection = try Self.open(path)
    } catch {
      Self.remove(path, files)
      throw error
    }
  }

  deinit {
    connection.close()
    Self.remove(path, files)
  }

  /// Copies the files at one moment: what a power failure would have left then.
  private static func copy(_ source: FilePath, to path: FilePath, _ files: FileSystem) throws {
    func state() throws -> [FileSignature?] {
      try endings.map { try files.statusIfPresent(source.named(source, $0))?.signature }
    }
    for _ in 0..<5 {
      let before = try state()
      for (ending, signature) in zip(endings, before) {
        let target = path.named(path, ending)
        try? files.unlink(target)
        guard let signature, ending.isEmpty || signature.size > 0 else { continue }
        try AtomicFile.copy(
          source.named(source, ending), to: target, durable: false, fileSystem: files)
      }
      if try state() == before { return }
    }
    throw Failure.inUse
  }

  private static func open(_ path: FilePath) throws -> Connection {
    do {
      let connection = try Connection(
        path: path, Connection.Options(guardPolicy: .foldWAL(judge: { _ in .replay })))
      do {
        _ = try connection.foldWAL()
        let damage = try connection.withReadLock { try connection.damage(ifDelivered: true) }
        if damage != nil { throw Failure.damaged }
      } catch {
        connection.close()
        throw error
      }
      return connection
    } catch let error as SQLiteError where [.corrupt, .notADatabase].contains(error.code) {
      throw Failure.damaged
    }
  }

  private static func remove(_ path: FilePath, _ files: FileSystem) {
    for ending in endings + ["-shm"] { try? files.unlink(path.named(path, ending)) }
  }

  /// Removes the files that a killed app left.
  private static func sweep(_ folder: FilePath, _ files: FileSystem) {
    let left = (try? files.list(folder) { $0.string.hasPrefix("earlier-") }) ?? []
    let hour: Int64 = 3_600_000_000_000
    let now = Int64.nanoseconds(milliseconds: SystemClock().now())
    for name in left {
      let path = folder.appending(name)
      guard let status = try? files.lstat(path), status.mtime < now.minus(hour) else { continue }
      try? files.unlink(path)
    }
  }
}
