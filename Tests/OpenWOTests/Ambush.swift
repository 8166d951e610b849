import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that does something once, right before the next system call of some kind after it was told to.
final class Ambush: SystemCallObserver {
  private let action = Mutex<(@Sendable () -> Void)?>(nil)
  private let passes: @Sendable (SystemCall) -> Bool

  init(before passes: @escaping @Sendable (SystemCall) -> Bool = { _ in true }) {
    self.passes = passes
  }

  func arm(_ action: @escaping @Sendable () -> Void) {
    self.action.withLock { $0 = action }
  }

  var hasActed: Bool { action.withLock { $0 == nil } }

  func willCall(_ call: SystemCall) throws(FileError) {
    guard !hasActed, passes(call) else { return }
    let action = action.withLock { action in
      defer { action = nil }
      return action
    }
    action?()
  }

  func didCall(_ call: SystemCall) {}
}
