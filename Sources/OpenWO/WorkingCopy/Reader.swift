import OpenWOFiles
import OpenWOSQLite
import Synchronization
import SystemPackage

/// A connection of its own that reads the live file beside the store and beside other reads.
///
/// It cannot write, and it judges no journal: one that SQLite would have to play back is left to the store. While it reads, it holds
/// SQLite's read lock and the session locks, so that for other programs the file is in use.
final class Reader: Sendable {
  private struct Held {
    let connection: Connection
    /// The session locks, which end with their last reference.
    var session: [OSLock] = []
  }

  /// The file that it has open.
  let file: FileSignature
  /// Which opening of the live file it belongs to.
  let generation: Int
  private let held: Mutex<Held>

  init(_ path: FilePath, file: FileSignature, generation: Int) throws {
    (self.file, self.generation) = (file, generation)
    let connection = try Connection(
      path: path,
      Connection.Options(
        mode: .readOnly, guardPolicy: .live(judge: { _ in .refuse }), busyTimeout: .zero))
    held = Mutex(Held(connection: connection))
  }

  /// Whether the name leads to another file than the open one.
  var hasMoved: Bool { held.withLock { $0.connection.hasMoved } }

  /// Begins a transaction with its read lock: from here on, the content cannot change.
  func begin(_ session: [OSLock]) throws {
    try held.withLock { held in
      held.session = session
      do {
        try held.connection.begin(.deferred)
        try held.connection.withReadLock {}
      } catch {
        try? held.connection.rollback()
        held.session = []
        throw error
      }
    }
  }

  /// Runs a body on the connection.
  func use<Result: Sendable>(_ body: (Connection) throws -> Result) throws -> Result {
    try held.withLock { try body($0.connection) }
  }

  /// Whether it can be used again: a statement may have been left in its middle.
  var isIdle: Bool { held.withLock { $0.connection.isIdle } }

  /// Gives the session locks back, but stays open.
  func leaveSession() { held.withLock { $0.session = [] } }

  /// Closes the file, and after that gives the session locks back.
  func close() {
    held.withLock { held in
      held.connection.close()
      held.session = []
    }
  }
}
