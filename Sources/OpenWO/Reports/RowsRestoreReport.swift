package import OpenWOHistory

/// What bringing back a table or a row did, or would do.
package struct RowsRestoreReport: Sendable, Hashable {
  /// The new version on top; nil if nothing differed, or it was only asked.
  package var version: VersionID?
  /// The version that the rows came from.
  package var restored: VersionID
  /// The version that was live before; restoring it undoes this.
  package var previous: VersionID
  /// The table, and how many of its rows are back, as they were, or gone again.
  package var change: TableChange
}

/// Which rows to bring back.
package struct RowsRequest: Sendable, Hashable {
  /// The table.
  package var table: String
  /// The key of one row as a person types it, a word for each column; nil for all rows.
  package var key: [String]?

  /// Names a table, or one row of it.
  package init(table: String, key: [String]? = nil) {
    (self.table, self.key) = (table, key)
  }
}
