import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Errors about the database itself.
extension StoreError {
  static func missing(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "\(paths.name) is missing; nothing was created, the versions are safe",
      hint: "the service may be replacing it; to put the newest version back: "
        + paths.openwo("sync"), remedies: [.sync, .waitForService])
  }

  static func unusable(_ why: String, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "\(paths.name) cannot be read: \(String(printable: why.utf8)); nothing was "
        + "changed, the versions are safe",
      hint: "put away what has its name, then bring the database back: mv \(paths.shellName) "
        + paths.called(FilePath(bytes: paths.database.bytes + Array(".away".utf8))).shellName
        + " && \(paths.openwo("sync"))", remedies: [.checkFolder, .sync])
  }

  static func interrupted(_ paths: StorePaths) -> StoreError {
    StoreError(
      .busy,
      "a program was interrupted while it wrote \(paths.name), and its journal is "
        + "beside it; nothing was changed",
      hint: "bring it to a whole state: \(paths.openwo("sync"))", remedies: [.sync])
  }

  static func notDownloaded(_ item: FilePath, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "\(paths.called(item).printable) has not been downloaded to this device yet; nothing was changed, "
        + "your data is safe",
      hint: "let the service bring it, then: \(paths.openwo("sync"))",
      remedies: [.waitForService, .tryAgain])
  }

  static func notGranted(_ why: String, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "the system did not let openwo use \(paths.name): \(String(printable: why.utf8)); nothing was "
        + "changed",
      hint: "try again in a moment: \(paths.openwo("sync"))", remedies: [.tryAgain])
  }

  static func headMoved(
    from expected: VersionID, to current: VersionID, _ paths: StorePaths
  ) -> StoreError {
    StoreError(
      .headMoved,
      "\(paths.name) is version \(current.short) by now, and not \(expected.short); "
        + "nothing was changed",
      hint: "see what has come: \(paths.openwo("diff")) \(expected.short) @")
  }

  static func waits(_ reason: String, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "\(paths.name) is not up to date yet: \(reason); your data is safe",
      hint: "try again in a moment: \(paths.openwo("sync"))", remedies: [.sync])
  }

  static func copyNotWhole(
    _ file: FileName, _ problem: String?, _ paths: StorePaths
  ) -> StoreError {
    let why = problem.map { " (\(String(printable: $0.utf8)))" } ?? ""
    return StoreError(
      .copyNotWhole,
      "\(paths.name) is in conflict: the copy \(file) is not whole\(why), so nothing was taken from "
        + "it; all else is safe",
      hint: "see what can be done: \(paths.openwo("doctor"))")
  }

  static func unarrived(_ version: Version, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "version \(version.id.short) of \(String(printable: version.deviceName.utf8)) is here, and a file that "
        + "it rests on is not; all other versions are safe",
      hint: "let the service bring it, and look closer: \(paths.openwo("doctor"))",
      remedies: [.waitForService])
  }

  static func stillArriving(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable, "\(paths.name) is still arriving; nothing was written",
      hint: "try again in a moment, or look: \(paths.openwo("status"))")
  }

  static func replaced(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "another file took the place of \(paths.name) before anything was written",
      hint: "write it again, or look: \(paths.openwo("status"))", remedies: [.tryAgain])
  }

  static func overwritten(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "another program wrote over \(paths.name) before anything was written",
      hint: "write it again, or look: \(paths.openwo("status"))", remedies: [.tryAgain])
  }

  static func logStays(_ cause: FileError, _ paths: StorePaths) -> StoreError {
    let cause = cause.renamed(paths.called)
    let path = cause.path ?? paths.called(paths.writeAheadLog)
    return StoreError(
      cause.isNotPermitted ? .notPermitted : .io,
      "\(paths.name) is a single file again, with all rows, but \(cause.message); it "
        + "holds nothing any more",
      hint: "remove it: rm \(path.shellName)", remedies: [.closeOtherPrograms])
  }

  static func inDoubt(_ why: String, _ paths: StorePaths) -> StoreError {
    StoreError(
      .inDoubt,
      "whether the write to \(paths.name) took place could not be found out (\(why))",
      hint: "read it back before you write again: \(paths.openwo("status"))")
  }

  static func notCaptured(_ cause: any Error, _ paths: StorePaths) -> StoreError {
    let why = (cause as? StoreError)?.message ?? "\(cause)"
    return StoreError(
      .inDoubt,
      "the write is in \(paths.name), but not in a version yet (\(why))",
      hint: "do not write it again; to keep it as a version: \(paths.openwo("sync"))",
      remedies: [.sync])
  }

  static func setAside(_ version: VersionID, _ paths: StorePaths) -> StoreError {
    StoreError(
      .setAside,
      "another file took the place of \(paths.name) during the write; the write is "
        + "kept as version \(version.short), but it is not live",
      hint: "to make it live: \(paths.openwo("restore")) \(version.short)",
      version: version)
  }

  static func nested(_ paths: StorePaths) -> StoreError {
    StoreError(
      .nested, "the store was used inside a read or write of its own; nothing was done",
      hint: "use the connection that the closure was given")
  }

  static func closedMeanwhile(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "the store was closed while the call waited, and the call ended there; your data is safe",
      hint: "open the store again; see how it is: \(paths.openwo("status"))")
  }

  static func wroteInRead(_ paths: StorePaths) -> StoreError {
    StoreError(
      .usage, "a read tried to write; it was rolled back",
      hint: "use write for what changes the database")
  }

  static func endedInside(_ paths: StorePaths) -> StoreError {
    StoreError(
      .usage,
      "the transaction ended inside the closure, by COMMIT or ROLLBACK or an error that takes all of it back; "
        + "nothing of it was written",
      hint: "let errors of SQLite leave the closure, and leave its end to the store")
  }

  /// A file was kept aside before another content took its place.
  static func quarantined(_ file: QuarantinedFile, _ paths: StorePaths) -> StoreError {
    let kind = file.looksEncrypted ? "; it is perhaps encrypted" : ""
    return StoreError(
      .damaged,
      "what was in \(paths.name) is not a whole database (\(file.why))\(kind); it is "
        + "kept as \(file.id), and the versions are safe",
      hint: "write out what can be read of it: \(paths.openwo("recover")) \(file.id) "
        + "-o FILE")
  }

  /// No damaged file is meant, or several may be; nil: none was named.
  static func noSuchQuarantine(
    _ word: String?, among files: [QuarantinedFile], _ paths: StorePaths
  ) -> StoreError {
    let called = word.map { " called \(String(printable: $0.utf8))" } ?? ""
    let what =
      files.isEmpty
      ? "no damaged file\(called) is kept here"
      : "\(files.count) damaged files\(called) are kept here"
    return StoreError(
      .noSuchVersion, "\(what); nothing was written",
      hint: "see them all: \(paths.openwo("history --all"))")
  }

  static func nothingToRecover(_ file: QuarantinedFile, _ paths: StorePaths) -> StoreError {
    let kind = file.looksEncrypted ? "; it is perhaps encrypted" : ""
    return StoreError(
      .notRestorable,
      "nothing in \(file.id) can be read as a database\(kind); it is kept, nothing was written",
      hint: "the versions are safe; see them: \(paths.openwo("history"))",
      remedies: [.chooseVersion])
  }

  static func damagedEdit(
    _ why: String, _ kept: QuarantinedFile?, _ paths: StorePaths
  ) -> StoreError {
    StoreError(
      .damaged,
      "the edit left \(paths.name) damaged (\(why)); the lock is kept, the version "
        + "from before is safe\(kept.map { ", and a copy of the edit is kept as \($0.id)" } ?? "")",
      hint: "to go back to the state before the lock: \(paths.openwo("unlock --discard"))",
      remedies: [.discardEdit])
  }

  static func brokenReferences(
    _ first: ForeignKeyViolation, count: Int, _ paths: StorePaths
  ) -> StoreError {
    let row = first.rowID.map { "row \($0) of" } ?? "a row of"
    let more = count > 1 ? ", and \(count - 1) more" : ""
    return StoreError(
      .brokenReferences,
      "the edit left \(row) \(String(printable: first.table.utf8)) pointing at a missing row of "
        + "\(String(printable: first.parent.utf8))\(more); the lock is kept, nothing was captured",
      hint: "mend it: \(paths.openwo("edit")) -- sqlite3; or go back: "
        + paths.openwo("unlock --discard"), remedies: [.discardEdit])
  }
}
