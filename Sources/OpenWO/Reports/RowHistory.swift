public import OpenWOHistory
import OpenWOMerge

/// The history of one row.
public struct RowHistory: Sendable, Hashable {
  /// A version in which the row changed.
  public struct Change: Sendable, Hashable {
    /// The version.
    public var version: Version
    /// The columns of `old`.
    public var oldColumns: [String]
    /// The values before; nil if there was no such row.
    public var old: [DataValue]?
    /// The columns of `new`.
    public var newColumns: [String]
    /// The values in this version; nil if there is no such row.
    public var new: [DataValue]?

    init(_ version: Version, _ old: TableRow?, _ new: TableRow?) {
      self.version = version
      oldColumns = old?.columns ?? []
      self.old = old?.values?.map(DataValue.init)
      newColumns = new?.columns ?? []
      self.new = new?.values?.map(DataValue.init)
    }
  }

  /// The changes, newest first.
  public var changes: [Change] = []
  /// How many versions could not be read, such as pruned ones.
  public var unread = 0
  /// Whether any version has the table, and such a key identifies its rows.
  public var isTableKnown = false
}
