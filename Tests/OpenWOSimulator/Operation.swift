import OpenWO
import OpenWOHistory

/// An operation of openwo on a device: small steps on a stack, so that anything can happen between
/// two of them.
///
/// It models the performer, the write path, locking and publishing of the library, step by step in
/// their order of durable effects.
final class Operation {
  /// One step; what it needs of earlier steps is in the operation.
  enum Step {
    /// Look at the folder, plan, and put the plan's actions on top.
    case look
    case perform(Action)
    /// A plan is carried out; what was changed meanwhile ends here and leads to another look.
    case planDone
    case publish(Int)
    case dropPending(Int)
    case announce
    case capture(Draft)
    case keep(Int)
    case noteCaptured
    case fillStaging, check, exchange, inspect, noteReplaced
    case examineRemoved
    // The app's write.
    case begin, commit, lookAfterCommit, captureWrite, tell
    // `openwo restore`.
    case makeRestore(Int), restored
    // The lock.
    case askLock, startLock, holdLock
    case checkpoint(discard: Bool), discarded, leaveLock
  }

  /// A version that is about to be written.
  struct Draft {
    var content: Int
    var parents: [VersionID]
    var reason: VersionReason
    /// The file's own time, for what nobody stamped.
    var modified: Int64?
    /// When it was committed, in true time, for our own writes.
    var committed: Int64?
    /// Our own unpublished version whose place it takes.
    var folded: Int?
    var base: Int?
    /// Its parents do not follow from it: nobody else was known that could have brought it.
    var isTrusted = false
    /// It was found in a copy that may be a person's own; `isAside` if the version says so.
    var isFromPersonalCopy = false
    var isAside = false
  }

  var stack: [Step]
  var rounds = 0
  /// The plans of the last rounds, to detect a plan that never ends.
  var isRetried = false

  // The result of the last look.
  var seenLive: File?
  var seenCopies: [Int: File] = [:]
  var seenLock: String?
  var isLockSeen: Bool { seenLock != nil }

  // The transaction on the live file.
  var inode = 0
  var content = 0
  var row = 0
  var isTransacting = false
  /// From the beginning of a transaction to its capture.
  var isCommitting = false
  var captured: Int?
  var committed: Int64 = 0
  /// The live file as it was when its content was read.
  var capturedFile: File?
  /// The write was overtaken: it is a version, and the live file is another one.
  var isSetAside = false

  // The swap.
  var staging = 0
  var target: VersionID?
  var isDamaged = false
  var expected: File?
  var placed: File?

  var lock: String?
  /// The live file as it was when a lock was about to be given back.
  var edited: File?

  init(_ stack: [Step]) {
    self.stack = stack
  }

  /// Puts steps on top, the first of them uppermost.
  func push(_ steps: [Step]) { stack += steps.reversed() }

  /// Drops the rest of the plan: the seen state is no longer there.
  func abandonPlan() {
    while let top = stack.last {
      if case .planDone = top { return }
      stack.removeLast()
    }
  }
}
