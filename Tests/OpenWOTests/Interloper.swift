import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that does something once, right before a certain system call.
final class Interloper: SystemCallObserver {
  private let left: Mutex<Int>
  private let seen = Mutex("none")
  private let action: @Sendable () -> Void

  /// Acts before the call with this number, counted from 0.
  init(before number: Int, _ action: @escaping @Sendable () -> Void) {
    left = Mutex(number)
    self.action = action
  }

  /// Whether it has had its chance.
  var hasActed: Bool { left.withLock { $0 < 0 } }

  /// The call before which it acted.
  var call: String { seen.withLock { $0 } }

  func willCall(_ call: SystemCall) throws(FileError) {
    let isNow = left.withLock { left in
      left -= 1
      return left == -1
    }
    guard isNow else { return }
    seen.withLock { $0 = "\(call.kind) \(call.path?.string ?? "")" }
    action()
  }

  func didCall(_ call: SystemCall) {}
}
