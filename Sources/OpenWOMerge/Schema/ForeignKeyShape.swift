/// A declared foreign key.
package struct ForeignKeyShape: Hashable, Sendable {
  /// The table that holds it.
  package let table: String
  /// The folded name of the table it points to.
  package let parent: String
  /// The folded names of its columns.
  package let columns: [String]
  /// The folded names of the columns it points to; empty for the parent's primary key.
  package let parentColumns: [String]
  /// Whether rows go with the row they point to.
  package let cascadesDelete: Bool
  /// Whether rows follow the row they point to when its key changes.
  package let cascadesUpdate: Bool
}
