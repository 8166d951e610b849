import OpenWOApp

/// How many rows of one table differ, and how its rows are named.
struct ChangedTable: Sendable {
  var table: String
  var isKeyed = true
  var inserted = 0
  var updated = 0
  var deleted = 0
  var oldColumns: [String] = []
  var newColumns: [String] = []
  var notCompared: String?

  init(table: String) {
    self.table = table
  }

  init(_ found: DifferenceReport.Table) {
    table = found.table
    isKeyed = found.keyedBy != "wholeRow"
    (inserted, updated, deleted) = (found.inserted, found.updated, found.deleted)
    (oldColumns, newColumns) = (found.oldColumns, found.newColumns)
    notCompared = found.notCompared
  }

  init(_ found: TableChange) {
    table = found.table
    (inserted, updated, deleted) = (found.inserted, found.updated, found.deleted)
    notCompared = found.notCompared
  }
}

/// One row that differs.
struct ChangedRow: Sendable {
  /// `inserted`, `updated` or `deleted`.
  var kind: String
  var key: [DataValue]
  var old: [DataValue]?
  var new: [DataValue]?

  init(key: [DataValue], old: [DataValue]?, new: [DataValue]?) {
    kind = old == nil ? "inserted" : new == nil ? "deleted" : "updated"
    (self.key, self.old, self.new) = (key, old, new)
  }

  init(_ found: DifferenceReport.Row) {
    (kind, key, old, new) = (found.kind, found.key, found.old, found.new)
  }
}
