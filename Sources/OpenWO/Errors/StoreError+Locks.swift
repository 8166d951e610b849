import OpenWOFiles
public import OpenWOHistory
import SystemPackage

/// Errors about locks, and about other programs and devices.
extension StoreError {
  /// Somebody holds the lock: a person of this device, or another device.
  static func isLocked(by lock: StoreLock, isOurs: Bool, _ paths: StorePaths) -> StoreError {
    let until = lock.until.map { ", until \($0)" } ?? ""
    let note = lock.note.map { " (\(String(printable: $0.utf8)))" } ?? ""
    return StoreError(
      .locked,
      "\(paths.name) is locked for editing "
        + "\(isOurs ? lock.localHolder : "by \(lock.holder)") since "
        + "\(lock.since)\(until)\(note); your data is safe, nothing was written",
      advice: lock.ending(isOurs: isOurs, paths), remedies: lock.remedies(isOurs: isOurs),
      lock: lock)
  }

  /// A process of this machine does not close the database.
  static func heldByProcess(_ path: FilePath, _ paths: StorePaths) -> StoreError {
    let names = ProcessTable.holders(of: path, .flock).map { "\($0.name) (pid \($0.pid))" }
    let who = names.isEmpty ? "another process" : names.joined(separator: ", ")
    return StoreError(
      .busy,
      "\(who) on this machine does not let go of \(paths.name); "
        + "nothing was written",
      advice: paths.next("let it finish or end it, then try again", .lookAgain))
  }

  /// A read of this process does not end.
  static func readHere(_ paths: StorePaths) -> StoreError {
    StoreError(
      .busy, "a read of this app still uses \(paths.name); nothing was changed",
      advice: paths.next("let it end, then try again", .lookAgain), remedies: [.tryAgain])
  }

  /// Another program keeps the file locked, in a transaction or in exclusive mode.
  static func busy(_ paths: StorePaths) -> StoreError {
    StoreError(
      .busy,
      "\(opener(paths)) uses \(paths.name) and keeps it locked; nothing was changed",
      advice: paths.next("save or close it there, then look", .lookAgain))
  }

  /// Another program has the file open in WAL mode, so it cannot be made a single file.
  static func openInWAL(_ paths: StorePaths) -> StoreError {
    StoreError(
      .busy,
      "\(opener(paths)) has \(paths.name) open in WAL mode; what it has committed is "
        + "a version, but the file cannot be brought up to date until it is closed",
      advice: paths.next("close it there, then", .sync))
  }

  /// The other programs that have the file open, for people.
  private static func opener(_ paths: StorePaths) -> String {
    let openers = ProcessTable.openers(of: paths.database).map { "\($0.name) (pid \($0.pid))" }
    return openers.isEmpty ? "another program" : openers.joined(separator: ", ")
  }

  /// The lock's holder may be writing into this very file.
  static func sharesFile(_ lock: StoreLock, _ paths: StorePaths) -> StoreError {
    StoreError(
      .locked,
      "\(lock.holder) has the lock and can write into this very \(paths.name); "
        + "nothing was captured, and later changes are in the file only",
      advice: paths.next("when the edit is finished, run there", .unlockThere)
        .or("to end the lock from here", .endLock(lock)), remedies: [.endLock(lock)], lock: lock)
  }

  /// Something waits for the end of a lock.
  static func waitsForUnlock(
    _ lock: StoreLock, isOurs: Bool, _ paths: StorePaths
  ) -> StoreError {
    guard !isOurs else {
      return StoreError(
        .locked,
        "\(paths.name) is locked for editing on this device; the edit becomes a "
          + "version when the lock ends",
        advice: paths.next("when the edit is finished", .unlock),
        remedies: lock.remedies(isOurs: true), lock: lock)
    }
    return StoreError(
      .locked,
      "\(paths.name) waits for the end of the lock of \(lock.holder); nothing was "
        + "changed, your data is safe",
      advice: paths.next("when it has ended", .sync), lock: lock)
  }

  /// There is no lock of this device to end.
  static func noLock(_ paths: StorePaths, other: StoreLock?, isOurs: Bool) -> StoreError {
    guard let other else {
      return StoreError(
        .notYourLock, "\(paths.name) is not locked",
        advice: paths.next("see its state", .lookAgain))
    }
    guard !isOurs else {
      return StoreError(
        .notYourLock,
        "the lock on \(paths.name) is \(other.id), \(other.localHolder), "
          + "since \(other.since)",
        advice: other.ending(isOurs: true, paths), remedies: other.remedies(isOurs: true),
        lock: other)
    }
    return StoreError(
      .notYourLock,
      "the lock on \(paths.name) belongs to \(other.holder), since \(other.since)",
      advice: other.ending(isOurs: false, paths), remedies: other.remedies(isOurs: false),
      lock: other)
  }

  /// The state of the edit under a lock that somebody else ended.
  enum Leftover {
    case none, kept(VersionID)
    /// It was no whole database, and was set aside.
    case damaged(String)
    /// It is still in the file.
    ///
    /// Another lock, or a service that is writing, keeps it from being captured now.
    case waiting
  }

  /// The lock was taken away while it was held; the edit is kept.
  static func lockLost(_ lock: StoreLock, _ edit: Leftover, _ paths: StorePaths) -> StoreError {
    var (version, advice): (VersionID?, Advice) = (
      nil, paths.next("see what is live now", .chooseVersion)
    )
    let said: String
    var remedies: [Remedy] = []
    switch edit {
    case .none: said = "nothing had been edited"
    case .kept(let id):
      version = id
      said = "your edit is kept as version \(id.short)"
    case .damaged(let why):
      said = "the file was damaged (\(why)) and was kept aside; the versions are safe"
    case .waiting:
      said = "your edit is in the database, but not in a version yet"
      advice = paths.next("to keep it as a version, once nobody else has the lock", .sync)
      remedies = [.sync]
    }
    return StoreError(
      .lockLost, "the lock \(lock.id) had been ended before you unlocked; \(said)",
      advice: advice, remedies: remedies, lock: lock, version: version)
  }

  /// The lock was taken away while it was asked for.
  static func lockEnded(_ lock: StoreLock, _ paths: StorePaths) -> StoreError {
    StoreError(
      .lockLost,
      "the lock \(lock.id) was ended from elsewhere before \(paths.name) was yours; "
        + "nothing was written",
      advice: paths.next("ask for it again", .lock), remedies: [.tryAgain], lock: lock)
  }

  /// A lock that this openwo cannot read.
  static func newerLock(_ file: FilePath, _ paths: StorePaths) -> StoreError {
    StoreError(
      .newerFormat,
      "\(paths.name) is locked by a newer openwo, in \(paths.called(file).printable); nothing was "
        + "written",
      advice: paths.next("update openwo, then try again", .update))
  }

  /// Adds to an error of `unlock` that the lock is still held, and how to end it.
  func whileLocked(_ paths: StorePaths) -> StoreError {
    var error = self
    switch code {
    case .busy:
      error.advice = paths.next("save or close it there, then", .unlock)
      error.remedies = [.closeOtherPrograms, .unlock]
    case .noSpace:
      error.advice = paths.next("make room, then", .unlock)
      error.remedies = [.freeSpace, .unlock]
    case .locked: break
    default: return self
    }
    error.message += "; the lock and the edit are kept"
    return error
  }
}

extension StoreLock {
  /// The holder for people: user, device and program.
  public var holder: String { String(printable: "\(user) on \(deviceName) (\(program))".utf8) }

  /// Who holds a lock of this device, for people: user and program, and the process that it ends with.
  var localHolder: String {
    let process = process.map { ", pid \($0.pid)" } ?? ""
    return "on this device by \(String(printable: "\(user) (\(program)\(process))".utf8))"
  }

  /// How the lock ends, with the one step that works on this device.
  func ending(isOurs: Bool, _ paths: StorePaths) -> Advice {
    guard isOurs else {
      let device = String(printable: deviceName.utf8)
      return paths.next(
        "it ends when the edit on \(device) is finished; to end it from here", .endLock(self))
    }
    // Ending the lock of a running program would take it away during its edit.
    guard !endsWithProcess else {
      return paths.next("it ends with that program; see when", .lookAgain)
    }
    return paths.next("when the edit is finished", .unlock)
  }
}

extension VersionID {
  /// The first 12 digits, for people.
  public var short: String { String(description.prefix(12)) }
}
