/// How the rows of one table differ between two databases.
package struct TableDifference: Hashable, Sendable {
  /// How the rows of the two were paired.
  package enum Keying: String, Sendable {
    case primaryKey, rowid, wholeRow
  }

  /// The table's name.
  package let table: String
  /// How rows were paired.
  ///
  /// `rowid` means that the table declares no key, or one that cannot be used.
  package var keyedBy: Keying
  /// The data columns in the first database; empty when the table is not there.
  package var oldColumns: [String]
  /// The data columns in the second database; empty when the table is not there.
  package var newColumns: [String]
  /// The columns that only the second database has, where values in them count as changes.
  var added: [AddedColumn] = []
  /// Rows only in the second database.
  package var inserted = 0
  /// Rows in both, with different values.
  package var updated = 0
  /// Rows only in the first database.
  package var deleted = 0
  /// The changed rows in key order, if requested.
  package var rows: [RowChange] = []
  /// Whether `rows` stops short of all changes because a limit was set.
  package var isCutShort = false
  /// Whether a changed row has NULL in its primary key; not looked for where rows are only counted.
  var hasNullKey = false
  /// Why the rows could not be compared; nil if they were.
  package var notCompared: String?

  /// Whether it is an index of another table's rows, which differ as well.
  var followsRows = false

  /// Whether no row differs.
  package var isEqual: Bool { inserted + updated + deleted == 0 && notCompared == nil }

  /// A difference still to be counted.
  init(table: String, keyedBy: Keying, oldColumns: [String], newColumns: [String]) {
    self.table = table
    self.keyedBy = keyedBy
    self.oldColumns = oldColumns
    self.newColumns = newColumns
  }
}
