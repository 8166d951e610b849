import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// A private copy of a database file that somebody else made.
///
/// The file is untrusted: it is copied from one checked descriptor, bounded in size, and opened in the state folder only.
struct OutsideFile {
  /// The copy.
  let path: FilePath
  /// The digests of the copy's content, which is the file's content in rollback mode.
  private let digests: BlockDigests
  /// When it was last written to.
  let modified: Timestamp
  private let store: Store
  let source: FilePath

  /// Copies the file; call `remove` afterwards.
  init(_ source: FilePath, _ store: Store) throws {
    let files = store.files
    try store.session.awaitReaders(of: source)
    let (descriptor, status) = try files.openRegular(source)
    let limit = CopyExaminer(store: store).sizeLimit
    guard status.size >= 512 else {
      throw StoreError.notComparable(source, "it is not a database", store.paths)
    }
    guard status.size <= limit else {
      throw StoreError.notComparable(source, "it is far larger than the database", store.paths)
    }
    path = store.state.scratch.appending("copy-\(randomHex(bytes: 8)).sqlite")
    do {
      try FoldedContent(descriptor, size: status.size, files).write(
        to: path, durable: false, files)
    } catch is HistoryError {
      throw StoreError.notComparable(source, "it became shorter while it was read", store.paths)
    }
    let copy = try FileContent(path, fileSystem: files)
    digests = try BlockDigests(size: copy.size, read: copy.read)
    modified = Timestamp(nanoseconds: status.mtime)
    self.store = store
    self.source = source
  }

  /// The content of the copy.
  var content: ContentHash { digests.root }

  func remove() { try? store.files.unlink(path) }

  /// Opens the copy with every protection; what is not a whole database is refused.
  func open() throws -> Connection {
    do {
      // Rows beside it would be missing from the copy, or half of a transaction in it.
      guard try Unfinished.reason(source, store.files) == nil else {
        throw StoreError.notAtRest(source, store.paths)
      }
      return try whole()
    } catch let error as SQLiteError {
      throw StoreError.notComparable(source, error.message, store.paths)
    }
  }

  private func whole() throws -> Connection {
    let connection = try Connection(path: path, .ofForeignCopy)
    do {
      let damage = try connection.withReadLock { try connection.damage(ifDelivered: false) }
      if let damage { throw SQLiteError(.corrupt, damage) }
      return connection
    } catch {
      connection.close()
      throw error
    }
  }
}

extension OutsideFile {
  /// The facts of the file for a version, after a check that it is whole.
  func facts() throws -> ContentFacts {
    let connection = try open()
    defer { connection.close() }
    return ContentFacts(try connection.header(), digests)
  }
}
