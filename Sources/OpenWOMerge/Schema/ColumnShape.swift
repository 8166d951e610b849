/// A column that holds data.
package struct ColumnShape: Hashable, Sendable {
  /// The column's name.
  package let name: String
  /// The type as declared, empty if none is.
  package let declaredType: String
  /// Whether NULL is refused.
  package let isNotNull: Bool
  /// The text of the default expression.
  package let defaultSQL: String?
  /// Which value of a record is this column's.
  package let field: Int
  /// Whether whole reals may be stored as integers and must be read back as reals.
  package let isReal: Bool

  /// How the column converts an inserted value.
  var affinity: ColumnAffinity { ColumnAffinity(declaredType) }

  /// Whether a record's value for this column means the same for the other one.
  func isStored(like other: ColumnShape) -> Bool {
    SQLName.folded(name) == SQLName.folded(other.name) && field == other.field
      && isReal == other.isReal && defaultSQL == other.defaultSQL
  }

  /// Whether a declared type gives REAL affinity.
  static func isReal(declaredType: String) -> Bool { ColumnAffinity(declaredType) == .real }
}
