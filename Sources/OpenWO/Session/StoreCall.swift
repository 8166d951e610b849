import OpenWOHistory

/// What belongs to one call of the store: other calls come in between while it waits.
struct StoreCall: Sendable {
  /// What a call waits for; each has a patience of its own.
  enum Awaited: Hashable, Sendable {
    /// A program of this machine that has the database for itself, or open.
    case session, alone
    /// The end of the reads of this process.
    case readers
    /// A program of this device that writes, or any that has the file in a transaction.
    case writer, transaction
    /// A lock that another program of this device has for a moment.
    case briefLock
  }

  /// What it does with the files of the folder.
  var access = FolderAccess.writing
  /// Whether it begins again after a wait, and other calls use the store meanwhile.
  var beginsAgain = false
  /// Whether it has not waited yet.
  var isFirstTry = true
  /// Whether it only reads the live file, or else the last content.
  var isRead = false
  /// The lock of this device that it is to end.
  var ending: StoreLock?
  /// Until when it waits for what a service still delivers, by the monotonic clock.
  var deadline: Int64?
  /// Whether looking at the folder leaves the sides of a conflict to this call, a merge.
  var keepsSidesApart = false
  /// The steps that it took before it waited.
  var taken: [Action] = []
  /// The files that it moved into quarantine.
  var keptAside: [QuarantinedFile] = []
  private var since: [Awaited: Int64] = [:]

  /// How long it has waited for something, in nanoseconds; it begins to with the first question.
  mutating func waited(for what: Awaited, at now: Int64) -> Int64 {
    let begun = since[what] ?? now
    since[what] = begun
    return now - begun
  }

  /// Whether it has begun to wait for something, and did not get it yet.
  func hasWaited(for what: Awaited) -> Bool { since[what] != nil }

  /// It got what it waited for; a later wait for the same has its full time.
  mutating func hasGot(_ what: Awaited) { since[what] = nil }
}

/// A call has to wait: it ends here, the store is free meanwhile, and then the call begins again.
///
/// Nothing that the call has read before is used after the wait.
struct NotYet: Error {
  /// How long to wait, in nanoseconds.
  var pause: Int64
}
