import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that writes down every call that was made.
final class CallLog: SystemCallObserver {
  private let log = Mutex<[SystemCall]>([])

  var calls: [SystemCall] { log.withLock { $0 } }

  func willCall(_ call: SystemCall) throws(FileError) {}

  func didCall(_ call: SystemCall) { log.withLock { $0.append(call) } }
}
