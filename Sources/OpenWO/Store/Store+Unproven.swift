import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// States that the database has not, and that may hold what no version has: each becomes one.
extension Store {
  /// The note of a version that what stands in the live file goes before.
  private static var passedOver: String { "passed over" }

  /// Captures what the database would be with a journal that was set aside unproven; what stands there is captured later, and goes on.
  ///
  /// Answers whether there was anything.
  func captureUnproven() throws -> Bool {
    guard try files.statusIfPresent(state.unproven) != nil else { return false }
    let names = try files.list(state.unproven).filter { $0.string.hasSuffix(".sqlite") }
    for name in names {
      let path = state.unproven.appending(name)
      try capturePassedOver(path)
      try files.unlink(path)
    }
    return !names.isEmpty
  }

  /// Captures a state that is not the one that goes on; what is no whole database, or a mix, is kept as evidence.
  private func capturePassedOver(_ path: FilePath) throws {
    let found = try CopyExaminer(store: self).examine(
      path, files.lstat(path), isWeak: nil, versions())
    guard let facts = found.facts else {
      if found.content == nil { try state.keepEvidence(path, as: "damaged", ".sqlite", files) }
      return
    }
    let live = try files.statusIfPresent(paths.database)
    let version = try make(
      facts, .external, parents: parentsOfUnproven(path, beside: live), note: Self.passedOver,
      notAfter: live.map { Timestamp(nanoseconds: $0.mtime) })
    try keep(version, payload(version, FileContent(path, fileSystem: files)))
    events.send(.captured(version.id, reason: .external))
  }

  /// What one of these was made from, as the live file beside which it came to be, or else by its rows.
  private func parentsOfUnproven(
    _ path: FilePath, beside live: FileStatus?
  ) throws -> [VersionID]? {
    if let live, isWritten(live.signature) { return nil }
    let copy = try OutsideFile(path, self)
    defer { copy.remove() }
    return try origin(of: copy)
  }

  /// The stamps of what was passed over here: what stands in the live file comes after it, whatever time the file has.
  func passedOver(_ graph: VersionGraph) -> [HybridTime] {
    graph.heads.filter { $0.device == device.id && $0.note == Self.passedOver }.map(\.at)
  }
}
