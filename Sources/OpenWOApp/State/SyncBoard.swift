import OpenWO
import Synchronization

/// The current state of syncing, and its listeners.
final class SyncBoard: Sendable {
  private struct Known {
    var finding = FolderFinding(.unknown)
    var problem: SyncErrorKind?
    var checkedAt: Timestamp?
    var setAside = 0
    var hasChangesToAdd = false
    var canOpenSynced = false
    var last: SyncState?
    /// How many computations have begun.
    var begun = 0
    /// The last begun one of those whose result counts.
    var accepted = 0
    var compute: (@Sendable () -> SyncState?)?
    var next = 0
    var listeners: [Int: AsyncStream<SyncState>.Continuation] = [:]
  }

  private let known = Mutex(Known())

  var finding: FolderFinding { known.withLock { $0.finding } }
  var problem: SyncErrorKind? { known.withLock { $0.problem } }
  var checkedAt: Timestamp? { known.withLock { $0.checkedAt } }
  var setAside: Int { known.withLock { $0.setAside } }
  var hasChangesToAdd: Bool { known.withLock { $0.hasChangesToAdd } }
  var canOpenSynced: Bool { known.withLock { $0.canOpenSynced } }

  /// The state as it was last computed.
  var last: SyncState {
    known.withLock { $0.last }
      ?? SyncState(
        activeStore: .local, syncEnabled: false, availability: .unknown, network: .unknown,
        status: .checking, seenBy: [])
  }

  func begin(_ finding: FolderFinding, problem: SyncErrorKind?, checkedAt: Timestamp?) {
    known.withLock { known in
      known.checkedAt = checkedAt
      // A late answer may be here already.
      if known.finding.availability == .unknown { known.finding = finding }
      known.problem = problem
    }
  }

  func onChange(_ compute: @escaping @Sendable () -> SyncState?) {
    known.withLock { $0.compute = compute }
  }

  /// The folder has been looked at.
  func found(_ finding: FolderFinding) {
    known.withLock { $0.finding = finding }
    refresh()
  }

  func checked(at time: Timestamp) { known.withLock { $0.checkedAt = time } }

  /// How many rows of this device were set aside.
  func note(setAside: Int) { known.withLock { $0.setAside = setAside } }

  /// Whether rows of this device are still to come into the folder.
  func note(hasChangesToAdd: Bool) { known.withLock { $0.hasChangesToAdd = hasChangesToAdd } }

  /// The file in the folder, which could not be opened at launch, can be opened now.
  func noteOpenable() { known.withLock { $0.canOpenSynced = true } }

  func note(problem: SyncErrorKind?) { known.withLock { $0.problem = problem } }

  /// Updates the state for an event.
  func note(_ event: StoreEvent) {
    switch event {
    case .problem(let error):
      if let kind = SyncErrorKind(error.code) { note(problem: kind) }
    case .published, .imported, .repaired: note(problem: nil)
    default: break
    }
  }

  /// Computes the state again and sends it to all listeners if it changed.
  func refresh() {
    guard let compute = known.withLock({ $0.compute }) else { return }
    _ = current(compute)
  }

  /// Computes the state; a result counts unless a computation that began later has come before it.
  ///
  /// Listeners are told within the lock, so that they get the states in that order.
  @discardableResult
  func current(_ compute: () -> SyncState?) -> SyncState {
    let ticket = known.withLock { known in
      known.begun += 1
      return known.begun
    }
    guard let state = compute() else { return last }
    return known.withLock { known in
      if ticket < known.accepted, let last = known.last { return last }
      known.accepted = ticket
      guard known.last != state else { return state }
      known.last = state
      for listener in known.listeners.values { listener.yield(state) }
      return state
    }
  }

  /// The state now, and each one that follows; a slow listener gets the newest.
  func listen() -> AsyncStream<SyncState> {
    AsyncStream(bufferingPolicy: .bufferingNewest(1)) { continuation in
      let id = known.withLock { known in
        known.next += 1
        known.listeners[known.next] = continuation
        if let last = known.last { continuation.yield(last) }
        return known.next
      }
      continuation.onTermination = { [weak self] _ in self?.forget(id) }
    }
  }

  func finish() {
    let listeners = known.withLock { known in
      defer { known.listeners = [:] }
      known.compute = nil
      return Array(known.listeners.values)
    }
    for listener in listeners { listener.finish() }
  }

  private func forget(_ id: Int) {
    known.withLock { known in _ = known.listeners.removeValue(forKey: id) }
  }
}
