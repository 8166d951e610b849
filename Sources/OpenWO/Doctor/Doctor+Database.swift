import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Checks of the database, its openers, its versions, its clocks and locks.
extension Doctor {
  func checkLive() throws -> [Finding] {
    try store.session.looking {
      try coordinator.lockInTheWay().map(checkLive(under:)) ?? checkUnlocked()
    }
  }

  private func checkUnlocked() throws -> [Finding] {
    switch try VersionDetector(store: store).look().live {
    case .missing: return [Finding(StoreError.missing(paths))]
    case .doubtful(let why, _): return [Finding(StoreError.damaged(why, paths))]
    case .unreadable(.unusable(let why)): return [Finding(StoreError.unusable(why, paths))]
    case .unreadable(.interrupted): return [Finding(StoreError.interrupted(paths))]
    case .unreadable: return [keptLocked]
    case .changing:
      return [
        Finding(
          .warning, "live", "another program is just writing the database",
          advice: paths.next("look again", .examine), remedies: [.tryAgain])
      ]
    case .writeAheadLog:
      return [
        Finding(
          .warning, "walMode", "the database is in WAL mode, which a synced folder tears apart",
          advice: paths.next("close other programs, then", .sync),
          remedies: [.closeOtherPrograms, .sync])
      ]
    case .whole:
      do { return try checkContent(store.workingCopy.open().connection) } catch let error
        as SQLiteError where error.code == .busy
      {
        return [keptLocked]
      }
    }
  }

  private var keptLocked: Finding {
    Finding(
      .warning, "live", "the database cannot be looked at: another program keeps it locked",
      advice: paths.next("close other programs, then", .examine), remedies: [.closeOtherPrograms])
  }

  /// Checks the database under a lock; what the editor may still repair is not an error.
  private func checkLive(under lock: StoreLock) throws -> [Finding] {
    let edit = try LockedEdit(lock, in: store)
    switch try edit.live() {
    case .missing: return [Finding(edit.isMissing)]
    case .doubtful(let why, _):
      var found = Finding(edit.isDamaged(why))
      // It may be the half of what its holder writes.
      if !edit.isOurs { found.severity = .warning }
      return [found]
    case .unreadable(.unusable(let why)): return [Finding(StoreError.unusable(why, paths))]
    case .whole(let content, _):
      let broken = try edit.refusal(of: content).map { [Finding($0)] } ?? []
      return try broken + checkContent(store.workingCopy.open().connection)
    case .writeAheadLog:
      return [
        Finding(
          .info, "walMode",
          "the database is in WAL mode; the end of the lock brings it back to a single file")
      ]
    case .unreadable, .changing:
      return [Finding(.info, "live", "a program is writing the database under the lock")]
    }
  }

  /// Checks the content of a database whose structure is whole.
  private func checkContent(_ connection: Connection) throws -> [Finding] {
    let found = try connection.findings(limit: 10)
    let keys = try connection.foreignKeyCheck(limit: 1)
    let unchecked = [found.unchecked].compactMap(\.self) + keys.unchecked
    let findings =
      found.problems.map { problem in
        Finding(
          .warning, "content", "the database is whole, but \(String(printable: problem.utf8))",
          advice: paths.next(
            "its versions keep it as it is; look closer", .sqlite(paths.typed, .integrity)),
          remedies: [.correctCall, .chooseVersion])
      }
      + unchecked.prefix(10).map { why in
        Finding(
          .info, "unchecked",
          "the structure of the database is whole; not all of its rows could be checked: "
            + String(printable: why.utf8),
          advice: paths.next("the app that knows it can", .sqlite(paths.typed, .integrity)))
      }
    return findings.isEmpty ? [Finding(.ok, "live", "the database is whole")] : findings
  }

  /// Checks the quarantine.
  func checkQuarantine() throws -> [Finding] {
    let found = try Recovering(store: store).list()
    return found.map { file in
      let kind = file.looksEncrypted ? "; it is perhaps encrypted" : ""
      return Finding(
        file.isSeen ? .info : .warning, "quarantine",
        "\(file.id) holds what was in the database until \(file.at): "
          + String(printable: file.why.utf8) + kind,
        advice: paths.next("write out what can be read of it", .recover(file.id)),
        remedies: [.chooseVersion, .correctCall])
    }
  }

  /// A database that is written in place under more than one name.
  func checkNames() throws -> [Finding] {
    guard let status = try files.statusIfPresent(paths.database), status.hasOtherNames else {
      return []
    }
    let own = paths.called(FilePath(bytes: paths.database.bytes + Array(".own".utf8)))
    return [
      Finding(
        .warning, "hardLink",
        "\(paths.name) has \(status.links) names, and what is written to it changes "
          + "under all of them",
        advice: paths.next(
          "close other programs, then give it a file of its own", .detach(paths.typed, by: own)),
        remedies: [.closeOtherPrograms])
    ]
  }

  /// The names of the database and the companion in another Unicode form, which people take for the same.
  func checkTwins() throws -> [Finding] {
    try paths.database.twins(files).map { twin in
      Finding(
        .warning, "unicodeTwin",
        "a second file has the name \(twin.lastComponent?.printable ?? "") in another Unicode "
          + "form; what is written to it is kept as versions of the database",
        advice: paths.next(
          "use one of the two everywhere; once the other one is a version, put it away",
          .syncAndMoveHome(paths.called(twin))), remedies: [.sync, .correctCall])
    }
      + paths.companion.twins(files).map { twin in
        Finding(
          .warning, "unicodeTwin",
          "a second folder has the name \(twin.lastComponent?.printable ?? "") in another Unicode "
            + "form; what is in it is not seen here",
          advice: paths.next(
            "let the service bring one form only, then bring it over",
            .bringOver(paths.called(twin), into: paths.called(paths.companion))),
          remedies: [.waitForService, .correctCall])
      }
  }

  /// Links in other folders that lead to the database, or did.
  func checkLinks() throws -> [Finding] {
    try KnownLinks.load(paths, files).links(to: paths.database).compactMap { link in
      let folder = link.removingLastComponent().printable
      if let found = DatabaseLink(link, leadsTo: paths.database, files) {
        guard !found.leadsIntoSyncedFolder(files) else { return nil }
        return Finding(
          .warning, "link",
          "\(link.printable) is a link to \(paths.database.printable): a service that syncs "
            + "\(folder) does not see \(paths.companion.printable)",
          advice: paths.next(
            "if that folder is to be synced, make the store there", .readHelp(.making)),
          remedies: [.correctCall])
      }
      guard try files.statusIfPresent(link) != nil else { return nil }
      return Finding(
        .warning, "link",
        "\(link.printable) was a link to \(paths.database.printable), and another file is there "
          + "now, which this store does not know",
        advice: paths.next("to bring its rows in", .merge(.file(link))),
        remedies: [.chooseFile, .correctCall])
    }
  }

  func checkOpeners() throws -> [Finding] {
    let names = ProcessTable.openers(of: paths.database).map { "\($0.name) (pid \($0.pid))" }
    return names.isEmpty
      ? [Finding(.ok, "openElsewhere", "no other program has the database open")]
      : [
        Finding(
          .info, "openElsewhere", "\(names.joined(separator: ", ")) has the database open",
          advice: paths.next("to edit it there, lock it first", .lock))
      ]
  }

  /// Whether files travel both ways: a device that shows itself with a version of ours has got that from here.
  func checkTravel() throws -> [Finding] {
    let graph = try store.versions.listed().graph
    let own = graph.versions.filter { $0.device == store.device.id }
    guard let latest = own.max(by: { $0.at < $1.at }) else { return [] }
    let others = try store.coordinator.readableDevices().records.filter { $0.id != store.device.id }
    return others.sorted { $0.name < $1.name }.map { other in
      let name = String(printable: other.name.utf8)
      func has(_ version: Version) -> Bool {
        other.head.map { $0 == version.id || graph.isAncestor(version.id, of: $0) } ?? false
      }
      if has(latest) {
        return Finding(
          .ok, "travel", "files travel both ways: \(name) has what this device wrote last")
      }
      let advice = paths.next("", .watchLock)
      // The time of a device whose clock is ahead says nothing.
      let hadTime =
        latest.madeAt.advanced(bySeconds: 3600) < other.lastSeen
        && other.lastSeen <= store.now.advanced(bySeconds: 300)
      if hadTime {
        return Finding(
          .warning, "travel",
          "\(name) was there after this device wrote and has not got it: does the service take \(paths.companion.lastComponent?.printable ?? "the companion folder")?",
          advice: advice, remedies: [.waitForService, .checkFolder])
      }
      return Finding(
        .info, "travel", "\(name) has not yet shown that it has what this device wrote last",
        advice: advice)
    }
  }

  func checkLocks() throws -> [Finding] {
    let board = try store.coordinator.board()
    let standing = board.standing.map { lock in
      Finding(
        .info, "lock", "\(lock.holder) holds the lock \(lock.id) since \(lock.since)",
        advice: lock.ending(isOurs: lock.device == store.device.id, paths),
        remedies: lock.remedies(isOurs: lock.device == store.device.id))
    }
    let ended = try board.ended.filter { $0.lock.device == store.device.id }.map { lock, how in
      try endedLock(lock, how)
    }
    return standing + ended
  }

  /// A lock of this device that ended by itself, or that another device has ended.
  private func endedLock(_ lock: StoreLock, _ how: LockBoard.Ending) throws -> Finding {
    let live = store.workingCopy
    guard try !live.isAsRecorded(live.signature()) else {
      return Finding(
        .info, "lockEnded", "the lock \(lock.id) of this device has ended; no edit waits",
        advice: paths.next("put it away", .unlock))
    }
    return Finding(
      .warning, "lockEnded",
      "the lock \(lock.id) of this device has ended, and its edit waits to be kept",
      advice: paths.next("keep it", how == .processGone ? .sync : .unlock))
  }
}
