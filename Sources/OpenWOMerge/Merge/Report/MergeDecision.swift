/// A conflict in which one side was taken.
package struct MergeDecision: Hashable, Sendable {
  /// The kind of conflict.
  package enum Conflict: String, Sendable {
    /// Both sides wrote different values into a cell.
    case cell
    /// One side deleted a row that the other updated; the update was kept, unless a rule says otherwise.
    case deleteAgainstUpdate
    /// One side deleted a row that a kept row points to; it was kept.
    case deleteAgainstReference
    /// One side deleted a row, and the table's rule is `union`.
    case deleteAgainstUnion
    /// The two sides' cells together broke a constraint.
    case constraint
  }

  /// The reason for the decision.
  package enum Reason: Hashable, Sendable {
    /// A column that says when a row was last written.
    case column(String)
    /// The times of the two versions.
    case versionTime
    /// A person.
    case chosen
    /// The rule of the table.
    case rule(TableRule)
    /// The other side only gave each row a value in a new column.
    case fillsColumn
    /// Nothing that anyone wrote may be lost.
    case keepsRows
  }

  /// The key of the row in the result.
  package let key: [CellValue]
  /// The kind of conflict.
  package let conflict: Conflict
  /// The columns at odds; empty for the whole row.
  package let columns: [String]
  /// Whose word was taken.
  package let winner: MergeSide
  /// The reason for the decision.
  package let reason: Reason
  /// The values that gave way, of the columns at odds or of the whole row; empty if that side had no row.
  package var lost: [LostCell] = []

  /// A value that is not in the result.
  package struct LostCell: Hashable, Sendable {
    /// The column.
    package let column: String
    /// The value that the losing side had there.
    package let value: CellValue
  }
}
