import OpenWOFiles
import OpenWOHistory

/// What the next step of a call for the lock depends on.
struct LockFacts {
  /// This device's id.
  var device: String
  /// The lock that holds.
  var holder: StoreLock?
  /// The lock that the call has asked for; nil before that.
  var asked: StoreLock?
  /// Whether the lock that was asked for still has its file, and nobody has ended it.
  var isInFolder = true
  /// Whether the call has brought the live file up to date.
  var hasLooked = false
  /// Whether a device has not answered, or has a newer version.
  var isAwaitingDevices = false
  /// Whether the call has time left to wait.
  var mayWait = false
}

/// The next step of a call for the lock.
enum LockDecision: Hashable {
  /// Bring the live file up to date with the folder, and decide again.
  case look
  /// Wait for the end of another lock.
  case waitForHolder
  /// Publish a lock file that asks for the lock.
  case ask
  /// Wait for the devices that have not answered.
  case waitForDevices
  /// Take the live file from the other processes of this machine, and start the edit.
  case start
  /// The edit may begin.
  case held
  case refuse(Refusal)

  enum Refusal: Hashable {
    case locked(by: StoreLock)
    /// Somebody has ended the lock that was asked for.
    case ended(StoreLock)
  }

  init(_ facts: LockFacts) {
    guard let asked = facts.asked else {
      self = Self.beforeAsking(facts)
      return
    }
    let isOvertaken = asked.state == .held && facts.holder?.id != asked.id
    guard facts.isInFolder, !isOvertaken else {
      let other = facts.holder.flatMap { $0.id == asked.id ? nil : $0 }
      self = .refuse(other.map { .locked(by: $0) } ?? .ended(asked))
      return
    }
    if asked.state == .held {
      self = .held
    } else {
      self = facts.isAwaitingDevices && facts.mayWait ? .waitForDevices : .start
    }
  }

  private static func beforeAsking(_ facts: LockFacts) -> LockDecision {
    guard let holder = facts.holder else { return facts.hasLooked ? .ask : .look }
    // A person who has the lock already does not wait for it.
    guard facts.hasLooked || holder.device == facts.device else { return .look }
    return facts.hasLooked && facts.mayWait ? .waitForHolder : .refuse(.locked(by: holder))
  }
}

/// The version that an edit starts from.
enum EditStart: Hashable {
  case recorded(VersionID)
  /// A version of what was found in the file.
  case capture
  /// The file is torn, for example because a service is writing it in place.
  case refuse(Sighting.Live, isAwaited: Bool)

  /// Decides by what the baseline says that the file holds, or else by a look at the file.
  init(
    recorded: VersionID?, live: @autoclosure () throws -> Sighting.Live, now: Timestamp,
    settleTime: Int64
  ) rethrows {
    if let recorded {
      self = .recorded(recorded)
      return
    }
    switch try live() {
    case .whole: self = .capture
    case .doubtful(let why, let changedAt):
      self = .refuse(
        .doubtful(why, changedAt: changedAt),
        isAwaited: now.milliseconds < changedAt.milliseconds.plus(settleTime))
    case let live: self = .refuse(live, isAwaited: false)
    }
  }
}
