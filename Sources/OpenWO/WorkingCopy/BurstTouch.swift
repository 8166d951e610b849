import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Makes sure that services notice the last commit of a burst.
///
/// Several services compare a file's size and its time to the second or two, so they miss a commit that keeps the size soon after another one.
/// After a burst the file's time is therefore moved once, so far that it differs from that of every commit before.
struct BurstTouch: StorePart {
  let store: Store

  /// Moves the file's time once the burst is over.
  func ifDue() throws {
    guard store.upkeep.needsTouch, clock.monotonic() - store.upkeep.lastUse >= WorkingCopy.blur
    else { return }
    try touch(at: max(.nanoseconds(milliseconds: clock.now()), 0))
  }

  /// Moves the file's time past the last commit's at once, because this process ends.
  func atEnd() throws {
    guard store.upkeep.needsTouch, let last = workingCopy.baseline else { return }
    try touch(at: last.signature.mtime.plus(WorkingCopy.blur))
  }

  private func touch(at time: Int64) throws {
    store.upkeep.needsTouch = false
    do {
      try coordinator.enter()
      guard try coordinator.lockInSight() == nil else { return }
      try store.asWriter { try workingCopy.touch(at: time) }
    } catch is StaleLook {
      // Another file has the name, and its own time.
    } catch is SQLiteError {
      // Another program is writing now and moves the time itself.
    }
  }
}
