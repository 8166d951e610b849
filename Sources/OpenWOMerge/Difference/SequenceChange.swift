/// The AUTOINCREMENT counter of a table in two databases.
package struct SequenceChange: Hashable, Sendable {
  /// The table's name.
  package let table: String
  /// The counter in the first database.
  package let old: Int64?
  /// The counter in the second database.
  package let new: Int64?
}
