import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Bringing back a version as a new one on top of the history, or only a table or a row of it.
struct Restoring: StoreCommand {
  let store: Store
  /// The version that has to be live; nil: any.
  var expected: VersionID?

  /// The decision on a restore now; changes nothing.
  func plan(_ id: VersionID) throws -> RestorePlan {
    try plan(id, live: Previewing(store: store).startingVersion())
  }

  private func plan(_ id: VersionID, live: Version?) throws -> RestorePlan {
    let graph = try versions.listed().graph
    return try RestorePlan(of: id, in: graph, live: live, expected: expected, paths)
  }

  /// Puts a version back on top of the history; restoring `previous` undoes it.
  func run(_ id: VersionID) throws -> RestoreReport {
    try session.lookingAgain {
      _ = try session.enter(waiting: configuration.writePatience)
      let plan = try plan(id, live: workingCopy.currentVersion())
      var report = RestoreReport(
        version: plan.previous.id, restored: id, previous: plan.previous.id)
      if plan.isNothing { return report }
      try session.awaitReaders(of: paths.database)
      report.version = try store.asWriter {
        try publishing.run()
        return try CheckOut(store: store).putBack(plan.wanted).id
      }
      // It is done; a version that cannot be published now is published at the next look.
      try? publishing.run()
      return report
    }
  }

  /// Makes a version of the live content with rows of another version, and the live file equal to it.
  func run(_ rows: RowsRequest, from id: VersionID, dryRun: Bool) throws -> RowsRestoreReport {
    if dryRun {
      return try Previewing(store: store).run { found in
        try building(rows, plan(id, live: found)) { _, report in report }
      }
    }
    return try session.lookingAgain {
      _ = try session.enter(waiting: configuration.writePatience)
      let plan = try plan(id, live: workingCopy.currentVersion())
      try session.awaitReaders(of: paths.database)
      return try building(rows, plan) { path, report in
        if report.change.isNothing { return report }
        return try store.asWriter { try putBack(rows, path, report) }
      }
    }
  }

  /// Builds the content beside, in the state folder, and hands out its path.
  private func building<Result>(
    _ rows: RowsRequest, _ plan: RestorePlan, _ body: (FilePath, RowsRestoreReport) throws -> Result
  ) throws -> Result {
    let path = store.state.scratch.appending("restore-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(path) }
    try versions.materialize(plan.previous.content, to: path, durable: false)
    let version = try versions.privateCopy(of: plan.wanted.content)
    defer { version.close() }
    let copy = try Connection(path: path, .ofScratch)
    let found: TableDifference
    do {
      defer { copy.close() }
      found = try RowRestoration(table: rows.table, key: rows.key).write(from: version, into: copy)
      if let damage = try copy.withReadLock({ try copy.checkStructure().damage }) {
        throw MergeRefusal(rows.table, damage)
      }
    } catch let refusal as MergeRefusal {
      throw StoreError.notRestorable(refusal, plan.wanted, paths)
    }
    let change = TableChange(
      table: found.table, inserted: found.inserted, updated: found.updated,
      deleted: found.deleted)
    return try body(
      path,
      RowsRestoreReport(restored: plan.wanted.id, previous: plan.previous.id, change: change))
  }

  private func putBack(
    _ rows: RowsRequest, _ path: FilePath, _ report: RowsRestoreReport
  ) throws -> RowsRestoreReport {
    guard try workingCopy.currentVersion()?.id == report.previous else { throw StaleLook() }
    try publishing.run()
    let content = try FileContent(path, fileSystem: files)
    let digests = try BlockDigests(size: content.size, read: content.read)
    let copy = try Connection(path: path, .ofPrivateCopy)
    defer { copy.close() }
    let words = [report.change.table] + (rows.key ?? [])
    // A child of what was live, as an edit by hand is: only a whole version that comes back undoes others.
    let version = try newVersions.make(
      NewVersion(
        ContentFacts(copy.header(), digests), .edit, parents: nil,
        note: "\(words.joined(separator: " ")) from \(report.restored.short)"))
    try CheckOut(store: store).putInPlace(
      version, newVersions.payload(version, content, after: workingCopy.content))
    store.events.send(.captured(version.id, reason: .edit))
    // It is done; a version that cannot be published now is published at the next look.
    try? publishing.run()
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
