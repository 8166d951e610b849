import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// Telling an app what came from elsewhere.
struct ImportNews: StorePart {
  let store: Store

  /// Reports that the live file is now a version from elsewhere, and which rows changed.
  ///
  /// Rows are compared only if somebody listens; without the earlier version, the import is
  /// reported without rows.
  func tell(_ id: VersionID, from before: VersionID?) {
    guard id != before else { return }
    let changes = events.hasListeners ? (try? changes(since: before)) ?? [] : []
    events.send(.imported(id, changes: changes))
  }

  /// The changes from an older version to the live one.
  private func changes(since before: VersionID?) throws -> [TableChange] {
    guard let before, let version = try versions.listed().graph[before] else { return [] }
    let old = try versions.privateCopy(of: version.content)
    defer { old.close() }
    var columns = ChangedColumns()
    let difference = try OpenWOMerge.difference(
      from: old, to: workingCopy.open().connection, options: .forReading()
    ) {
      columns.note($1, in: $0)
    }
    return difference.changes.map { change in
      var change = change
      change.columns = columns.names(in: change.table)
      return change
    }
  }
}

/// The columns in which rows differ, table by table.
private struct ChangedColumns {
  private var tables: [String: (names: [String], changed: Set<Int>)] = [:]

  /// Counts a row that is in both states.
  mutating func note(_ row: RowChange, in table: TableDifference) {
    guard let old = row.old, let new = row.new, table.oldColumns == table.newColumns else { return }
    let differing = new.indices.filter { !old.indices.contains($0) || old[$0] != new[$0] }
    tables[table.table, default: (table.newColumns, [])].changed.formUnion(differing)
  }

  func names(in table: String) -> [String] {
    guard let found = tables[table] else { return [] }
    return found.changed.sorted().map { found.names[$0] }
  }
}
