import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Ending the use of openwo for a database, which is an ordinary SQLite file before and after.
struct Leaving: StoreCommand {
  let store: Store
  let removingVersions, evenUnmerged: Bool

  /// Removes what this device remembers of the store, and with `removingVersions` the companion too.
  ///
  /// All that is in the database becomes a version first. Nothing is removed while somebody has the lock, or something is kept that would be
  /// lost or out of sight: another side, a damaged file.
  func run(dryRun: Bool) throws -> LeaveReport {
    try decide()
    if !dryRun {
      let done = try Syncing(store: store).run()
      if case .unsettled(let error) = done.outcome, !evenUnmerged || error.code != .copyNotWhole {
        throw error
      }
      // The last look may have met another side.
      try decide()
      try publishing.run()
    }
    let listing = try versions.list()
    var report = LeaveReport(
      head: try workingCopy.currentVersion()?.id ?? listing.graph.newestHead?.id,
      versions: Set(listing.archive.stored.map(\.version.id)).count,
      bytes: listing.archive.stored.reduce(0) { $0 + $1.fileSize },
      isCompanionRemoved: removingVersions, foreign: [])
    if dryRun { return report }
    try session.alone {
      report.foreign = removingVersions ? try removeCompanion() : []
      if !removingVersions { try removeOwnRecord() }
      try forgetState()
    }
    return report
  }

  private func decide() throws {
    var seen = LeaveFacts(paths: paths, device: store.device.id)
    seen.lock = try coordinator.lockInSight()
    seen.others = try coordinator.deviceRecords().filter { $0.id != store.device.id }
    if !evenUnmerged {
      seen.unmerged = try MergeableSides(store: store).all().first
      seen.copyNotWhole = try ConflictCopies(store: store).list().first { $0.need == .person }
      seen.keptAside = try quarantine.list().first
    }
    try seen.decide(removingVersions: removingVersions, evenUnmerged: evenUnmerged)
  }

  private func removeOwnRecord() throws {
    let path = paths.device(store.device.id)
    guard try files.statusIfPresent(path) != nil else { return }
    try store.companion.inside(paths.devices) { within in try within.unlink(path) }
  }

  /// Removes openwo's own files; answers what is left because it is not one of them.
  private func removeCompanion() throws -> [String] {
    var left: [String] = []
    for folder in [paths.locks, paths.devices, paths.versions] {
      guard try files.statusIfPresent(folder) != nil else { continue }
      for name in try files.list(folder) {
        if Self.isOwn(name) {
          try files.unlink(folder.appending(name))
        } else {
          left.append("\(folder.lastComponent?.string ?? "")/\(name.printable)")
        }
      }
      try? files.removeDirectory(folder)
    }
    try files.unlink(paths.manifest)
    let known = Set(["locks", "devices", "versions"])
    left += try files.list(paths.companion).filter { !known.contains($0.string) }.map(\.printable)
    try? files.removeDirectory(paths.companion)
    return left.sorted()
  }

  /// Whether a file in one of the companion's folders has a name that openwo gives.
  private static func isOwn(_ name: FilePath.Component) -> Bool {
    AtomicFile.isStaging(name)
      || ["json", "full", "pages", "same", "pruned"].contains(name.extension ?? "")
  }

  /// Removes this device's part of the state folder, and the other names that it has there.
  private func forgetState() throws {
    for name in try files.list(paths.stores) {
      let path = paths.stores.appending(name)
      guard (try? files.lstat(path).kind) == .symlink,
        (try? files.realpath(path)) == (try? files.realpath(store.state.root))
      else { continue }
      try files.unlink(path)
    }
    try files.removeTree(store.state.root)
  }
}

extension StoreError {
  /// Another device has the versions in use.
  static func stillUsed(by other: DeviceRecord, _ paths: StorePaths) -> StoreError {
    let name = String(printable: other.name.utf8)
    return StoreError(
      .unmerged,
      "\(name) uses the versions of \(paths.name), too; nothing was removed",
      advice: paths.next("", .leaveThere).or("if it is gone for good", .forgetDevice(other.id)))
  }

  /// A side has rows that are not in the database.
  static func unmerged(_ source: MergeSource, _ paths: StorePaths) -> StoreError {
    let (what, side): (String, MergeSource) =
      switch source {
      case .version(let id): ("version \(id.short)", source)
      case .file(let path): (paths.called(path).printable, .file(paths.called(path)))
      }
    let merge: [Remedy] = if case .version(let id) = source { [.merge(id)] } else { [] }
    return StoreError(
      .unmerged,
      "\(what) has rows that are not in \(paths.name); nothing was changed",
      advice: paths.next("bring them in", .merge(side)).or("or leave them behind", .leaveUnmerged),
      remedies: merge)
  }

  /// The error that the rows of a copy are unknown.
  static func unmerged(_ copy: ConflictedCopy, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unmerged,
      "the copy \(copy.path) is not whole, so its rows may not be in \(paths.name); nothing was "
        + "changed",
      advice: paths.next("see what can be done", .examine)
        .or("or leave it behind", .leaveUnmerged))
  }

  /// A damaged file is kept, which would be removed.
  static func keptAside(_ file: QuarantinedFile, _ paths: StorePaths) -> StoreError {
    StoreError(
      .unmerged,
      "\(file.id) is a damaged file that is kept on this device only; nothing was removed",
      advice: paths.next("write out what can be read of it", .recover(file.id))
        .or("or leave it behind", .leaveUnmerged))
  }
}

extension SyncedDatabase {
  /// Ends the use of openwo for this database on this device: the database stays an ordinary SQLite
  /// file, and this device's state is removed.
  ///
  /// The versions stay unless their removal is requested. The store must not be used after this.
  ///
  /// - Throws: ``StoreError`` with `unmerged` if something would be lost or left out of sight; `locked`, `busy`, `unavailable`.
  public func leave(
    removingVersions: Bool = false, evenUnmerged: Bool = false, dryRun: Bool = false
  ) throws -> LeaveReport {
    try core.with {
      try Leaving(store: $0, removingVersions: removingVersions, evenUnmerged: evenUnmerged)
        .run(dryRun: dryRun)
    }
  }
}
