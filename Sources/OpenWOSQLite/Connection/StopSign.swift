import Synchronization

/// Stops work from any thread.
///
/// It interrupts the statements of the connection that works under it, and refuses later ones.
package final class StopSign: Sendable {
  private struct State {
    var isStopped = false
    var tokens: [InterruptToken] = []
  }

  private let state = Mutex(State())

  package init() {}

  /// Whether it was said.
  package var isStopped: Bool { state.withLock(\.isStopped) }

  /// Says it.
  package func stop() {
    state.withLock { state in
      state.isStopped = true
      for token in state.tokens { token.interrupt() }
    }
  }

  /// Throws when it was said.
  package func check() throws {
    if isStopped { throw Self.stopped }
  }

  /// Runs a body that works on a connection, which is interrupted when it is said.
  package func watching<Result>(
    _ connection: Connection, _ body: () throws -> Result
  ) throws -> Result {
    try state.withLock { state in
      guard !state.isStopped else { throw Self.stopped }
      state.tokens.append(connection.interruptToken)
    }
    defer { state.withLock { _ = $0.tokens.popLast() } }
    return try body()
  }

  private static var stopped: SQLiteError { SQLiteError(.interrupt, "it was cancelled") }
}
