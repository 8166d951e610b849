/// Rows that stay on this device when another device's version is checked out.
///
/// A row that this device changed stays as it is here. A row that it did not change stays if the
/// other side removed it, and takes the other side's changes. The result is a new version, which
/// the other devices check out in turn. If pinned rows refer to rows that may be new, pin those,
/// too.
public struct PinnedRows: Sendable, Hashable {
  /// The table.
  public var table: String
  /// An SQL expression on the columns of the table, such as `endedAt IS NULL`.
  public var condition: String

  /// Selects rows of a table by an SQL expression.
  public init(_ table: String, where condition: String) {
    self.table = table
    self.condition = condition
  }
}
