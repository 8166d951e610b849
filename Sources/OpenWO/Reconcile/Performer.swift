import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Carries out one action of a plan.
///
/// Each first checks that it still fits.
struct Performer: StorePart {
  let store: Store

  private var copies: ExaminedCopies { ExaminedCopies(store: store) }
  private var resolver: HeadResolver { HeadResolver(store: store) }
  private var manifest: ManifestKeeper { ManifestKeeper(store: store) }
  private var checkOut: CheckOut { CheckOut(store: store) }

  /// Takes a step and returns the step that was taken, or the wait that resulted.
  func perform(_ action: Action) throws -> Action {
    switch action {
    case .publish: try publishing.run()
    case .acknowledge(let lock): try acknowledge(lock)
    case .captureLive(let reason): try captureLive(reason)
    case .captureCopy(let file): try copies.capture(file)
    case .captureAside(let file): try copies.capture(file, isAside: true)
    case .remove(let file): try copies.remove(file)
    case .setAside(let file): try copies.setAside(file)
    case .store(let id, let file): try copies.storeInFull(id, from: file)
    case .fold: try LoggedDatabase(store: store).fold()
    case .settle(let heads, let winner, _): try resolver.settle(heads, winner: winner)
    case .merge(let heads): return try resolver.merge(heads)
    case .join(let parents): return try resolver.join(parents)
    case .keepStore(let known): try manifest.write(known)
    case .removeStray(let file, let known): try manifest.removeStray(file, known)
    case .note(let id): try checkOut.note(id)
    case .adopt(let id): try checkOut.adopt(id)
    case .repair(let id, let reason): try checkOut.adopt(id, damage: reason)
    case .putBack(let ids): try VanishedVersions(store: store).putBack(ids)
    case .wait: break
    }
    return action
  }

  /// Captures what somebody else wrote into the live file.
  ///
  /// A known content that a person put back is a child of the version that was live.
  private func captureLive(_ reason: VersionReason) throws {
    if let logged = workingCopy.logged { return try LoggedDatabase(store: store).capture(logged) }
    let parents: [VersionID]
    do {
      parents = try EvidenceGatherer(store: store).origins(
        ofLive: reason == .restore ? .putBack : .live, workingCopy.open()
      ).parents
    } catch let error as SQLiteError {
      // Another program has begun a transaction since, or another file has come, which may be in WAL mode.
      // The next look is to find that program, too, instead of planning the same again.
      throw try workingCopy.hasOvertakenLook(error) ? StaleLook() : error
    }
    try store.asWriter {
      // The parents were found for the file that was looked at.
      guard try workingCopy.isAsSeen(workingCopy.open().signature) else {
        throw StaleLook()
      }
      let modified = Timestamp(nanoseconds: try files.lstat(paths.database).mtime)
      try LiveCapture(store: store).capture(reason: reason, parents: parents, modified: modified)
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
