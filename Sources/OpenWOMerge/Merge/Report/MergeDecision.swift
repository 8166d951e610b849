/// A place where both sides wanted different things and one was taken.
package struct MergeDecision: Hashable, Sendable {
  /// What was at odds.
  package enum Conflict: String, Sendable {
    /// Both sides wrote different values into a cell.
    case cell
    /// One side deleted a row that the other updated; the update was kept, unless a rule says otherwise.
    case deleteAgainstUpdate
    /// One side deleted a row that a kept row points to; it was kept.
    case deleteAgainstReference
    /// One side deleted a row that this table never lets go.
    case deleteAgainstUnion
    /// The two sides' cells together broke a constraint.
    case constraint
  }

  /// What decided.
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
  /// What was at odds.
  package let conflict: Conflict
  /// The columns at odds; empty for the whole row.
  package let columns: [String]
  /// Whose word was taken.
  package let winner: MergeSide
  /// What decided.
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
