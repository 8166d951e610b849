import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import Synchronization

/// Commits that are captured later, because the configuration says so.
extension Store {
  /// The changes of commits that have no version yet.
  struct Uncaptured {
    /// The content that was captured last.
    var base: ContentHash?
    /// The pages written since; nil: any may have been.
    var pages: Set<UInt32>?
  }

  /// Whether commits wait to be captured, as it is asked from outside of the store.
  final class Waiting: Sendable {
    private let flag = Mutex(false)

    var isAny: Bool {
      get { flag.withLock(\.self) }
      set { flag.withLock { $0 = newValue } }
    }
  }

  /// Notes that a commit waits to be captured.
  func wait(for changed: ChangedPages) {
    if uncaptured == nil { uncaptured = Uncaptured(base: record?.content, pages: []) }
    if case .pages(let pages) = changed {
      uncaptured?.pages?.formUnion(pages)
    } else {
      uncaptured?.pages = nil
    }
  }

  /// The pages that differ from the recorded content by what waits.
  var waitingPages: ChangedPages {
    guard let pages = uncaptured?.pages, let base = uncaptured?.base, base == record?.content
    else { return .all }
    return .pages(pages.sorted())
  }

  /// Makes sure of what a journal is marked with, before anything is written.
  func prepareMark() throws {
    journalKey = try journalKey ?? JournalMark.makeKey(state, files)
  }

  /// Marks the journal of a commit, so that it is recognised as ours after a crash.
  func markJournal(of transaction: Transaction) throws {
    guard let journalKey, let live else { return }
    // Without its number the mark proves nothing, which is safe.
    let journal = try? files.lstat(paths.journal).inode
    try live.connection.markJournal {
      JournalMark(
        journalKey, $0, inodes: [live.signature.inode, journal ?? 0], header: transaction.header
      ).bytes
    }
  }

  /// Captures pending commits, even from a file that has lost its name to another one.
  ///
  /// The next look handles what somebody else has written over the file.
  func captureUncaptured() throws {
    guard uncaptured != nil else { return }
    try asWriter {
      do {
        try captureWaiting()
      } catch is LiveFileChanged {
        if let live, live.connection.hasMoved { try captureMoved(live) }
      }
    }
  }

  /// Captures pending commits by reading only the changed pages.
  ///
  /// A file that somebody else has written to, or that was closed meanwhile, is left to the next
  /// look.
  private func captureWaiting() throws {
    guard let live, live.isKnown, try live.isUntouched() else {
      // Check after that: a file that lost its name just now counts as touched, and its pending
      // commits are ours.
      if live?.connection.hasMoved ?? false { throw LiveFileChanged() }
      uncaptured = nil
      return
    }
    try captureLive(reason: .write, changed: waitingPages)
  }

  /// Captures pending commits in a moved file as a child of the version that was captured last.
  ///
  /// If others wrote over it since the last commit, it is a child only if its rows show that.
  private func captureMoved(_ live: LiveFile) throws {
    defer {
      uncaptured = nil
      closeLive()
    }
    let base = try uncaptured?.base.flatMap(versions.listed().graph.latest)?.id
    do {
      let isProven = try holdsOnlyOwnCommits(live)
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
      return
    }
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
    guard uncaptured != nil, let live, try live.isUntouched(), try !versions.refresh() else {
      return false
    }
    return try VersionDetector(store: self).candidates().isEmpty
  }
}
