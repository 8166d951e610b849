import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Replaces the live file by a version's content.
extension Store {
  /// Makes the live file equal to a version.
  ///
  /// A damaged outgoing file is quarantined first. Throws `StaleLook` if the live file is not
  /// the one that was looked at; then nothing was changed.
  func replaceLive(with version: Version, damage: String? = nil) throws {
    try session.awaitReaders(of: paths.database)
    if damage == nil { try keepOutgoing() }
    try NewVersions(store: self).makeDurable(version)
    try workingCopy.checkOut(
      version,
      over: damage.map { why in
        .damaged { try KeepingAside(store: self).keep(self.paths.database, because: why) }
      } ?? .recorded,
      through: files.holding(try companion.folderAround()))
  }

  /// Keeps a new version and makes the live file equal to it; if that fails, the version must not be found later and checked out.
  func putInPlace(_ version: Version, _ payload: NewPayload) throws {
    try NewVersions(store: self).keep(version, payload)
    do {
      try replaceLive(with: version)
    } catch {
      try NewVersions(store: self).drop(version)
      throw error
    }
  }

  /// Makes a version with another one's content on top of the current one, and the live file equal to it.
  @discardableResult
  func putBack(_ wanted: Version) throws -> Version {
    let version = try newVersions.make(
      NewVersion(wanted.facts, .restore, parents: nil, note: wanted.id.short))
    let content = try versions.archive.reader(wanted.content, in: versions.listed().archive)
    let payload = try NewVersions(store: self).payload(
      version, content, after: workingCopy.content)
    try putInPlace(version, payload)
    return version
  }

  /// Stores the outgoing content in full if its version rests on a content that is not here, as it
  /// would be nowhere else.
  private func keepOutgoing() throws {
    guard let outgoing = workingCopy.baseline,
      try versions.listed().graph.contains(outgoing.current),
      try !versions.isRestorable(outgoing.content)
    else { return }
    try ExaminedCopies(store: self).storeInFull(outgoing.current, from: nil)
  }
}
