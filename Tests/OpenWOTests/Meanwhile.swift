import OpenWOFiles
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// A handle whose calls wait on a clock of their own, and what happens on the same handle during the first wait.
///
/// All of it is on the one thread of a test: a call that held the store while it waits would never come back.
struct Meanwhile {
  let store: SyncedDatabase
  let clock: ManualClock
  private let state: State

  private final class State: Sendable {
    let isArmed = Mutex(false)
    let count = Mutex(0)
    let store = Mutex<SyncedDatabase?>(nil)
  }

  /// How often a call has waited.
  var waits: Int { state.count.withLock { $0 } }

  /// Opens the mac of a rig; `action` is done once, during the first wait after ``arm()``.
  init(
    _ rig: Rig, at now: Int64? = nil, action: @escaping (SyncedDatabase) throws -> Void
  ) throws {
    let state = State()
    nonisolated(unsafe) let action = action
    clock = ManualClock(now: now ?? rig.clock.now(), notBehind: SystemClock()) { _ in
      state.count.withLock { $0 += 1 }
      let isDue = state.isArmed.withLock { armed in
        defer { armed = false }
        return armed
      }
      guard isDue, let store = state.store.withLock({ $0 }) else { return }
      #expect(throws: Never.self) { try action(store) }
    }
    var configuration = rig.configuration("mac")
    configuration.clock = clock
    store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    state.store.withLock { [store] in $0 = store }
    self.state = state
  }

  /// The next wait is the one.
  func arm() { state.isArmed.withLock { $0 = true } }
}
