import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// Telling an app what came from elsewhere.
extension Store {
  /// Says that the live file is a version from elsewhere now, and which rows that changed.
  ///
  /// The rows are only compared when somebody listens; an import whose predecessor is not at hand is told without them.
  func tellImport(_ id: VersionID, from before: VersionID?) {
    guard id != before else { return }
    let changes = events.hasListeners ? (try? changes(since: before)) ?? [] : []
    events.send(.imported(id, changes: changes))
  }

  /// What turned an older version into what is live.
  func changes(since before: VersionID?) throws -> [TableChange] {
    guard let before, let version = try versions().graph[before] else { return [] }
    let old = try privateCopy(of: version.content)
    defer { old.close() }
    return try OpenWOMerge.difference(from: old, to: openLiveFile().connection).changes
  }
}

extension DatabaseDifference {
  /// The counts of the tables that differ.
  var changes: [TableChange] {
    tables.filter { $0.inserted + $0.updated + $0.deleted > 0 }.map {
      TableChange(
        table: $0.table, inserted: $0.inserted, updated: $0.updated, deleted: $0.deleted)
    }
  }
}
