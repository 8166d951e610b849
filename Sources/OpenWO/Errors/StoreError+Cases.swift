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
      advice: paths.next("the service may be replacing it; to put the newest version back", .sync),
      remedies: [.sync, .waitForService])
  }

  static func unusable(_ why: String, _ paths: StorePaths) -> StoreError {
    let away = FilePath(bytes: paths.database.bytes + Array(".away".utf8))
    return StoreError(
      .unavailable,
      "\(paths.name) cannot be read: \(String(printable: why.utf8)); nothing was "
        + "changed, the versions are safe",
      advice: paths.next(
        "put away what has its name, then bring the database back",
        .putAway(paths.typed, as: paths.called(away), then: .sync)),
      remedies: [.checkFolder, .sync])
  }

  static func interrupted(_ paths: StorePaths) -> StoreError {
    StoreError(
      .busy,
      "a program was interrupted while it wrote \(paths.name), and its journal is "
        + "beside it; nothing was changed",
      advice: paths.next("bring it to a whole state", .sync), remedies: [.sync])
  }

  static func notDownloaded(_ item: FilePath, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "\(paths.called(item).printable) has not been downloaded to this device yet; nothing was changed, "
        + "your data is safe",
      advice: paths.next("let the service bring it, then", .sync),
      remedies: [.waitForService, .tryAgain])
  }

  static func notGranted(_ why: String, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "the system did not let openwo use \(paths.name): \(String(printable: why.utf8)); nothing was "
        + "changed",
      advice: paths.next("try again in a moment", .sync), remedies: [.tryAgain])
  }

  static func headMoved(
    from expected: VersionID, to current: VersionID, _ paths: StorePaths
  ) -> StoreError {
    StoreError(
      .headMoved,
      "\(paths.name) is version \(current.short) by now, and not \(expected.short); "
        + "nothing was changed",
      advice: paths.next("see what has come", .compare(expected)))
  }

  static func waits(_ reason: String, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "\(paths.name) is not up to date yet: \(reason); your data is safe",
      advice: paths.next("try again in a moment", .sync), remedies: [.sync])
  }

  static func copyNotWhole(
    _ file: FileName, _ problem: String?, _ paths: StorePaths
  ) -> StoreError {
    let why = problem.map { " (\(String(printable: $0.utf8)))" } ?? ""
    return StoreError(
      .copyNotWhole,
      "\(paths.name) is in conflict: the copy \(file) is not whole\(why), so nothing was taken from "
        + "it; all else is safe",
      advice: paths.next("see what can be done", .examine))
  }

  static func unarrived(_ version: Version, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "version \(version.id.short) of \(String(printable: version.deviceName.utf8)) is here, and a file that "
        + "it rests on is not; all other versions are safe",
      advice: paths.next("let the service bring it, and look closer", .examine),
      remedies: [.waitForService])
  }

  static func stillArriving(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable, "\(paths.name) is still arriving; nothing was written",
      advice: paths.next("try again in a moment, or look", .lookAgain))
  }

  static func replaced(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "another file took the place of \(paths.name) before anything was written",
      advice: paths.next("write it again, or look", .lookAgain), remedies: [.tryAgain])
  }

  static func overwritten(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "another program wrote over \(paths.name) before anything was written",
      advice: paths.next("write it again, or look", .lookAgain), remedies: [.tryAgain])
  }

  static func logStays(_ cause: FileError, _ paths: StorePaths) -> StoreError {
    let cause = cause.renamed(paths.called)
    let path = cause.path ?? paths.called(paths.writeAheadLog)
    return StoreError(
      cause.isNotPermitted ? .notPermitted : .io,
      "\(paths.name) is a single file again, with all rows, but \(cause.message); it "
        + "holds nothing any more",
      advice: paths.next("remove it", .remove(path)), remedies: [.closeOtherPrograms])
  }

  static func inDoubt(_ why: String, _ paths: StorePaths) -> StoreError {
    StoreError(
      .inDoubt,
      "whether the write to \(paths.name) took place could not be found out (\(why))",
      advice: paths.next("read it back before you write again", .lookAgain))
  }

  static func notCaptured(_ cause: any Error, _ paths: StorePaths) -> StoreError {
    let why = (cause as? StoreError)?.message ?? "\(cause)"
    return StoreError(
      .inDoubt,
      "the write is in \(paths.name), but not in a version yet (\(why))",
      advice: paths.next("do not write it again; to keep it as a version", .sync),
      remedies: [.sync])
  }

  static func setAside(_ version: VersionID, _ paths: StorePaths) -> StoreError {
    StoreError(
      .setAside,
      "another file took the place of \(paths.name) during the write; the write is "
        + "kept as version \(version.short), but it is not live",
      advice: paths.next("to make it live", .restore(version)),
      version: version)
  }

  static func nested(_ paths: StorePaths) -> StoreError {
    StoreError(
      .nested, "the store was used inside a read or write of its own; nothing was done",
      advice: Advice("use the connection that the closure was given"))
  }

  static func closedMeanwhile(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "the store was closed while the call waited, and the call ended there; your data is safe",
      advice: paths.next("open the store again; see how it is", .lookAgain))
  }

  static func wroteInRead(_ paths: StorePaths) -> StoreError {
    StoreError(
      .usage, "a read tried to write; it was rolled back",
      advice: Advice("use write for what changes the database"))
  }

  static func endedInside(_ paths: StorePaths) -> StoreError {
    StoreError(
      .usage,
      "the transaction ended inside the closure, by COMMIT or ROLLBACK or an error that takes all of it back; "
        + "nothing of it was written",
      advice: Advice("let errors of SQLite leave the closure, and leave its end to the store"))
  }

  /// A file was kept aside before another content took its place.
  static func quarantined(_ file: QuarantinedFile, _ paths: StorePaths) -> StoreError {
    let kind = file.looksEncrypted ? "; it is perhaps encrypted" : ""
    return StoreError(
      .damaged,
      "what was in \(paths.name) is not a whole database (\(file.why))\(kind); it is "
        + "kept as \(file.id), and the versions are safe",
      advice: paths.next("write out what can be read of it", .recover(file.id)))
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
      advice: paths.next("see them all", .allVersions))
  }

  static func nothingToRecover(_ file: QuarantinedFile, _ paths: StorePaths) -> StoreError {
    let kind = file.looksEncrypted ? "; it is perhaps encrypted" : ""
    return StoreError(
      .notRestorable,
      "nothing in \(file.id) can be read as a database\(kind); it is kept, nothing was written",
      advice: paths.next("the versions are safe; see them", .chooseVersion),
      remedies: [.chooseVersion])
  }

  static func damagedEdit(
    _ why: String, _ kept: QuarantinedFile?, _ paths: StorePaths
  ) -> StoreError {
    StoreError(
      .damaged,
      "the edit left \(paths.name) damaged (\(why)); the lock is kept, the version "
        + "from before is safe\(kept.map { ", and a copy of the edit is kept as \($0.id)" } ?? "")",
      advice: paths.next("to go back to the state before the lock", .discardEdit),
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
      advice: paths.next("mend it", .edit).or("or go back", .discardEdit), remedies: [.discardEdit])
  }
}
