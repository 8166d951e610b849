public import OpenWOSQLite

/// The values of a query: the first one at once, and a new one after each change that matters.
///
/// Each loop over the sequence observes on its own, from its first value on. It ends with its task
/// and when the store is closed, and nothing is read between two values that are asked for: a slow
/// loop gets the newest value next.
public struct ObservedValues<Value: Sendable & Equatable>: AsyncSequence, Sendable {
  /// What the query returns.
  public typealias Element = Value
  /// What the query or the store throws.
  public typealias Failure = any Error

  let core: StoreCore
  let query: @Sendable (Connection) throws -> Value

  /// One loop over the values.
  public struct AsyncIterator: AsyncIteratorProtocol {
    private let observer: QueryObserver<Value>

    init(_ observer: QueryObserver<Value>) {
      self.observer = observer
    }

    /// Waits for the next value; nil when the task or the store has ended.
    ///
    /// - Throws: What the query throws, which ends the loop. An error of the store, such as
    ///   `unavailable`, is thrown only before the first value; later the loop waits until the store
    ///   can be read again.
    public mutating func next() async throws -> Value? { try await observer.next() }
  }

  /// Begins a loop.
  public func makeAsyncIterator() -> AsyncIterator {
    AsyncIterator(QueryObserver(core, query))
  }
}

/// Reads a query again when it has to be.
final class QueryObserver<Value: Sendable & Equatable> {
  private let core: StoreCore
  private let query: @Sendable (Connection) throws -> Value
  private let signal = ChangeSignal()
  private let id: Int
  private var last: Value?
  private var hasEnded = false

  init(_ core: StoreCore, _ query: @escaping @Sendable (Connection) throws -> Value) {
    (self.core, self.query) = (core, query)
    id = core.changes.add(signal)
  }

  deinit {
    core.changes.remove(id)
  }

  func next() async throws -> Value? {
    while !hasEnded {
      if last != nil, await !signal.wait() { break }
      guard !Task.isCancelled, !signal.hasEnded else { break }
      guard let value = try await read(), value != last else { continue }
      last = value
      return value
    }
    hasEnded = true
    return nil
  }

  /// Reads the query; nil if that failed for a reason that may pass.
  private func read() async throws -> Value? {
    signal.attempt()
    do {
      let (query, signal) = (query, signal)
      return try await core.offCaller { core in
        let (value, tables) = try core.readLearning(query, whenBegun: signal.begin)
        signal.used(tables)
        return value
      }
    } catch let error as StoreError where last != nil && error.mayPass {
      signal.failed()
      return nil
    } catch {
      hasEnded = true
      // The task or the store has ended while the read waited.
      if error is CancellationError || signal.hasEnded { return nil }
      throw error
    }
  }
}

extension StoreError {
  /// Whether a later read may succeed though nothing about the query changes.
  fileprivate var mayPass: Bool {
    switch code {
    case .nested, .usage: false
    default: true
    }
  }
}

/// Observing queries.
extension SyncedDatabase {
  /// The values of a query, from now on: the first one at once, and a new one whenever a table that
  /// the query reads has changed and the value is another one.
  ///
  /// ```swift
  /// let names = store.values { db in
  ///   try db.rows("SELECT name FROM exercise") { try $0.get(0) as String }
  /// }
  /// for try await names in names { show(names) }
  /// ```
  ///
  /// Writes of this app, commits of other programs, versions from other devices, the end of an edit
  /// and a restore count alike. SQLite names the tables of the query
  /// (<https://sqlite.org/c3ref/set_authorizer.html>); after a change from elsewhere the query is
  /// read again once. Nothing is polled: without the background thread
  /// (``Configuration/monitors``) changes from elsewhere show after the next call.
  public func values<Value: Sendable & Equatable>(
    _ query: @escaping @Sendable (Connection) throws -> Value
  ) -> ObservedValues<Value> {
    ObservedValues(core: core, query: query)
  }
}
