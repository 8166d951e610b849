/// A row that is not the same in two databases.
package struct RowChange: Hashable, Sendable {
  /// What happened to the row on the way from the first database to the second.
  package enum Kind: String, Sendable {
    case inserted, updated, deleted
  }

  /// What tells the row from the others: its rowid, or the values of its key's columns.
  package let key: [CellValue]
  /// The row in the first database, by `TableDifference.oldColumns`; nil when it was not there.
  package let old: [CellValue]?
  /// The row in the second database, by `TableDifference.newColumns`; nil when it is not there.
  package let new: [CellValue]?

  /// What happened to the row.
  package var kind: Kind { old == nil ? .inserted : (new == nil ? .deleted : .updated) }
}
