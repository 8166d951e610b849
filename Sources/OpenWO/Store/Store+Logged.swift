import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Captures a database in WAL mode that cannot be made a single file now, through a private copy
/// with a checkpointed log.
extension Store {
  /// The state of a database in WAL mode together with its log, neither of which is changed.
  func lookAtLogged(_ listing: VersionListing) throws -> Sighting.Live {
    guard let copy = try takeLogged() else { return .changing }
    let changedAt = Timestamp(nanoseconds: copy.state.changedAt)
    if listing.graph.contains(content: copy.content) {
      return .whole(copy.content, changedAt: changedAt)
    }
    let connection = try copy.open()
    defer { connection.close() }
    let pageSize = try connection.header().pageSize
    let content = try LiveContent(connection)
    if try VersionDetector(store: self).isMix(
      content, pageSize: pageSize, listing, changedAt: changedAt)
    {
      return .doubtful("it is a mix of several versions", changedAt: changedAt)
    }
    if let damage = try connection.damage(ifDelivered: !isWritten(copy.state.database)) {
      return .doubtful(damage, changedAt: changedAt)
    }
    return .whole(copy.content, changedAt: changedAt)
  }

  /// A copy of the database and its log as they are now; nil if somebody wrote while it was made.
  private func takeLogged() throws -> LoggedCopy? {
    closeLive()
    if let logged, try logged.state == LoggedCopy.State(of: paths, files) { return logged }
    logged = nil
    try awaitReaders(of: paths.database)
    logged = try LoggedCopy(of: paths, in: state.scratch, files, clock)
    return logged
  }

  /// Captures what a database in WAL mode holds together with its log.
  ///
  /// The live file stays as it is, so the record keeps a signature that never fits: it is looked at again.
  func captureLogged(_ copy: LoggedCopy) throws {
    try asWriter {
      guard try copy.state == LoggedCopy.State(of: paths, files) else { throw LiveFileChanged() }
      let connection = try copy.open()
      defer { connection.close() }
      let parents = try origins(ofLive: copy.state.database, in: connection).parents
      let facts = ContentFacts(try connection.header(), copy.digests)
      let version = try make(
        facts, .external, parents: parents,
        notAfter: Timestamp(nanoseconds: copy.state.modifiedAt))
      try keep(version, payload(version, LiveContent(connection)))
      var signature = copy.state.database
      (signature.size, signature.ctime) = (copy.digests.size, 0)
      try save(Baseline(current: version.id, signature: signature, digests: copy.digests))
      upkeep.captured(at: clock.monotonic())
      events.send(.captured(version.id, reason: .external))
    }
  }

  /// Captures what a database in WAL mode holds that a program keeps open, unless a version has it.
  func captureWhileOpen() throws {
    guard case .whole(let content, _) = try lookAtLogged(versions.listed()), let logged else {
      return
    }
    if try versions.listed().graph.contains(content: content) { return }
    try captureLogged(logged)
  }
}
