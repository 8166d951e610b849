package import OpenWOHistory
import OpenWOMerge

/// What became of one row.
package struct RowHistory: Sendable, Hashable {
  /// A version in which the row is another one than before.
  package struct Change: Sendable, Hashable {
    /// The version.
    package var version: Version
    /// The columns of `old`.
    package var oldColumns: [String]
    /// The values before; nil when there was no such row.
    package var old: [DataValue]?
    /// The columns of `new`.
    package var newColumns: [String]
    /// The values in this version; nil when there is no such row.
    package var new: [DataValue]?

    init(_ version: Version, _ old: TableRow?, _ new: TableRow?) {
      self.version = version
      oldColumns = old?.columns ?? []
      self.old = old?.values?.map(DataValue.init)
      newColumns = new?.columns ?? []
      self.new = new?.values?.map(DataValue.init)
    }
  }

  /// The changes, newest first.
  package var changes: [Change] = []
  /// How many versions could not be looked into, such as pruned ones.
  package var unread = 0
  /// Whether any version has the table, and rows of it are found by such a key.
  package var isTableKnown = false
}
