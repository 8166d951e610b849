package import OpenWOHistory

/// One step of a plan; what `--dry-run` prints.
package enum Action: Sendable, Hashable {
  /// Move what was captured into the synced folder.
  case publish
  /// Close the live file and acknowledge the lock.
  case acknowledge(lock: String)
  /// Checkpoint the write-ahead log, so that the live file is a single file again.
  case fold
  /// Write the live file's content as a version: an unknown one as `external`, a known one that a person put back as `restore`.
  case captureLive(VersionReason)
  /// Write a copy's content as a version.
  case captureCopy(FileName)
  /// Write the content of a copy that may be a person's own as a version, which waits for a person.
  case captureAside(FileName)
  /// Write a known version's content in full from this copy, or from the live file: what its own file rests on is not here.
  case store(VersionID, from: FileName?)
  /// Record that the live file is a copy of this version; no file changes.
  case note(VersionID)
  /// Turn these heads into one: the last writer's content wins; the reason is why they were not
  /// merged.
  case settle([VersionID], winner: VersionID, reason: String? = nil)
  /// Turn these two heads into one row by row.
  case merge([VersionID])
  /// Turn versions of two stores that began apart into one row by row.
  case join([VersionID])
  /// Make `store.json` what it was of this store, whose id stays.
  case keepStore(StoreManifest)
  /// Remove what a service made of a `store.json`.
  case removeStray(FileName, StoreManifest)
  /// Make the live file equal to this version.
  case adopt(VersionID)
  /// Keep the damaged live file as evidence, then make it equal to this version.
  case repair(VersionID, reason: String)
  /// Take a file of ours that is not whole out of the folder and keep it as evidence.
  case setAside(FileName)
  /// Remove a copy whose content is a version.
  case remove(FileName)
  /// Put versions back into the folder that vanished from it; an older live file stays live, as a restored version.
  case putBack([VersionID])
  /// Nothing to do before this moment.
  case wait(until: Timestamp, reason: String)

  /// When a step that waits is due; nil for one that can be taken now.
  package var dueAt: Timestamp? {
    if case .wait(let until, _) = self { until } else { nil }
  }
}
