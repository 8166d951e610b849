package import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that does something once, right before or after the next system call of some kind when it was told to.
package final class Ambush: SystemCallObserver {
  private let action = Mutex<(@Sendable () -> Void)?>(nil)
  private let moment: Moment
  private let passes: @Sendable (SystemCall) -> Bool

  /// On which side of the call it acts.
  package enum Moment { case before, after }

  package init(
    _ moment: Moment = .before,
    when passes: @escaping @Sendable (SystemCall) -> Bool = { _ in true }
  ) {
    self.moment = moment
    self.passes = passes
  }

  package func arm(_ action: @escaping @Sendable () -> Void) {
    self.action.withLock { $0 = action }
  }

  package var hasActed: Bool { action.withLock { $0 == nil } }

  package func willCall(_ call: SystemCall) throws(FileError) {
    if moment == .before, passes(call) { act() }
  }

  package func didCall(_ call: SystemCall) {
    if moment == .after, passes(call) { act() }
  }

  private func act() {
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }
}
