import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Dry runs that start from what a command itself would capture first.
struct Previewing: StoreCommand {
  let store: Store

  /// Runs a body on the version that the command would start from.
  ///
  /// If the live file has a content without a version, it becomes a version while the body runs, at
  /// a place in the state folder where no other process looks. So the plan knows everything that
  /// the command would know.
  func run<Result>(_ body: (Version) throws -> Result) throws -> Result {
    try session.lookingAgain {
      try session.run {
        try session.looking {
          // After the look has captured what waited.
          let (known, listing) = (try startingVersion(), try versions.listed())
          var file: FilePath?
          defer {
            versions.takeBack(listing)
            if let file { try? files.unlink(file) }
          }
          return try workingCopy.assuming { try body(capture(&file) ?? known) }
        }
      }
    }
  }

  /// The version that a command would start from; refuses while somebody has the lock.
  func startingVersion() throws -> Version {
    if let lock = try coordinator.lockInSight() { throw coordinator.isLocked(by: lock) }
    guard let live = try workingCopy.currentVersion() ?? versions.listed().graph.newestHead else {
      throw StoreError.missing(paths)
    }
    return live
  }

  /// The version that the live file would become, or already is by its content; nil if it is as recorded, or nothing can be said of it.
  private func capture(_ path: inout FilePath?) throws -> Version? {
    let seen = try VersionDetector(store: store).look()
    if case .writeAheadLog = seen.live { return try captureLogged(&path) }
    var policy = try rules.policy()
    // A merge waits until the file is still.
    policy.settleTime = 0
    for action in Planning(seen: seen, policy: policy).live.actions {
      switch action {
      case .note(let id): return try versions.listed().graph[id]
      case .captureLive(let reason): return try capture(reason, &path)
      default: continue
      }
    }
    return nil
  }

  private func capture(
    _ reason: VersionReason, _ path: inout FilePath?
  ) throws -> Version {
    let file = try workingCopy.open()
    let origins = try EvidenceGatherer(store: store).origins(
      ofLive: reason == .restore ? .putBack : .live, file)
    return try file.readingUntouched {
      let digests = try LiveContent(file.connection).digests()
      let version = try newVersions.make(
        NewVersion(
          ContentFacts(file.connection.header(), digests), reason, parents: origins.parents,
          notAfter: Timestamp(nanoseconds: files.lstat(paths.database).mtime)))
      workingCopy.assume(
        Baseline(current: version.id, signature: file.signature, digests: digests))
      return try keep(version, LiveContent(file.connection), &path)
    }
  }

  /// The same for a database in WAL mode, which a merge would make one file first.
  private func captureLogged(_ path: inout FilePath?) throws -> Version {
    guard let copy = try workingCopy.copyWithLog() else { throw StaleLook() }
    if let known = try versions.listed().graph.latest(content: copy.content) { return known }
    let connection = try copy.open()
    defer { connection.close() }
    let version = try newVersions.make(
      NewVersion(
        ContentFacts(connection.header(), copy.digests), .external,
        parents: EvidenceGatherer(store: store).origins(ofLive: copy.state.database, in: connection)
          .parents,
        notAfter: Timestamp(nanoseconds: copy.state.modifiedAt)))
    workingCopy.assume(
      Baseline(current: version.id, signature: copy.state.database, digests: copy.digests))
    return try keep(version, LiveContent(connection), &path)
  }

  private func keep(
    _ version: Version, _ content: LiveContent, _ path: inout FilePath?
  ) throws -> Version {
    let stored = try versions.archive.write(version, .full(content), into: store.state.scratch)
    path = stored.path
    versions.insert(stored)
    return version
  }
}
