import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that writes down every call and fails those it is told to.
final class Calls: SystemCallObserver {
  private let log = Mutex<(asked: [SystemCall], done: [SystemCall])>(([], []))
  private let judge: @Sendable (SystemCall, _ number: Int) -> Errno?

  init(_ judge: @escaping @Sendable (SystemCall, _ number: Int) -> Errno? = { _, _ in nil }) {
    self.judge = judge
  }

  /// Fails the first `first` calls of a kind.
  static func failing(_ kind: SystemCall.Kind, _ errno: Errno, first: Int = .max) -> Calls {
    let left = Mutex(first)
    return Calls { call, _ in
      guard call.kind == kind else { return nil }
      return left.withLock { left in
        left -= 1
        return left >= 0 ? errno : nil
      }
    }
  }

  var asked: [SystemCall] { log.withLock { $0.asked } }
  var done: [SystemCall] { log.withLock { $0.done } }

  func willCall(_ call: SystemCall) throws(FileError) {
    let number = log.withLock { log in
      log.asked.append(call)
      return log.asked.count - 1
    }
    if let errno = judge(call, number) { throw FileError(call, errno: errno.rawValue) }
  }

  func didCall(_ call: SystemCall) {
    log.withLock { $0.done.append(call) }
  }
}
