import OpenWOFiles
import OpenWOHistory
package import SystemPackage

/// The repairs of `doctor --repair`: each adds files or rewrites openwo's own.
extension Doctor {
  /// One thing to do.
  private enum Step {
    case share([FilePath])
    case sweep([FilePath])
    case putBack([VersionID])
    case storeLive(Version)
    case showSelf
    case endLock(StoreLock)
  }

  /// Does what is safe, or only says what that would be.
  ///
  /// - Throws: `noStore` if there is nothing to repair; what stops a step.
  static func repair(
    _ path: FilePath, _ configuration: Configuration, dryRun: Bool
  ) throws -> [Repair] {
    let paths = try StorePaths.resolve(path, configuration)
    return try StoreError.wrapping(paths) {
      var done: [Repair] = []
      if let lost = try LostStore.find(paths, configuration) {
        done = lost.repairs
        if dryRun { return done }
        try lost.putBack(configuration)
      }
      var configuration = configuration
      configuration.opensAsFound = true
      return try Store.using(path, configuration) { store in
        store.versions.readsEveryHeader = true
        try Preparing(store: store).run()
        let doctor = Doctor(store: store)
        for step in try doctor.steps() {
          done.append(doctor.repair(step))
          if !dryRun { try doctor.take(step) }
        }
        return done
      }
    }
  }

  private func steps() throws -> [Step] {
    let listing = try store.versions.list()
    let isLocked = try store.coordinator.lockInSight() != nil
    let vanished =
      isLocked
      ? []
      : try store.versions.vanished(listing, now: store.now)?.versions
        ?? store.versions.damagedButKept(listing)
    let unshared = try unsharedPaths()
    let left = AbandonedFiles(store: store).all()
    var steps: [Step] = []
    if !unshared.isEmpty { steps.append(.share(unshared)) }
    if !vanished.isEmpty { steps.append(.putBack(vanished)) }
    if !isLocked, vanished.isEmpty, let version = try versionToStore(listing) {
      steps.append(.storeLive(version))
    }
    if try isHidden() { steps.append(.showSelf) }
    steps += try spentLocks().map { .endLock($0) }
    if !left.isEmpty { steps.append(.sweep(left)) }
    return steps
  }

  private func repair(_ step: Step) -> Repair {
    switch step {
    case .share:
      Repair(
        code: "sharing", message: "let all who may use the database use the files beside it",
        path: paths.companion.printable)
    case .sweep(let files):
      Repair(
        code: "leftovers",
        message: files.count == 1
          ? "remove a file that an interrupted openwo left unfinished"
          : "remove \(files.count) files that an interrupted openwo left unfinished",
        path: files[0].printable)
    case .putBack(let versions):
      Repair(
        code: "versions",
        message: versions.count == 1
          ? "put back version \(versions[0].short), whose file is gone or damaged"
          : "put back \(versions.count) versions whose files are gone or damaged",
        path: paths.versions.printable)
    case .storeLive(let version):
      Repair(
        code: "versions",
        message: "store version \(version.id.short) again, as its file is gone or damaged, and the "
          + "database still has its content", path: paths.versions.printable)
    case .showSelf:
      Repair(
        code: "deviceFile", message: "write again the file by which other devices know this one",
        path: paths.device(store.device.id).printable)
    case .endLock(let lock):
      Repair(
        code: "lockFile", message: "put away the lock \(lock.id) of this device, which has ended",
        path: paths.lock(store.device.id).printable)
    }
  }

  private func take(_ step: Step) throws {
    switch step {
    case .share(let found): try share(found)
    case .sweep: AbandonedFiles(store: store).sweep()
    case .putBack(let versions): try VanishedVersions(store: store).putBack(versions)
    case .storeLive(let version):
      try ExaminedCopies(store: store).storeInFull(version.id, from: nil)
    case .showSelf:
      let head = store.workingCopy.current
      try store.coordinator.updateOwnRecord { own in
        own.lastSeen = store.now
        own.head = own.head ?? head
      }
    case .endLock(let lock): try store.coordinator.removeLock(lock.id)
    }
  }
}

/// The repairs that are needed.
extension Doctor {
  /// Whether there is anything to repair that `doctor` can name in a finding.
  func unsharedPaths() throws -> [FilePath] {
    // A link's own mode says nothing of who may use the database.
    guard let database = try files.statusIfPresent(paths.database), database.kind == .regular
    else { return [] }
    let wanted = database.mode
    let isLacking = try (paths.ownFolders + [paths.manifest]).contains { path in
      guard let found = try files.statusIfPresent(path)?.mode else { return false }
      return wanted & 0o066 & ~found != 0
    }
    guard isLacking else { return [] }
    let folders = try paths.ownFolders.filter { try files.statusIfPresent($0) != nil }
    return try folders.flatMap { folder in
      try [folder] + files.list(folder).map { folder.appending($0) }
    }
  }

  private func share(_ found: [FilePath]) throws {
    guard let database = try files.statusIfPresent(paths.database) else { return }
    let wanted = database.mode & 0o066
    for path in Set(found) {
      guard let status = try files.statusIfPresent(path),
        [.regular, .directory].contains(status.kind)
      else { continue }
      let entering = status.kind == .directory ? (wanted & 0o044) >> 2 : 0
      let mode = status.mode | wanted | entering
      if mode != status.mode { try files.chmod(path, mode) }
    }
  }

  /// The version that the live file is whole of, while no file has its content.
  func versionToStore(_ listing: VersionListing) throws -> Version? {
    let look = try store.session.looking { try VersionDetector(store: store).look() }
    guard case .whole(let content, _) = look.live, try !store.versions.isRestorable(content) else {
      return nil
    }
    let holders = listing.archive.stored.filter { $0.folder == paths.versions }.map(\.version)
    return listing.graph.winner(among: holders.filter { $0.content == content })
  }

  /// Whether the other devices do not see this one, or see it at a time to come.
  private func isHidden() throws -> Bool {
    // A device that has not taken part in the store yet has nothing to show.
    guard workingCopy.baseline != nil else { return false }
    let own = try store.coordinator.readableDevices().records.first { $0.id == store.device.id }
    guard let own else { return true }
    return own.lastSeen > store.now.advanced(bySeconds: 300)
  }

  /// Locks of this device that have ended and whose edit is a version.
  private func spentLocks() throws -> [StoreLock] {
    let live = store.workingCopy
    guard try live.isAsRecorded(live.signature()) else { return [] }
    return try store.coordinator.board().ended.map(\.lock).filter { $0.device == store.device.id }
  }
}

extension SyncedDatabase {
  /// Repairs what ``examine(path:configuration:)`` finds, as far as that is safe: it adds files or
  /// rewrites openwo's own, and never touches the database.
  ///
  /// A dry run only returns what would be done.
  ///
  /// - Throws: ``StoreError`` with `noStore` or `unavailable` if there is nothing to repair, `noSpace`, `notPermitted`.
  public static func repair(
    path: String, configuration: Configuration = Configuration(), dryRun: Bool = false
  ) throws -> [Repair] {
    try repair(at: FilePath(path), configuration: configuration, dryRun: dryRun)
  }

  /// Does what is safe for a store whose path need not be text.
  package static func repair(
    at path: FilePath, configuration: Configuration, dryRun: Bool
  ) throws -> [Repair] {
    try coordinating(dryRun ? .reading : .writing, path, configuration) {
      try Doctor.repair(path, configuration, dryRun: dryRun)
    }
  }
}
