/// A row that is not the same in two databases.
package struct RowChange: Hashable, Sendable {
  /// The kind of change from the first database to the second.
  package enum Kind: String, Sendable {
    case inserted, updated, deleted
  }

  /// The row's key: its rowid, or the values of its key columns.
  package let key: [CellValue]
  /// The row in the first database, by `TableDifference.oldColumns`; nil if it was not there.
  package let old: [CellValue]?
  /// The row in the second database, by `TableDifference.newColumns`; nil if it is not there.
  package let new: [CellValue]?

  /// The kind of change.
  package var kind: Kind { old == nil ? .inserted : (new == nil ? .deleted : .updated) }
}
