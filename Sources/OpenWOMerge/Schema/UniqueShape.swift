/// Columns whose values no two rows of a table share; the primary key apart.
package struct UniqueShape: Hashable, Sendable {
  /// The columns, as places in the table's `columns`.
  package let columns: [Int]
  /// How the text of each is compared.
  package let collations: [KeyCollation]
}
