import Synchronization

/// Hands events to everybody who listens; a listener that went away costs nothing.
final class EventHub: Sendable {
  private struct State {
    var next = 0
    var listeners: [Int: AsyncStream<StoreEvent>.Continuation] = [:]
  }

  private let state = Mutex(State())

  /// A stream of all events from now on; at most the newest 1,000 wait for a slow listener.
  func listen() -> AsyncStream<StoreEvent> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1000)) { continuation in
      let id = state.withLock { state in
        state.next += 1
        state.listeners[state.next] = continuation
        return state.next
      }
      continuation.onTermination = { [weak self] _ in self?.forget(id) }
    }
  }

  /// Whether anybody would hear an event.
  var hasListeners: Bool { state.withLock { !$0.listeners.isEmpty } }

  func send(_ event: StoreEvent) {
    let listeners = state.withLock { Array($0.listeners.values) }
    for listener in listeners { listener.yield(event) }
  }

  /// Ends every stream.
  func finish() {
    let listeners = state.withLock { state in
      defer { state.listeners = [:] }
      return Array(state.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  private func forget(_ id: Int) {
    state.withLock { state in _ = state.listeners.removeValue(forKey: id) }
  }
}
