import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Makes the live file equal to a version.
struct CheckOut: StorePart {
  let store: Store

  /// Makes the live file equal to a version from elsewhere, and announces it; `damage` says why the
  /// file that it replaces is not whole.
  func adopt(_ id: VersionID, damage: String? = nil) throws {
    try session.awaitReaders(of: paths.database)
    guard let version = try versions.listed().graph[id] else { return }
    let before = workingCopy.current
    let planned = workingCopy.baseline?.signature
    if damage != nil { store.upkeep.mended(by: id) }
    try store.asWriter {
      // A lock may have come while this process held no session lock.
      guard workingCopy.isAsRecorded(planned), try isFreeToWrite() else { throw StaleLook() }
      let kept =
        damage == nil ? try PinnedRowsKeeping(store: store).version(for: version) : version
      try replaceLive(with: kept, damage: damage)
    }
    if let damage {
      events.send(.repaired(id, reason: damage))
    } else {
      ImportNews(store: store).tell(id, from: before)
    }
    try publishing.announceHead()
  }

  /// Whether there is no lock, as seen in a session.
  private func isFreeToWrite() throws -> Bool {
    try coordinator.enter()
    return try coordinator.lockInTheWay() == nil
  }

  /// Records that the live file is a copy of a known version.
  func note(_ id: VersionID) throws {
    let before = workingCopy.current
    try store.asWriter {
      let file = try workingCopy.open()
      // Another process may have written since the plan was made.
      guard let digests = workingCopy.knownDigests(of: file.signature),
        let version = try versions.listed().graph[id],
        version.content == digests.root
      else { throw StaleLook() }
      let kept = try PinnedRowsKeeping(store: store).version(for: version)
      try newVersions.makeDurable(version)
      try workingCopy.note(id, digests)
      if kept.id != id { try replaceLive(with: kept) }
    }
    ImportNews(store: store).tell(id, from: before)
    try publishing.announceHead()
  }

  /// Makes the live file equal to a version.
  ///
  /// A damaged outgoing file is quarantined first. Throws `StaleLook` if the live file is not
  /// the one that was looked at; then nothing was changed.
  func replaceLive(with version: Version, damage: String? = nil) throws {
    try session.awaitReaders(of: paths.database)
    if damage == nil { try keepOutgoing() }
    try newVersions.makeDurable(version)
    try workingCopy.checkOut(
      version,
      over: damage.map { why in
        .damaged { try KeepingAside(store: store).keep(paths.database, because: why) }
      }
        ?? .recorded,
      through: files.holding(try companion.folderAround()))
  }

  /// Keeps a new version and makes the live file equal to it; if that fails, the version must not be found later and checked out.
  func putInPlace(_ version: Version, _ payload: NewPayload) throws {
    try newVersions.keep(version, payload)
    do {
      try replaceLive(with: version)
    } catch {
      try newVersions.drop(version)
      throw error
    }
  }

  /// Makes a version with another one's content on top of the current one, and the live file equal to it.
  @discardableResult
  func putBack(_ wanted: Version) throws -> Version {
    let version = try newVersions.make(
      NewVersion(wanted.facts, .restore, parents: nil, note: wanted.id.short))
    let content = try versions.archive.reader(wanted.content, in: versions.listed().archive)
    try putInPlace(version, newVersions.payload(version, content, after: workingCopy.content))
    return version
  }

  /// Stores the outgoing content in full if its version rests on a content that is not here, as it
  /// would be nowhere else.
  private func keepOutgoing() throws {
    guard let outgoing = workingCopy.baseline,
      try versions.listed().graph.contains(outgoing.current),
      try !versions.isRestorable(outgoing.content)
    else { return }
    try ExaminedCopies(store: store).storeInFull(outgoing.current, from: nil)
  }
}
