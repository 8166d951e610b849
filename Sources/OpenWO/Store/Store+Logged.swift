import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Databases in WAL mode: made a single file, or else captured through a private copy with a
/// checkpointed log.
extension Store {
  /// The state of a database in WAL mode together with its log, neither of which is changed.
  func lookAtLogged(_ listing: VersionListing) throws -> Sighting.Live {
    let copy = try workingCopy.takeLogged { try session.awaitReaders(of: paths.database) }
    guard let copy else { return .changing }
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
    if let damage = try connection.damage(ifDelivered: !workingCopy.isWritten(copy.state.database))
    {
      return .doubtful(damage, changedAt: changedAt)
    }
    return .whole(copy.content, changedAt: changedAt)
  }

  /// Captures what a database in WAL mode holds together with its log.
  func captureLogged(_ copy: LoggedCopy) throws {
    try asWriter {
      guard try copy.state == LoggedCopy.State(of: paths, files) else { throw StaleLook() }
      let connection = try copy.open()
      defer { connection.close() }
      let parents = try EvidenceGatherer(store: self).origins(
        ofLive: copy.state.database, in: connection
      ).parents
      let facts = ContentFacts(try connection.header(), copy.digests)
      let new = NewVersion(
        facts, .external, parents: parents,
        notAfter: Timestamp(nanoseconds: copy.state.modifiedAt))
      try newVersions.capture(new) {
        try newVersions.payload($0, LiveContent(connection))
      } note: { version in
        try workingCopy.note(version.id, copy)
        upkeep.captured(at: clock.monotonic())
      }
    }
  }

  /// Captures what a database in WAL mode holds that a program keeps open, unless a version has it.
  func captureWhileOpen() throws {
    guard case .whole(let content, _) = try lookAtLogged(versions.listed()),
      let logged = workingCopy.logged
    else { return }
    if try versions.listed().graph.contains(content: content) { return }
    try captureLogged(logged)
  }

  /// Turns a database in WAL mode back into a single file; no row is lost.
  ///
  /// - Returns: Whether it was in WAL mode.
  /// - Throws: `busy` while a program or a read of this process still has it open; a `StoreError` if all is done but a file
  ///   beside it may not be removed.
  func foldWriteAheadLog() throws -> Bool {
    try session.awaitReaders(of: paths.database)
    return try workingCopy.foldWriteAheadLog()
  }
}
