import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Bringing back a table or a row and leaving the rest as it is.
extension Store {
  /// Makes a version of the live content with rows of another version, and the live file equal to it.
  func restore(
    _ rows: RowsRequest, from id: VersionID, dryRun: Bool, ifHead expected: VersionID?
  ) throws -> RowsRestoreReport {
    if dryRun {
      return try startingFromFound { previous in
        try require(expected, as: previous)
        return try building(rows, id, previous) { _, report in report }
      }
    }
    for _ in 0..<Self.attempts {
      _ = try enter(waiting: writePatience)
      guard let previous = try current() else { throw StoreError.missing(paths) }
      try require(expected, as: previous)
      try awaitReaders(of: paths.database)
      do {
        return try building(rows, id, previous) { path, report in
          if report.change.isNothing { return report }
          return try asWriter { try putBack(rows, path, report, previous) }
        }
      } catch is StaleLook {}
    }
    throw StoreError.busy(paths)
  }

  /// Builds the content beside, in the state folder, and hands out its path.
  private func building<Result>(
    _ rows: RowsRequest, _ id: VersionID, _ previous: Version,
    _ body: (FilePath, RowsRestoreReport) throws -> Result
  ) throws -> Result {
    guard let wanted = try versions.listed().graph[id] else {
      throw StoreError.noSuchVersion(id.short, paths)
    }
    let path = state.scratch.appending("restore-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(path) }
    try versions.materialize(previous.content, to: path, durable: false)
    let version = try versions.privateCopy(of: wanted.content)
    defer { version.close() }
    let copy = try Connection(
      path: path, Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    let found: TableDifference
    do {
      defer { copy.close() }
      found = try RowRestoration(table: rows.table, key: rows.key).write(from: version, into: copy)
      if let damage = try copy.withReadLock({ try copy.checkStructure().damage }) {
        throw MergeRefusal(rows.table, damage)
      }
    } catch let refusal as MergeRefusal {
      throw StoreError.notRestorable(refusal, wanted, paths)
    }
    let change = TableChange(
      table: found.table, inserted: found.inserted, updated: found.updated,
      deleted: found.deleted)
    return try body(
      path, RowsRestoreReport(restored: id, previous: previous.id, change: change))
  }

  private func putBack(
    _ rows: RowsRequest, _ path: FilePath, _ report: RowsRestoreReport, _ previous: Version
  ) throws -> RowsRestoreReport {
    guard try current()?.id == previous.id else { throw StaleLook() }
    try publish()
    let content = try FileContent(path, fileSystem: files)
    let digests = try BlockDigests(size: content.size, read: content.read)
    let copy = try Connection(
      path: path, Connection.Options(mode: .readOnly, immutable: true, guardPolicy: .privateCopy))
    defer { copy.close() }
    let words = [report.change.table] + (rows.key ?? [])
    // A child of what was live, as an edit by hand is: only a whole version that comes back undoes others.
    let version = try make(
      ContentFacts(copy.header(), digests), .edit, parents: nil,
      note: "\(words.joined(separator: " ")) from \(report.restored.short)")
    try keep(version, payload(version, content, after: workingCopy.content))
    do {
      try replaceLive(with: version)
    } catch {
      try drop(version)
      throw error
    }
    events.send(.captured(version.id, reason: .edit))
    // It is done; a version that cannot be published now is published at the next look.
    try? publish()
    var report = report
    report.version = version.id
    return report
  }
}

extension TableChange {
  /// Whether no row differs.
  fileprivate var isNothing: Bool { inserted + updated + deleted == 0 }
}

extension StoreError {
  fileprivate static func notRestorable(
    _ refusal: MergeRefusal, _ wanted: Version, _ paths: StorePaths
  ) -> StoreError {
    let table = String(printable: refusal.table.utf8)
    return StoreError(
      .notRestorable,
      "table \(table) cannot be brought back from version \(wanted.id.short): "
        + "\(String(printable: refusal.reason.utf8)); nothing was written",
      advice: paths.next("see what differs", .compareRows(.version(wanted.id))))
  }
}
