package import OpenWOFiles
import Synchronization
import SystemPackage

/// An observer that does something once, right before or after the next system call of some kind when it was told to.
package final class Ambush: SystemCallObserver {
  private let plan = Mutex<(left: Int, action: @Sendable () -> Void)?>(nil)
  private let met = Mutex("none")
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

  /// Acts right before the call with this number, counted from 0.
  package convenience init(before number: Int, _ action: @escaping @Sendable () -> Void) {
    self.init()
    arm(after: number, action)
  }

  /// Acts at the call that comes once `calls` others of the kind have passed.
  package func arm(after calls: Int = 0, _ action: @escaping @Sendable () -> Void) {
    plan.withLock { $0 = (calls, action) }
  }

  package var hasActed: Bool { plan.withLock { $0 == nil } }

  /// The call at which it acted.
  package var call: String { met.withLock { $0 } }

  package func willCall(_ call: SystemCall) throws(FileError) {
    if moment == .before, passes(call) { act(call) }
  }

  package func didCall(_ call: SystemCall) {
    if moment == .after, passes(call) { act(call) }
  }

  private func act(_ call: SystemCall) {
    let action = plan.withLock { plan -> (@Sendable () -> Void)? in
      guard let (left, action) = plan else { return nil }
      plan = left > 0 ? (left - 1, action) : nil
      return left > 0 ? nil : action
    }
    guard let action else { return }
    met.withLock { $0 = "\(call.kind) \(call.path?.string ?? "")" }
    action()
  }
}
