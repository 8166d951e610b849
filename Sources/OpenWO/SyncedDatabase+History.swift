package import OpenWOFiles
public import OpenWOHistory
package import SystemPackage

/// Looking back and bringing back.
extension SyncedDatabase {
  /// All versions, newest first.
  public func history() throws -> [HistoryEntry] {
    try core.with { try $0.history() }
  }

  /// The version that a name means: an id's beginning, `@` for the live one, `@~2` for two before, or a time such as `2026-11-20 18:00`, `2h ago` or `tuesday`.
  ///
  /// A time without a zone is meant so many minutes east of UTC. What was named is published at once, so that no later write of a burst takes
  /// its place, and it can be restored.
  ///
  /// - Throws: ``StoreError`` with `noSuchVersion`, `busy`, `noSpace`.
  public func version(named name: String, minutesEast: Int64 = 0) throws -> Version {
    try version(named: name, in: .fixed(minutesEast))
  }

  /// The version that a name means, with times without an offset in a zone.
  package func version(named name: String, in zone: LocalZone) throws -> Version {
    try core.with { try $0.version(named: name, in: zone) }
  }

  /// The beginning of the moment that a person names, such as `2 weeks ago`; nil if it is none.
  package static func beginning(of text: String, in zone: LocalZone) -> Timestamp? {
    let now = Timestamp(milliseconds: SystemClock().now())
    return SpokenMoment(now: now, zone: zone, isBeginning: true).read(text)
  }

  /// The version that a name means, for a look at it: nothing is written, so a write of a burst may still take its place.
  package func version(toLookAt name: String, in zone: LocalZone = .machine) throws -> Version {
    try core.with { try $0.version(toLookAt: name, in: zone) }
  }

  /// Puts a version back as a new version on top; restoring the report's `previous` undoes it.
  ///
  /// With `ifHead` only if that version is live, since this was decided on it.
  ///
  /// - Throws: ``StoreError`` with `headMoved` if another version is live; `locked`, `busy`, `noSuchVersion`, `notRestorable`, `noSpace`.
  public func restore(_ id: VersionID, ifHead expected: VersionID? = nil) throws -> RestoreReport {
    try core.with { try $0.restore(id, ifHead: expected) }
  }

  /// Removes the versions that are kept no longer; this also happens by itself, quietly.
  ///
  /// Never removed are heads, the newest whole version, and what a known device has live or has not adopted yet.
  ///
  /// A dry run only says what would be removed. With `keeping` these counts are kept, once, instead of the usual ones; what is never removed
  /// stays all the same.
  public func prune(dryRun: Bool = false, keeping: KeptCounts? = nil) throws -> PruneReport {
    try core.with { try $0.prune(dryRun: dryRun, keeping: keeping) }
  }

  /// Gives a version a name: it is never pruned, on any device, and the name means it wherever a version is asked for.
  ///
  /// A name that was another version's before is this one's from now on.
  ///
  /// - Throws: ``StoreError`` with `noSuchVersion`, and `usage` for a name that means something else.
  public func pin(_ id: VersionID, as name: String) throws {
    try core.with { try $0.pin(id, as: name) }
  }

  /// Takes a version's name away.
  ///
  /// - Throws: ``StoreError`` with `usage` if no version has that name.
  public func unpin(_ name: String) throws {
    try core.with { try $0.unpin(name) }
  }

  /// Writes a version's database to a file, checked against its content hash.
  ///
  /// - Throws: ``StoreError`` with `noSuchVersion`, `notRestorable`, `noSpace`.
  public func export(_ id: VersionID, to path: String) throws {
    try export(id, to: FilePath(path))
  }

  /// Writes a version's database to a file whose path need not be text.
  package func export(
    _ id: VersionID, to path: FilePath, mode: AtomicFile.Mode = .replace
  ) throws {
    try core.with { try $0.export(id, to: path, mode: mode) }
  }

  /// Hands out a version's database piece by piece, after all of it was held against its content hash.
  package func withContent(
    of id: VersionID, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try core.with { try $0.withContent(of: id, body) }
  }
}
