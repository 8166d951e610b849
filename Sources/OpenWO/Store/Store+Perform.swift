import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Performs the steps of a plan.
///
/// Each first checks that it still fits.
extension Store {
  /// Takes a step and returns the step that was taken, or the wait that resulted.
  func perform(_ action: Action) throws -> Action {
    switch action {
    case .publish: try publishing.run()
    case .acknowledge(let lock): try acknowledge(lock)
    case .captureLive(let reason): try captureExternal(reason)
    case .captureCopy(let file): try ExaminedCopies(store: self).capture(file)
    case .captureAside(let file): try ExaminedCopies(store: self).capture(file, isAside: true)
    case .remove(let file): try ExaminedCopies(store: self).remove(file)
    case .fold: try LoggedDatabase(store: self).fold()
    case .note(let id): try CheckOut(store: self).note(id)
    case .store(let id, let file): try ExaminedCopies(store: self).storeInFull(id, from: file)
    case .setAside(let file): try ExaminedCopies(store: self).setAside(file)
    case .settle(let heads, let winner, _):
      try HeadResolver(store: self).settle(heads, winner: winner)
    case .merge(let heads): return try HeadResolver(store: self).merge(heads)
    case .join(let parents): return try HeadResolver(store: self).join(parents)
    case .keepStore(let manifest): try ManifestKeeper(store: self).write(manifest)
    case .removeStray(let file, let manifest):
      try ManifestKeeper(store: self).removeStray(file, manifest)
    case .adopt(let id): try CheckOut(store: self).adopt(id)
    case .repair(let id, let reason): try CheckOut(store: self).adopt(id, damage: reason)
    case .putBack(let ids): try VanishedVersions(store: self).putBack(ids)
    case .wait: break
    }
    return action
  }

  /// Captures what somebody else wrote into the live file.
  ///
  /// A known content that a person put back is a child of the version that was live.
  private func captureExternal(_ reason: VersionReason) throws {
    if let logged = workingCopy.logged { return try LoggedDatabase(store: self).capture(logged) }
    let parents: [VersionID]
    do {
      parents = try EvidenceGatherer(store: self).origins(
        ofLive: reason == .restore ? .putBack : .live, workingCopy.open()
      )
      .parents
    } catch let error as SQLiteError {
      // Another program has begun a transaction since, or another file has come, which may be in WAL mode.
      // The next look is to find that program, too, instead of planning the same again.
      throw try workingCopy.hasOvertakenLook(error) ? StaleLook() : error
    }
    try asWriter {
      // The parents were found for the file that was looked at.
      guard try workingCopy.isAsSeen(workingCopy.open().signature) else {
        throw StaleLook()
      }
      let modified = Timestamp(nanoseconds: try files.lstat(paths.database).mtime)
      try LiveCapture(store: self).capture(reason: reason, parents: parents, modified: modified)
    }
  }

  /// Closes the live file and acknowledges another lock in this device's own file.
  private func acknowledge(_ lock: String) throws {
    session.letGo()
    let head = workingCopy.current
    try coordinator.updateOwnRecord { own in
      own.acknowledged.removeAll { $0.lock == lock }
      own.acknowledged = own.acknowledged.suffix(15)
      own.acknowledged.append(.init(lock: lock, head: head, at: now))
      own.head = head
    }
  }
}
