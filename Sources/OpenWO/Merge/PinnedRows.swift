/// Rows that stay on this device when a version of another one is adopted.
///
/// A row that this device changed stays as it is here; one that it did not change stays when the other side removed it, and takes what the
/// other side wrote into it. What comes of it is a version of its own, which the other devices adopt in turn. Rows that these point at are
/// to be pinned too where they may be new.
public struct PinnedRows: Sendable, Hashable {
  /// The table.
  public var table: String
  /// An SQL expression on the columns of the table, such as `endedAt IS NULL`.
  public var condition: String

  /// Names rows of a table by an SQL expression.
  public init(_ table: String, where condition: String) {
    self.table = table
    self.condition = condition
  }
}
