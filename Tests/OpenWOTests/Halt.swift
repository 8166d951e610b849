import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that lets a call and all that come after it fail, as if the process had ended there.
final class Halt: SystemCallObserver {
  private let left: Mutex<Int>

  /// Begins with the call with this number, counted from 0.
  init(at number: Int) { left = Mutex(number) }

  /// Whether it has begun.
  var hasBegun: Bool { left.withLock { $0 < 0 } }

  func willCall(_ call: SystemCall) throws(FileError) {
    left.withLock { $0 -= 1 }
    // When a process ends, its open files are closed and unlocked.
    guard hasBegun, ![.close, .funlock].contains(call.kind) else { return }
    throw FileError(call, errno: Errno.ioError.rawValue)
  }

  func didCall(_ call: SystemCall) {}
}
