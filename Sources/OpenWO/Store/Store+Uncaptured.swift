import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// Commits that are captured later, because the configuration says so.
extension Store {
  /// Captures pending commits, even from a file that has lost its name to another one.
  ///
  /// - Returns: Whether none is left; otherwise the next look finds them, and what somebody else has written over the file.
  @discardableResult
  func captureUncaptured() throws -> Bool {
    guard workingCopy.uncaptured.areAny else { return true }
    return try asWriter {
      do {
        if workingCopy.displaced == nil { return try captureWaiting() }
      } catch is StaleLook {}
      guard let file = workingCopy.displaced else { return false }
      try captureMoved(file)
      return true
    }
  }

  /// Captures pending commits by reading only the changed pages.
  ///
  /// - Returns: False for a file that somebody else has written to, or that was closed meanwhile: it is left to the next look.
  private func captureWaiting() throws -> Bool {
    guard try workingCopy.fileInStep() != nil else {
      // Check after that: a file that lost its name just now counts as touched, and its pending
      // commits are ours.
      if workingCopy.displaced != nil { throw StaleLook() }
      workingCopy.uncaptured.end()
      upkeep.nextLook = now
      return false
    }
    try captureLive(reason: .write, changed: workingCopy.uncapturedPages)
    return true
  }

  /// Captures pending commits in a moved file as a child of the version that was captured last.
  ///
  /// If others wrote over it since the last commit, it is a child only if its rows show that.
  ///
  /// After an error that may pass the file stays open.
  private func captureMoved(_ live: LiveFile) throws {
    let base = try workingCopy.uncaptured.base.flatMap(versions.listed().graph.latest)?.id
    do {
      let isProven = try workingCopy.holdsOnlyOwnCommits(live)
      if isProven != false {
        try captureOrphan(
          live, .write, .displaced(base: base, isOverwritten: false), isProven: isProven ?? false)
      } else if try isNewState(live.connection) {
        try captureOrphan(
          live, .external, .displaced(base: base, isOverwritten: true), isProven: false)
      }
    } catch let error as SQLiteError where error.extendedCode == .walRefused {
      // Another program has taken it over and uses it under its new name, if it has one; there it
      // is a conflict copy.
      return workingCopy.abandon()
    } catch let error as StoreError where error.code == .inDoubt {
      workingCopy.abandon()
      throw error
    }
    workingCopy.abandon()
    upkeep.captured(at: clock.monotonic())
  }

  /// Whether an open file has a state that has no version and is not a mix of several versions.
  private func isNewState(_ connection: Connection) throws -> Bool {
    try connection.withReadLock {
      let (listing, content) = (try versions.listed(), try LiveContent(connection))
      guard try !listing.graph.contains(content: content.digests().root) else { return false }
      // It has no name to come back to, so nothing is waited for.
      return try !VersionDetector(store: self).isMix(
        content, pageSize: connection.header().pageSize, listing,
        changedAt: Timestamp(milliseconds: 0))
    }
  }

  /// Whether only our own commits, which are captured later, changed the folder.
  func hasOnlyOwnChanges() throws -> Bool {
    guard workingCopy.uncaptured.areAny, let file = workingCopy.file, try file.isUntouched(),
      try !versions.refresh()
    else { return false }
    return try VersionDetector(store: self).candidates().isEmpty
  }
}
