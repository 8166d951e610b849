import OpenWOSQLite
import Synchronization

/// What one observer of a query waits for: a change of a table that its last read has used.
final class ChangeSignal: Sendable {
  private struct State {
    /// The tables that the last read has used; nil while it is not known.
    var tables: TableSet?
    /// The tables that have changed since that read began, or was tried in vain.
    var changed = TableSet.none
    /// Whether the last read failed for a reason that may pass.
    var hasFailed = false
    var isUsable = false
    var hasEnded = false
    var waiting: CheckedContinuation<Bool, Never>?

    /// Whether the query is to be read again; nil: not yet.
    var answer: Bool? {
      if hasEnded { return false }
      if hasFailed && isUsable { return true }
      return tables.map { changed.intersects($0) } == true ? true : nil
    }
  }

  private let state = Mutex(State())

  /// A read is tried, and may have to wait for its turn.
  func attempt() {
    state.withLock { state in
      (state.hasFailed, state.isUsable, state.changed) = (false, false, .none)
    }
  }

  /// The read begins, which sees all changes until now.
  func begin() {
    state.withLock { state in (state.tables, state.changed) = (nil, .none) }
  }

  /// The read has used these tables.
  func used(_ tables: TableSet) { update { $0.tables = tables } }

  /// The read failed for a reason that may pass: it is tried again when the store can be used.
  func failed() {
    update { state in
      // The read itself may have said before that the store can be used; what changed meanwhile counts.
      (state.hasFailed, state.isUsable, state.tables) = (true, false, .everything)
    }
  }

  /// Tables have changed.
  func note(_ tables: TableSet) { update { $0.changed.formUnion(tables) } }

  /// The store could be used.
  func noteUsable() { update { $0.isUsable = true } }

  /// Nobody waits any more, or there is nothing to wait for.
  func end() { update { $0.hasEnded = true } }

  /// Whether the query is to be read again.
  var isDue: Bool { state.withLock { $0.answer == true } }

  /// Whether there is nothing to wait for any more.
  var hasEnded: Bool { state.withLock(\.hasEnded) }

  /// Waits until the query is to be read again.
  ///
  /// - Returns: Whether it is; false when the observer or the calling task has ended.
  func wait() async -> Bool {
    await withTaskCancellationHandler {
      await withCheckedContinuation { continuation in
        update { $0.waiting = continuation }
      }
    } onCancel: {
      end()
    }
  }

  private func update(_ change: (inout State) -> Void) {
    let (continuation, answer) = state.withLock { state in
      change(&state)
      guard let answer = state.answer, let waiting = state.waiting else {
        return (nil as CheckedContinuation<Bool, Never>?, false)
      }
      state.waiting = nil
      return (waiting, answer)
    }
    continuation?.resume(returning: answer)
  }
}
