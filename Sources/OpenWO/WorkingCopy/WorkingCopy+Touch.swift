import OpenWOFiles
import SystemPackage

/// The file's time, by which services notice a change.
extension WorkingCopy {
  /// Times closer to each other than this are one time to some service, in nanoseconds.
  static var blur: Int64 { 3_000_000_000 }

  /// The least time of a database with its log brought in, by the time of the file without it; both in nanoseconds.
  ///
  /// A log without rows adds nothing: all devices give the file the same time, a little after that of its making. With rows it is
  /// the later one, so what a service delivers of the file alone does not win over it.
  static func foldedTime(_ modified: Int64, hasRows: Bool) -> Int64 {
    modified.plus((hasRows ? 2 : 1) * blur)
  }

  /// Gives a database that was just turned back from WAL mode its own time.
  func touchFolded(_ before: FileStatus, hadRows: Bool) throws {
    let time = Self.foldedTime(before.mtime, hasRows: hadRows)
    guard try !hadRows || files.lstat(paths.database).mtime < time else { return }
    try files.setTimes(paths.database, modified: time)
  }

  /// Whether a service may take the file after a commit for the recorded one, which has nearly the
  /// same time.
  var looksAsRecorded: Bool {
    guard let baseline, let file else { return false }
    return file.signature.mtime.distance(from: baseline.signature.mtime) < Self.blur
  }

  /// Moves the file's time under a lock, since the new time would hide another program's commit.
  func touch(at time: Int64) throws {
    let file = try open()
    try file.connection.withReadLock {
      guard var known = baseline, try isUntouched() else { return }
      try files.setTimes(paths.database, modified: time)
      let touched = try files.lstat(paths.database).signature
      guard touched.inode == known.signature.inode, touched.size == known.signature.size,
        touched.mtime == time
      else { return }
      known.signature = touched
      try file.acknowledge()
      try record(known)
    }
  }
}
