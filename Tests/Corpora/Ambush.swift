package import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that does something once, right before or after the next system call of some kind when it was told to.
package final class Ambush: SystemCallObserver {
  private let plan = Mutex<(left: Int, action: @Sendable () -> Void)?>(nil)
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

  /// Acts at the call that comes once `calls` others of the kind have passed.
  package func arm(after calls: Int = 0, _ action: @escaping @Sendable () -> Void) {
    plan.withLock { $0 = (calls, action) }
  }

  package var hasActed: Bool { plan.withLock { $0 == nil } }

  package func willCall(_ call: SystemCall) throws(FileError) {
    if moment == .before, passes(call) { act() }
  }

  package func didCall(_ call: SystemCall) {
    if moment == .after, passes(call) { act() }
  }

  private func act() {
    let action = plan.withLock { plan -> (@Sendable () -> Void)? in
      guard let (left, action) = plan else { return nil }
      plan = left > 0 ? (left - 1, action) : nil
      return left > 0 ? nil : action
    }
    action?()
  }
}
