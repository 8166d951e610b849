import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that makes calls of one kind fail if the path contains a text, while it is switched
/// on, except for the first few.
final class Refusal: SystemCallObserver {
  private let kind: SystemCall.Kind
  private let text: String
  private let error: Errno
  private let isOn: Mutex<Bool>
  private let spared: Mutex<Int>

  init(
    _ kind: SystemCall.Kind, _ text: String, _ error: Errno, sparing spared: Int = 0,
    isOn: Bool = false
  ) {
    (self.kind, self.text, self.error) = (kind, text, error)
    self.spared = Mutex(spared)
    self.isOn = Mutex(isOn)
  }

  func set(_ value: Bool) { isOn.withLock { $0 = value } }

  func willCall(_ call: SystemCall) throws(FileError) {
    guard call.kind == kind, isOn.withLock(\.self),
      [call.path, call.otherPath].contains(where: { $0?.string.contains(text) ?? false })
    else { return }
    let isSpared = spared.withLock { left in
      left -= 1
      return left >= 0
    }
    if isSpared { return }
    throw FileError(call, errno: error.rawValue)
  }

  func didCall(_ call: SystemCall) {}
}
