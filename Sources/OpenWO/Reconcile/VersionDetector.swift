import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Looks at the folder and says what is there: the live file, the versions, the locks.
///
/// It changes nothing there.
struct VersionDetector: StorePart {
  let store: Store

  /// Returns everything that a plan is made from.
  func look() throws -> Sighting {
    let listing = try versions.listed()
    let awaited = try store.folder.awaited()
    let lock = try coordinator.lockInTheWay()
    let isUntouched = try lock != nil && workingCopy.isUntouched()
    let live = try lock.map { try lookUnderLock($0, listing) } ?? lookAtLive(listing)
    // It may be known by the very version that cannot be read now.
    if case .whole(let content, let changedAt) = live, !listing.graph.contains(content: content) {
      try awaitUnread(listing.archive, changedAt)
    }
    var seen = Sighting(device: device.id, now: now, live: live, graph: listing.graph)
    seen.current = workingCopy.current
    seen.isUntouched = isUntouched
    try compare(&seen)
    // The holder of a lock waits for earlier writes, so they are published before this device
    // acknowledges.
    seen.hasPending = lock == nil ? publishing.isDue(listing) : !listing.pending.isEmpty
    seen.isAlone = try awaited.version == nil && isAlone(listing)
    seen.lock = try lock.map(sight)
    if lock == nil {
      let (copies, unread) = try lookAtCopies(listing)
      (seen.copies, seen.hasUnreadCopies) = (copies, unread != nil || awaited.copies)
    }
    if lock == nil, awaited.version == nil {
      seen.vanished = try versions.vanished(listing, now: now)
    }
    seen.incomplete = listing.incomplete
    seen.refusedJoins = store.upkeep.refusedJoins
    seen.forgotten = try listing.incomplete.isEmpty ? [] : coordinator.forgotten()
    if lock == nil { seen.beginning = try lookAtBeginnings(listing) }
    seen.hasUnreadVersions = listing.archive.unread != nil || awaited.version != nil
    // If the only head is live, its arrival time is not needed.
    if case .whole(let content, _) = live, seen.beginning == nil,
      listing.graph.heads.allSatisfy({ $0.content == content && !seen.incomplete.contains($0.id) })
    {
      return seen
    }
    let heads = seen.graph.heads.map(\.id)
    let begun = seen.beginning?.begun.map(\.version.id) ?? []
    let dated = heads.reduce(Set(heads + begun)) { $0.union(seen.graph.origins(of: $1)) }
    for file in listing.archive.stored where dated.contains(file.version.id) {
      let status = try? files.lstat(file.path)
      seen.arrivals[file.version.id] = status.map { Timestamp(nanoseconds: $0.ctime) }
    }
    return seen
  }

  /// Compares the live file with the baseline.
  private func compare(_ seen: inout Sighting) throws {
    if let signature = try workingCopy.signature() {
      seen.isSameFile = workingCopy.isSameFile(signature)
      seen.isWritten = workingCopy.isWritten(signature)
    }
    var unknown: Timestamp?
    if seen.isWritten, case .whole(let content, let changedAt) = seen.live,
      !seen.graph.contains(content: content)
    {
      unknown = changedAt
    }
    seen.unknownSince = store.upkeep.sawUnknown(since: unknown, after: seen.current)
  }

  /// Whether no other device has ever been seen.
  ///
  /// Its device file may be the last of its files that arrives.
  ///
  /// A device that was seen once is remembered, as a service may remove all its files for a moment.
  /// A missing parent may be another device's.
  func isAlone(_ listing: VersionListing) throws -> Bool {
    let met = state.othersMet
    if try files.statusIfPresent(met) != nil { return false }
    let (records, unread) = try coordinator.readableDevices()
    let isAlone =
      listing.devices.isSubset(of: [device.id])
      && records.allSatisfy { $0.id == device.id }
    if !isAlone { try? AtomicFile.write([], to: met, durable: false, fileSystem: files) }
    return isAlone && unread == nil && listing.graph.missingParents.isEmpty
  }

  private func sight(_ lock: StoreLock) throws -> Sighting.LockInSight {
    let isOurs = lock.device == device.id
    return Sighting.LockInSight(
      lock: lock, isOurs: isOurs, isAcknowledged: try coordinator.hasAcknowledged(lock))
  }

  /// The state of the live file while somebody has the lock.
  ///
  /// Only what a program wrote here in place is looked into, and read-only: the rest may be the holder's unfinished edit.
  private func lookUnderLock(
    _ lock: StoreLock, _ listing: VersionListing
  ) throws -> Sighting.Live {
    guard let status = try files.statusIfPresent(paths.database) else {
      return .missing(since: now)
    }
    if let content = workingCopy.content, workingCopy.isAsRecorded(status.signature) {
      return .whole(content, changedAt: Timestamp(nanoseconds: status.ctime))
    }
    if lock.device == device.id { return .unreadable(.ownLock) }
    if lock.mayReach(paths, files) { return .unreadable(.sharedLock) }
    guard workingCopy.isWritten(status.signature) else { return .unreadable(.delivered) }
    workingCopy.beginLook()
    let live = try lookAtLive(listing)
    guard case .writeAheadLog = live else { return live }
    return try LoggedDatabase(store: store).look(listing)
  }

  /// The state of the live file; read through SQLite, and only when its signature is not the recorded one.
  func lookAtLive(_ listing: VersionListing) throws -> Sighting.Live {
    guard let status = try files.statusIfPresent(paths.database) else {
      let folder = try files.stat(paths.folder)
      return .missing(since: Timestamp(nanoseconds: folder.ctime))
    }
    // When it took this form here; its modification time may come from another device's clock.
    let changedAt = Timestamp(nanoseconds: status.ctime)
    if let why = status.kind.whyNoDatabase { return .unreadable(.unusable(why)) }
    if status.isHollow {
      let live = Sighting.Live.doubtful("it is nearly all holes", changedAt: changedAt)
      workingCopy.remember(live, of: status.signature)
      return live
    }
    if let content = workingCopy.content, workingCopy.isAsRecorded(status.signature) {
      return try isChangedByJournal()
        ? read(listing, changedAt) : .whole(content, changedAt: changedAt)
    }
    return try workingCopy.remembered(status.signature) ?? read(listing, changedAt)
  }

  /// Lets SQLite handle a journal beside the live file, and returns whether it changed the file.
  ///
  /// A program died in a transaction, or a service delivered it: neither may wait until another
  /// program opens the file.
  private func isChangedByJournal() throws -> Bool {
    guard try files.statusIfPresent(paths.journal) != nil else { return false }
    do {
      let file = try workingCopy.open()
      try file.connection.withReadLock {}
      return try !file.isUntouched()
    } catch let error as SQLiteError where error.code == .busy {
      return false
    } catch  where error is SQLiteError || error is StaleLook {
      return true
    }
  }

  private func read(_ listing: VersionListing, _ changedAt: Timestamp) throws -> Sighting.Live {
    do {
      let file = try workingCopy.open()
      if let doubt = try file.doubt() { return seen(file, .doubtful(doubt, changedAt: changedAt)) }
      return try file.connection.withReadLock {
        try file.acknowledgeUnknown()
        if try mayStillGrow(file, listing, changedAt) {
          return .doubtful("it is longer than its header says", changedAt: changedAt)
        }
        let content = try LiveContent(file.connection)
        let digests = try content.digests()
        let live = try judge(file, content, digests.root, listing, changedAt)
        if case .whole(let hash, _) = live, !listing.graph.contains(content: hash),
          let sign = try torn(file, changedAt)
        {
          return .doubtful(sign, changedAt: changedAt)
        }
        return seen(file, live, digests)
      }
    } catch is StaleLook {
      return try overtaken()
    } catch let error as SQLiteError {
      return try sighting(of: error, changedAt)
    }
  }

  /// Keeps what was seen, so that an unchanged file is read once.
  private func seen(
    _ file: LiveFile, _ live: Sighting.Live, _ digests: BlockDigests? = nil
  ) -> Sighting.Live {
    workingCopy.remember(live, of: file.signature, digests)
    return live
  }

  private func judge(
    _ file: LiveFile, _ content: LiveContent, _ hash: ContentHash, _ listing: VersionListing,
    _ changedAt: Timestamp
  ) throws -> Sighting.Live {
    if listing.graph.contains(content: hash) { return .whole(hash, changedAt: changedAt) }
    let pageSize = try file.connection.header().pageSize
    if try isMix(content, pageSize: pageSize, listing, changedAt: changedAt) {
      return .doubtful("it is a mix of several versions", changedAt: changedAt)
    }
    let isDelivered = try isDelivered(file, listing)
    if let damage = try file.connection.damage(ifDelivered: isDelivered) {
      return .doubtful(damage, changedAt: changedAt)
    }
    return .whole(hash, changedAt: changedAt)
  }

  /// Whether a service may have brought what is there: no program wrote it into the file that this
  /// device knows, or somebody wrote over the file during a write.
  private func isDelivered(_ file: LiveFile, _ listing: VersionListing) throws -> Bool {
    if workingCopy.isOverwritten(file.signature) { return true }
    return try !workingCopy.isWritten(file.signature) && !isAlone(listing)
  }

  /// Whether a file that is longer than its header says may still be waiting for its new header.
  private func mayStillGrow(
    _ file: LiveFile, _ listing: VersionListing, _ changedAt: Timestamp
  ) throws -> Bool {
    guard try file.hasBytesBehind() else { return false }
    let age = now.milliseconds(since: changedAt)
    return try 0..<rules.policy().settleTime ~= age && isDelivered(file, listing)
  }

  /// A sign that a file which has just changed is half written: a service that writes in place looks like a program of this device.
  ///
  /// Once the file has been still for a while, the same sign is a finding and the content is kept.
  private func torn(_ file: LiveFile, _ changedAt: Timestamp) throws -> String? {
    let age = now.milliseconds(since: changedAt)
    guard try 0..<rules.policy().settleTime ~= age else { return nil }
    return try file.connection.findings().torn
  }

  /// The state of a live file that was changed or replaced during the look.
  private func overtaken() throws -> Sighting.Live {
    workingCopy.close()
    guard try files.statusIfPresent(paths.database) != nil else {
      return .missing(since: now)
    }
    return .changing
  }

  private func sighting(
    of error: SQLiteError, _ changedAt: Timestamp
  ) throws -> Sighting.Live {
    guard let status = try files.statusIfPresent(paths.database) else {
      return .missing(since: now)
    }
    if error.code == .readOnly { return .unreadable(.interrupted) }
    switch error.extendedCode {
    case .walRefused: return .writeAheadLog(changedAt: changedAt)
    case .busy, .locked: return .unreadable(.busy)
    case .corrupt, .notADatabase:
      let live = Sighting.Live.doubtful(error.message, changedAt: changedAt)
      workingCopy.remember(live, of: status.signature)
      return live
    case .cannotOpen:
      // SQLite does not say that it may not.
      try files.checkReadable(paths.database)
      return .unreadable(.unusable(error.message))
    default: return .unreadable(.unusable(error.message))
    }
  }
}

extension FileStatus.Kind {
  /// Why a file of this kind is not a database; nil for a regular file.
  fileprivate var whyNoDatabase: String? {
    switch self {
    case .regular: nil
    case .directory: "a folder has its name"
    case .symlink: "a symbolic link has its name"
    case .other: "it is not a regular file"
    }
  }
}

extension Timestamp {
  init(nanoseconds: Int64) {
    self.init(milliseconds: nanoseconds / 1_000_000)
  }
}
