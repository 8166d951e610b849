import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Making sure that services notice the last commit of a burst.
///
/// Several services compare a file's size and its time to the second or two, so they miss a commit that keeps the size soon after another one.
/// After a burst the file's time is therefore moved once, so far that it differs from that of every commit before.
extension Store {
  /// Times closer to each other than this are one time to some service.
  private static var blur: Int64 { 3_000_000_000 }

  /// Gives a database that was just turned back from WAL mode its own time.
  func touchFolded(_ before: FileStatus, hadRows: Bool) throws {
    let time = Self.foldedTime(before.mtime, hasRows: hadRows)
    guard try !hadRows || files.lstat(paths.database).mtime < time else { return }
    try files.setTimes(paths.database, modified: time)
  }

  /// The least time of a database with its log brought in, by the time of the file without it; both in nanoseconds.
  ///
  /// A log without rows adds nothing: all devices give the file the same time, a little after that of its making. With rows it is
  /// the later one, so what a service delivers of the file alone does not win over it.
  static func foldedTime(_ modified: Int64, hasRows: Bool) -> Int64 {
    modified.plus((hasRows ? 2 : 1) * blur)
  }

  /// Notes, after a commit, whether a service may take the file for the one before it.
  func noteBurst(after previous: FileSignature?) {
    guard let previous, let live else { return }
    if live.signature.mtime.distance(from: previous.mtime) < Self.blur { upkeep.needsTouch = true }
  }

  /// Moves the file's time once the burst is over.
  func touchIfDue() throws {
    guard upkeep.needsTouch, clock.monotonic() - upkeep.lastUse >= Self.blur else { return }
    try touch(at: max(.nanoseconds(milliseconds: clock.now()), 0))
  }

  /// Moves the file's time past the last commit's at once, because this process ends.
  func touchNow() throws {
    guard upkeep.needsTouch, let record else { return }
    try touch(at: record.signature.mtime.plus(Self.blur))
  }

  private func touch(at time: Int64) throws {
    upkeep.needsTouch = false
    do {
      try coordinator.enter()
      guard try coordinator.lockInSight() == nil else { return }
      try asWriter {
        let file = try openLiveFile()
        try file.connection.withReadLock { try touch(file, at: time) }
      }
    } catch is LiveFileChanged {
      // Another file has the name, and its own time.
    } catch is SQLiteError {
      // Another program is writing now and moves the time itself.
    }
  }

  /// Moves the file's time under a lock, since the new time would hide another program's commit.
  private func touch(_ file: LiveFile, at time: Int64) throws {
    guard var known = record,
      try files.statusIfPresent(paths.database)?.signature == known.signature
    else { return }
    try files.setTimes(paths.database, modified: time)
    let touched = try files.lstat(paths.database).signature
    guard touched.inode == known.signature.inode, touched.size == known.signature.size,
      touched.mtime == time
    else { return }
    known.signature = touched
    try file.acknowledge()
    try save(known)
  }
}
