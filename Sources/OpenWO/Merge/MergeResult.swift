public import OpenWOHistory

/// What a merge did, or would do.
public struct MergeResult: Sendable, Hashable, Codable {
  /// The version that holds both sides, live now; nil when nothing was done.
  public var version: VersionID?
  /// The common ancestor that the rows were held against; nil when there was none.
  public var base: VersionID?
  /// The version that was live before; restoring it undoes the merge.
  public var previous: VersionID
  /// The version that was merged into it.
  public var theirs: VersionID
  /// The tables that were touched, in order of name.
  public var tables: [Table]

  /// Columns that seem to point to rows with new keys and did not follow them, as no FOREIGN KEY says that they point there.
  public var undeclared: [UndeclaredReference] = []

  /// A column that seems to point to another table, though no FOREIGN KEY says so.
  public struct UndeclaredReference: Sendable, Hashable, Codable {
    /// The table with the column.
    public var table: String
    /// The column.
    public var column: String
    /// The table that it seems to point to.
    public var parent: String
  }

  /// What happened to one table.
  public struct Table: Sendable, Hashable, Codable {
    /// Its name.
    public var table: String
    /// Rows changed by our side alone, taken over.
    public var fromOurs: Int
    /// Rows changed by the other side alone, taken over.
    public var fromTheirs: Int
    /// Rows to which both did the same, or different things in different cells.
    public var converged: Int
    /// The keys of rows that both sides made alike: each is one row now.
    public var same: [[DataValue]] = []
    /// Rows that both sides changed in different cells, and which columns came from each.
    public var together: [JoinedRow] = []
    /// Where one side had to give way.
    public var decided: [Decision]
    /// Rows with new keys.
    public var renumbered: [Renumbering]
  }

  /// One of the two that were merged.
  public enum Side: String, Sendable, Hashable, Codable {
    case ours, theirs
  }

  /// A place where both sides wanted different things.
  public struct Decision: Sendable, Hashable, Codable {
    /// The key of the row in the result.
    public var key: [DataValue]
    /// `cell`, `deleteAgainstUpdate`, `deleteAgainstReference`, `deleteAgainstUnion` or `constraint`.
    public var conflict: String
    /// The columns at odds; empty for the whole row.
    public var columns: [String]
    /// Whose word was taken.
    public var winner: Side
    /// What decided: `column`, `versionTime`, `rule`, `fillsColumn`, `keepsRows` or `chosen`.
    public var reason: String
    /// The column or the rule that decided.
    public var decidedBy: String?
    /// The values that gave way, of the columns at odds or of the whole row; empty if that side had no row.
    public var lost: [LostCell] = []
  }

  /// A value that is not in the result; it stays in the history.
  public struct LostCell: Sendable, Hashable, Codable {
    /// The column.
    public var column: String
    /// The value that the losing side had there.
    public var value: DataValue
  }

  /// A row with cells of both sides.
  public struct JoinedRow: Sendable, Hashable, Codable {
    /// The key of the row in the result.
    public var key: [DataValue]
    /// The columns that only our side changed.
    public var ours: [String]
    /// The columns that only the other side changed.
    public var theirs: [String]
  }

  /// A row with another key than it had on its side.
  public struct Renumbering: Sendable, Hashable, Codable {
    /// Whose row it was.
    public var side: Side
    /// Its key on that side.
    public var from: [DataValue]
    /// Its key in the result.
    public var to: [DataValue]
    /// Whether it became one with a row of the other side.
    public var isSameRow: Bool
  }
}
