public import OpenWOHistory

/// The result of restoring a table or a row, or of a dry run.
public struct RowsRestoreReport: Sendable, Hashable {
  /// The new version; nil if nothing differed, or after a dry run.
  public var version: VersionID?
  /// The version that the rows came from.
  public var restored: VersionID
  /// The version that was live before; restoring it undoes this.
  public var previous: VersionID
  /// The table, and the numbers of rows that were inserted, updated and deleted.
  public var change: TableChange
}

/// Which rows to bring back.
public struct RowsRequest: Sendable, Hashable {
  /// The table.
  public var table: String
  /// The key of one row as a person types it, a word for each column; nil for all rows.
  public var key: [String]?

  /// Names a table, or one row of it.
  public init(table: String, key: [String]? = nil) {
    (self.table, self.key) = (table, key)
  }
}
