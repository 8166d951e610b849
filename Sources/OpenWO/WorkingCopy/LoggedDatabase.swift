import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// A database in WAL mode: made a single file, or else captured through a private copy with a
/// checkpointed log.
struct LoggedDatabase: StorePart {
  let store: Store

  /// Its state together with its log, neither of which is changed.
  func look(_ listing: VersionListing) throws -> Sighting.Live {
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
    if try VersionDetector(store: store).isMix(
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

  /// Captures what it holds together with its log.
  func capture(_ copy: LoggedCopy) throws {
    try store.asWriter {
      guard try copy.state == LoggedCopy.State(of: paths, files) else { throw StaleLook() }
      let connection = try copy.open()
      defer { connection.close() }
      let parents = try EvidenceGatherer(store: store).origins(
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
        store.upkeep.captured(at: clock.monotonic())
      }
    }
  }

  /// Captures what it holds while a program keeps it open, unless a version has it.
  private func captureWhileOpen() throws {
    guard case .whole(let content, _) = try look(versions.listed()),
      let logged = workingCopy.logged
    else { return }
    if try versions.listed().graph.contains(content: content) { return }
    try capture(logged)
  }

  /// Turns it back into a single file; no row is lost.
  ///
  /// - Returns: Whether it was in WAL mode.
  /// - Throws: `busy` while a program or a read of this process still has it open; a `StoreError` if all is done but a file
  ///   beside it may not be removed.
  func foldLog() throws -> Bool {
    try session.awaitReaders(of: paths.database)
    return try workingCopy.foldWriteAheadLog()
  }

  /// Folds it as a step of a plan; if a program still has it open, what that has committed is captured.
  func fold() throws {
    do {
      // Opening it beside a program would touch the files that the two share.
      let parts = [paths.sharedMemory, paths.writeAheadLog]
      guard parts.allSatisfy({ ProcessTable.openers(of: $0).isEmpty }) else {
        throw SQLiteError(.busy, "a program uses it in WAL mode")
      }
      _ = try store.asWriter { try foldLog() }
    } catch let error as SQLiteError where error.code == .busy {
      // A program still has it open: what it has committed is a version, and the next look finds the file again.
      try captureWhileOpen()
      _ = try store.asWriter { try publishing.runWithoutPruning() }
      throw StoreError.openInWAL(paths)
    }
  }
}
