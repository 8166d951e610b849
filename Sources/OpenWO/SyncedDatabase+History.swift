package import OpenWOFiles
public import OpenWOHistory
package import SystemPackage

/// Looking back and bringing back.
extension SyncedDatabase {
  /// All versions, newest first.
  public func history() throws -> [HistoryEntry] {
    try core.with(.reading) { try History(store: $0).entries() }
  }

  /// The changes of each of these versions compared with the version before it: the numbers of rows
  /// by table.
  ///
  /// Changes are counted once and kept in the state folder. One call counts only some of the
  /// versions, in the order of `ids`; the others are ``VersionSummary/notYet``.
  public func summaries(of ids: [VersionID]) throws -> [VersionID: VersionSummary] {
    try core.with { try VersionSummaries(store: $0).count(ids) }
  }

  /// Finds a version by name: the beginning of its id, `@` for the live one, `@~2` for two before,
  /// or a time such as `2026-11-20 18:00`, `2h ago` or `tuesday`.
  ///
  /// A time without a zone is `minutesEast` minutes ahead of UTC. The version is published at once,
  /// so that no later write of a burst replaces it and it can be restored.
  ///
  /// - Throws: ``StoreError`` with `noSuchVersion`, `busy`, `noSpace`.
  public func version(named name: String, minutesEast: Int64 = 0) throws -> Version {
    try version(named: name, in: .fixed(minutesEast))
  }

  /// The version that a name means, with times without an offset in a zone.
  package func version(named name: String, in zone: LocalZone) throws -> Version {
    try core.with { try VersionSearch(store: $0).published(name, in: zone) }
  }

  /// The beginning of the moment that a person names, such as `2 weeks ago`; nil if it is none.
  package static func beginning(of text: String, in zone: LocalZone) -> Timestamp? {
    let now = Timestamp(milliseconds: SystemClock().now())
    return SpokenMoment(now: now, zone: zone, isBeginning: true).read(text)
  }

  /// The version that a name means, for a look at it: nothing is written, so a write of a burst may still take its place.
  package func version(toLookAt name: String, in zone: LocalZone = .machine) throws -> Version {
    try core.with { try VersionSearch(store: $0).look(for: name, in: zone) }
  }

  /// Restores a version's content as a new version; restoring the report's `previous` undoes it.
  ///
  /// With `ifHead`, it restores only if that version is live.
  ///
  /// - Throws: ``StoreError`` with `headMoved` if another version is live; `locked`, `busy`, `noSuchVersion`, `notRestorable`, `noSpace`.
  public func restore(_ id: VersionID, ifHead expected: VersionID? = nil) throws -> RestoreReport {
    try core.patiently { try Restoring(store: $0, expected: expected).run(id) }
  }

  /// Removes versions that need not be kept; this also happens automatically.
  ///
  /// It never removes heads, the newest whole version, and versions that a known device has live or
  /// has not checked out yet.
  ///
  /// A dry run only returns what would be removed. `keeping` replaces the usual counts for this
  /// call; what is never removed stays all the same.
  public func prune(dryRun: Bool = false, keeping: KeptCounts? = nil) throws -> PruneReport {
    try core.with { try Pruning(store: $0).run(dryRun: dryRun, keeping: keeping) }
  }

  /// Pins a version with a name.
  ///
  /// No device prunes it, and the name works wherever a version is expected.
  ///
  /// If another version had the name, this one has it now.
  ///
  /// - Throws: ``StoreError`` with `noSuchVersion`, and `usage` for a name that means something else.
  public func pin(_ id: VersionID, as name: String) throws {
    try core.with { try Pins(store: $0).pin(id, as: name) }
  }

  /// Removes the name of a pinned version.
  ///
  /// - Throws: ``StoreError`` with `usage` if no version has that name.
  public func unpin(_ name: String) throws {
    try core.with { try Pins(store: $0).unpin(name) }
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
    try core.with { try Exporting(store: $0).version(id, to: path, mode: mode) }
  }

  /// Passes a version's database to a closure piece by piece, after checking all of it against its
  /// content hash.
  package func withContent(
    of id: VersionID, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    try core.with { try Exporting(store: $0).content(of: id, body) }
  }
}
