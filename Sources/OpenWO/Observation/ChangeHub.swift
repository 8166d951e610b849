import OpenWOSQLite
import Synchronization

/// Tells the observers of queries which tables have changed.
final class ChangeHub: Sendable {
  private struct State {
    var next = 0
    var signals: [Int: ChangeSignal] = [:]
    var isClosed = false
  }

  private let state = Mutex(State())

  /// Whether anybody observes a query.
  var hasObservers: Bool { state.withLock { !$0.signals.isEmpty } }

  /// Adds an observer; one of a closed store ends at once.
  func add(_ signal: ChangeSignal) -> Int {
    let (id, isClosed) = state.withLock { state in
      state.next += 1
      if !state.isClosed { state.signals[state.next] = signal }
      return (state.next, state.isClosed)
    }
    if isClosed { signal.end() }
    return id
  }

  func remove(_ id: Int) {
    state.withLock { state in _ = state.signals.removeValue(forKey: id) }
  }

  /// Tells those who read one of the tables.
  func send(_ tables: TableSet) {
    for signal in all { signal.note(tables) }
  }

  /// Tells those whose last read failed that the store could be used just now.
  func sendUsable() {
    for signal in all { signal.noteUsable() }
  }

  /// Ends all observers.
  func finish() {
    let signals = state.withLock { state in
      defer { state.signals = [:] }
      state.isClosed = true
      return Array(state.signals.values)
    }
    for signal in signals { signal.end() }
  }

  private var all: [ChangeSignal] { state.withLock { Array($0.signals.values) } }
}
