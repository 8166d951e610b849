import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// States that the database has not, and that may hold what no version has: each becomes one.
struct UnprovenStates: StorePart {
  let store: Store

  /// The last versions of each kind that were captured.
  struct Captured {
    var passedOver: Version?
    /// The version that a journal has undone.
    var undone: Version?

    var isEmpty: Bool { passedOver == nil && undone == nil }
  }

  /// Captures the state that an unproven journal would have produced.
  ///
  /// The live file itself stays current and is captured later.
  ///
  /// The same holds for a log that was checkpointed and a journal that was replayed, if the file
  /// had another state before.
  func capture() throws -> Captured {
    guard try files.statusIfPresent(state.unproven) != nil else { return Captured() }
    return try store.asWriter(captureAll)
  }

  private func captureAll() throws -> Captured {
    var found = Captured()
    for name in try files.list(state.unproven) where name.string.hasSuffix(".sqlite") {
      let path = state.unproven.appending(name)
      if let known = try versionPlayed(name), try versions.isRestorable(known.content) {
        found.undone = try captureUndone(path, to: known) ?? found.undone
      } else {
        found.passedOver = try capturePassedOver(path) ?? found.passedOver
      }
      try files.unlink(path)
    }
    return found
  }

  /// The version that a journal led to, by the name of the kept file.
  private func versionPlayed(_ name: FilePath.Component) throws -> Version? {
    let content = name.stem.split(separator: "-").first.flatMap { ContentHash(hex: $0) }
    return try content.flatMap(versions.listed().graph.latest(content:))
  }

  private func capturePassedOver(_ path: FilePath) throws -> Version? {
    let live = try workingCopy.signature()
    return try capture(
      path, note: Version.passedOverNote, notAfter: live.map { Timestamp(nanoseconds: $0.mtime) }
    ) {
      let isBeside = live.map(workingCopy.isWritten) ?? false
      return try EvidenceGatherer(store: store).origins(
        ofFile: .passedOver, path, isWrittenInPlace: isBeside
      ).parents
    }
  }

  /// Captures the state before a journal was replayed, and the replayed state as a restore.
  ///
  /// Both are stamped right after the version that the journal led to, so that later work on that
  /// version wins.
  private func captureUndone(_ path: FilePath, to known: Version) throws -> Version? {
    let modified = Timestamp(milliseconds: known.at.milliseconds)
    let undone = try capture(path, note: Version.undoneNote, notAfter: modified) {
      try EvidenceGatherer(store: store).origins(of: .undone(by: known.id)).parents
    }
    guard let undone else { return nil }
    let restored = NewVersion(
      known.facts, .restore, parents: [undone.id], note: known.id.short, notAfter: modified)
    let content = try versions.archive.reader(known.content, in: versions.listed().archive)
    try newVersions.capture(restored) { try newVersions.payload($0, content, after: known.content) }
    return undone
  }

  /// Captures a state that does not become live; a file that is damaged or a mix goes to
  /// quarantine.
  ///
  /// - Returns: Its version; nil if it needs none, or has one that was dealt with.
  private func capture(
    _ path: FilePath, note: String, notAfter modified: Timestamp?,
    from parents: () throws -> [VersionID]
  ) throws -> Version? {
    let found = try CopyExaminer(store: store).examine(
      path, files.lstat(path), isWeak: nil, versions.listed())
    guard let facts = found.facts else {
      if found.content == nil {
        try KeepingAside(store: store).keep(path, because: found.problem ?? "it is damaged")
      }
      // A stop may have come right after it was captured.
      let known = try found.content.flatMap(versions.listed().graph.latest(content:))
      return try known.flatMap {
        try $0.note == note && versions.listed().graph.isHead($0.id) ? $0 : nil
      }
    }
    let new = NewVersion(
      facts, .external, parents: try parents(), note: note, notAfter: modified)
    return try newVersions.capture(new) { try newVersions.payload($0, FoldedContent(path, files)) }
  }
}
