import OpenWOFiles
public import OpenWOHistory
import SystemPackage

/// What is said about locks and about others that are in the way.
extension StoreError {
  /// Somebody holds the lock.
  static func isLocked(by lock: StoreLock, _ paths: StorePaths) -> StoreError {
    let until = lock.until.map { ", until \($0)" } ?? ""
    let note = lock.note.map { " (\(String(printable: $0.utf8)))" } ?? ""
    return StoreError(
      .locked,
      "\(paths.database.printable) is locked for editing by \(lock.holder) since "
        + "\(lock.since)\(until)\(note); your data is safe, nothing was written",
      hint: "when the edit is finished, run on that device: openwo unlock "
        + "\(paths.shellName); to end the lock from here: openwo unlock --force \(lock.id) "
        + paths.shellName,
      lock: lock)
  }

  /// A process of this machine does not let go.
  static func heldByProcess(_ path: FilePath, _ paths: StorePaths) -> StoreError {
    let names = ProcessTable.holders(of: path, .flock).map { "\($0.name) (pid \($0.pid))" }
    let who = names.isEmpty ? "another process" : names.joined(separator: ", ")
    return StoreError(
      .busy,
      "\(who) on this machine does not let go of \(paths.database.printable); "
        + "nothing was written",
      hint: "let it finish or end it, then try again: openwo status \(paths.shellName)")
  }

  /// Another program has the file in a transaction.
  static func busy(_ paths: StorePaths) -> StoreError {
    let openers = ProcessTable.openers(of: paths.database).map { "\($0.name) (pid \($0.pid))" }
    let who = openers.isEmpty ? "another program" : openers.joined(separator: ", ")
    return StoreError(
      .busy, "\(who) has \(paths.database.printable) in a transaction; nothing was changed",
      hint: "save or close it there, then try again")
  }

  /// There is no lock of this device to end.
  static func noLock(_ paths: StorePaths, other: StoreLock?) -> StoreError {
    guard let other else {
      return StoreError(
        .notYourLock, "\(paths.database.printable) is not locked",
        hint: "see who has it: openwo status \(paths.shellName)")
    }
    return StoreError(
      .notYourLock,
      "the lock on \(paths.database.printable) belongs to \(other.holder), since \(other.since)",
      hint: "to end it from here: openwo unlock --force \(other.id) \(paths.shellName)",
      lock: other)
  }

  /// The lock was taken away while it was held; the edit is kept.
  static func lockLost(_ lock: StoreLock, kept: VersionID?, _ paths: StorePaths) -> StoreError {
    let edit =
      kept.map { "your edit is kept as version \($0.short)" } ?? "nothing had been edited"
    return StoreError(
      .lockLost, "the lock \(lock.id) had been ended before you unlocked; \(edit)",
      hint: "see what is live now: openwo history \(paths.shellName)", lock: lock, version: kept)
  }

}

extension StoreLock {
  /// Who holds it, for people: user, device and program.
  public var holder: String { String(printable: "\(user) on \(deviceName) (\(program))".utf8) }
}

extension VersionID {
  /// As many digits as people need to see.
  public var short: String { String(description.prefix(12)) }
}

extension StorePaths {
  /// The database's path as a person can paste it into a shell.
  var shellName: String { database.shellName }
}
