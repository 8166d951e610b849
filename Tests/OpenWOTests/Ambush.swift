import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that does something once, right before or after the next system call of some kind when it was told to.
final class Ambush: SystemCallObserver {
  private let action = Mutex<(@Sendable () -> Void)?>(nil)
  private let moment: Moment
  private let passes: @Sendable (SystemCall) -> Bool

  /// On which side of the call it acts.
  enum Moment { case before, after }

  init(
    _ moment: Moment = .before,
    when passes: @escaping @Sendable (SystemCall) -> Bool = { _ in true }
  ) {
    self.moment = moment
    self.passes = passes
  }

  func arm(_ action: @escaping @Sendable () -> Void) {
    self.action.withLock { $0 = action }
  }

  var hasActed: Bool { action.withLock { $0 == nil } }

  func willCall(_ call: SystemCall) throws(FileError) {
    if moment == .before, passes(call) { act() }
  }

  func didCall(_ call: SystemCall) {
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
