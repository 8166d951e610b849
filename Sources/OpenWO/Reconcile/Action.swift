import OpenWOHistory

/// One step of a plan; what `--dry-run` prints.
enum Action: Sendable, Hashable {
  /// Move what was captured into the synced folder.
  case publish
  /// Let go of the live file and say so to the lock's holder.
  case acknowledge(lock: String)
  /// Bring the live file back to a single file, with the rows that stand beside it.
  case fold
  /// Write the live file's content as a version.
  case captureLive(parents: [VersionID])
  /// Write a copy's content as a version.
  case captureCopy(FileName, parents: [VersionID])
  /// Note that the live file is a copy of this version; no file changes.
  case note(VersionID)
  /// Turn these heads into one by last writer wins.
  case settle([VersionID])
  /// Turn these two heads into one row by row.
  case merge([VersionID])
  /// Make the live file equal to this version.
  case adopt(VersionID)
  /// Keep the damaged live file as evidence, then make it equal to this version.
  case repair(VersionID, reason: String)
  /// Remove a copy whose content is a version.
  case remove(FileName)
  /// Nothing to do before this moment.
  case wait(until: Timestamp, reason: String)
}
