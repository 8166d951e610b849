import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite

/// The commits that wait to be captured, because the configuration says so or a capture failed.
struct WaitingCommits: StorePart {
  let store: Store

  /// Captures them, even from a file that has lost its name to another one.
  ///
  /// - Returns: Whether none is left; otherwise the next look finds them, and what somebody else
  ///   has written over the file.
  @discardableResult
  func capture() throws -> Bool {
    guard workingCopy.hasUncaptured else { return true }
    return try store.asWriter {
      _ = workingCopy.setAsideMoved()
      let isDone = try captureOrphans()
      guard workingCopy.uncaptured.areAny else { return isDone }
      do {
        return try captureWaiting() && isDone
      } catch is StaleLook {
        return try workingCopy.setAsideMoved() && captureOrphans()
      }
    }
  }

  /// Captures them if nobody has written over them.
  func captureOwn() throws {
    guard
      try workingCopy.hasLostName || !workingCopy.orphans.isEmpty
        || workingCopy.fileInStep() != nil
    else { return }
    try capture()
  }

  /// Captures them, unless another process has the writer lock.
  func captureIfFree() {
    guard workingCopy.hasUncaptured else { return }
    try? coordinator.asWriter(waitingUpTo: .zero) { try captureOwn() }
  }

  /// How long commits in a file that lost its name are tried to be captured, in nanoseconds.
  private static var orphanPatience: Int64 { 600 * 1_000_000_000 }

  /// Captures the commits that wait in files that lost their name; returns whether none is left.
  ///
  /// - Throws: Once why it could not be done. Then it is tried again for a while, and other calls
  ///   go their way.
  private func captureOrphans() throws -> Bool {
    while let orphan = workingCopy.orphans.first {
      do {
        try captureMoved(orphan)
      } catch {
        let isPassing =
          (error as? SQLiteError)?.isPassing ?? ((error as? StoreError)?.code != .inDoubt)
        let isLate = clock.monotonic().minus(orphan.since) > Self.orphanPatience
        let error = StoreError.of(error, paths)
        if isPassing && !isLate {
          guard !orphan.isTold else { return false }
          workingCopy.noteOrphansTold()
          throw error
        }
        workingCopy.closeOrphan()
        guard orphan.isTold else { throw error }
        let lost = StoreError.inDoubt("its file lost its name: \(error)", paths)
        events.send(.problem(lost))
        continue
      }
      workingCopy.closeOrphan()
    }
    return true
  }

  /// Captures pending commits by reading only the changed pages.
  ///
  /// - Returns: False for a file that somebody else has written to, or that was closed meanwhile:
  ///   it is left to the next look.
  private func captureWaiting() throws -> Bool {
    guard try workingCopy.fileInStep() != nil else {
      // Check after that: a file that lost its name just now counts as touched, and its pending
      // commits are ours.
      if workingCopy.hasLostName { throw StaleLook() }
      workingCopy.uncaptured.end()
      (store.upkeep.nextLook, store.upkeep.outcome) = (now, nil)
      return false
    }
    try LiveCapture(store: store).capture(reason: .write, changed: workingCopy.uncapturedPages)
    return true
  }

  /// Captures pending commits in a moved file as a child of the version that was captured last.
  ///
  /// If others wrote over it since the last commit, it is a child only if its rows show that.
  private func captureMoved(_ orphan: WorkingCopy.Orphan) throws {
    let base = try orphan.commits.base.flatMap(versions.listed().graph.latest)?.id
    let live = orphan.file
    do {
      let isProven = try workingCopy.holdsOnlyOwnCommits(live, orphan.commits)
      if isProven != false {
        try LiveCapture(store: store).captureOrphan(
          live, .write, .displaced(base: base, isOverwritten: false), isProven: isProven ?? false)
      } else if try isNewState(live.connection) {
        try LiveCapture(store: store).captureOrphan(
          live, .external, .displaced(base: base, isOverwritten: true), isProven: false)
      }
    } catch let error as SQLiteError where error.extendedCode == .walRefused {
      // Another program has taken it over and uses it under its new name, if it has one; there it
      // is a conflict copy.
      return
    }
    store.upkeep.captured(at: clock.monotonic())
  }

  /// Whether an open file has a state that has no version and is not a mix of several versions.
  private func isNewState(_ connection: Connection) throws -> Bool {
    try connection.withReadLock {
      let (listing, content) = (try versions.listed(), try LiveContent(connection))
      guard try !listing.graph.contains(content: content.digests().root) else { return false }
      // It has no name to come back to, so nothing is waited for.
      return try !VersionDetector(store: store).isMix(
        content, pageSize: connection.header().pageSize, listing,
        changedAt: Timestamp(milliseconds: 0))
    }
  }

  /// Whether nothing else changed the folder.
  func areOnlyChange() throws -> Bool {
    guard workingCopy.uncaptured.areAny, let file = workingCopy.file, try file.isUntouched(),
      try !versions.refresh()
    else { return false }
    return try VersionDetector(store: store).candidates().isEmpty
  }
}
