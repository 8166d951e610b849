import OpenWOFiles

/// Files that lost their name to another one while commits waited to be captured from them: the commits are nowhere else.
extension WorkingCopy {
  /// Such a file, which stays open until its commits are captured.
  struct Orphan {
    let file: LiveFile
    let commits: UncapturedCommits.Changes
    /// When it lost its name, by the monotonic clock.
    let since: Int64
    /// Whether somebody was told that they could not be captured.
    var isTold = false
  }

  /// Whether the open file has lost its name to another one.
  var hasLostName: Bool { file?.connection.hasMoved ?? false }

  /// Whether a file is open, under its name or not.
  var isOpen: Bool { file != nil || !orphans.isEmpty }

  /// Whether commits wait to be captured, from whatever file.
  var hasUncaptured: Bool { uncaptured.areAny || !orphans.isEmpty }

  /// Whether it is open, or has commits that wait to be captured.
  var isInUse: Bool { file != nil || hasUncaptured }

  /// Sets the open file aside if it has lost its name while commits wait; returns whether it did.
  func setAsideMoved() -> Bool {
    guard let moved = file, moved.connection.hasMoved, let commits = uncaptured.take() else {
      return false
    }
    orphans.append(Orphan(file: moved, commits: commits, since: clock.monotonic()))
    file = nil
    return true
  }

  /// Notes that somebody was told of the orphans.
  func noteOrphansTold() {
    for index in orphans.indices { orphans[index].isTold = true }
  }

  /// Closes the first orphan, from which no commits wait any more.
  func closeOrphan() { orphans.removeFirst().file.close() }
}
