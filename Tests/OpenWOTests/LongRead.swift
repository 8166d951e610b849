import Dispatch
import OpenWO
import Synchronization

/// A read on a thread of its own that is inside its closure until it is told to end.
final class LongRead: Sendable {
  private let inside = DispatchSemaphore(value: 0)
  private let mayEnd = DispatchSemaphore(value: 0)
  private let hasEnded = DispatchSemaphore(value: 0)
  private let found = Mutex<Result<[String], any Error>?>(nil)

  struct Stuck: Error {}

  /// Begins it, and returns when it is inside.
  ///
  /// `body` runs inside at its end.
  init(
    _ store: SyncedDatabase,
    _ body: @escaping @Sendable (Connection) throws -> Void = { _ in }
  ) throws {
    DispatchQueue(label: "long read").async { [self] in
      let result = Result {
        try store.read { db in
          inside.signal()
          mayEnd.wait()
          try body(db)
          return try db.rows("SELECT v FROM t ORDER BY id") { try $0.get(0) as String }
        }
      }
      found.withLock { $0 = result }
      hasEnded.signal()
    }
    guard inside.wait(timeout: .now() + 60) == .success else { throw Stuck() }
  }

  /// Lets it read its rows, waits for its end, and returns them.
  @discardableResult
  func end() throws -> [String] {
    mayEnd.signal()
    guard hasEnded.wait(timeout: .now() + 60) == .success else { throw Stuck() }
    hasEnded.signal()
    return try found.withLock { try $0?.get() } ?? []
  }
}

/// A read that begins after what ends it was made.
final class LaterRead: Sendable {
  private let read = Mutex<LongRead?>(nil)

  func begin(_ store: SyncedDatabase) throws {
    let begun = try LongRead(store)
    read.withLock { $0 = begun }
  }

  @discardableResult
  func end() throws -> [String] { try read.withLock(\.self)?.end() ?? [] }
}
