public import OpenWOHistory

/// The result of a merge, or of a dry run.
public struct MergeResult: Sendable, Hashable, Codable {
  /// The version that holds both sides, now live; nil if nothing was done.
  public var version: VersionID?
  /// The merge base; nil if there was none.
  public var base: VersionID?
  /// The version that was live before; restoring it undoes the merge.
  public var previous: VersionID
  /// The version that was merged into it.
  public var theirs: VersionID
  /// The tables that changed, in order of name.
  public var tables: [Table]

  /// Columns that seem to refer to renumbered rows and were not changed, as no FOREIGN KEY declares
  /// the reference.
  public var undeclared: [UndeclaredReference] = []

  /// A column that seems to refer to another table, though no FOREIGN KEY declares it.
  public struct UndeclaredReference: Sendable, Hashable, Codable {
    /// The table with the column.
    public var table: String
    /// The column.
    public var column: String
    /// The table that it seems to refer to.
    public var parent: String
  }

  /// The result for one table.
  public struct Table: Sendable, Hashable, Codable {
    /// Its name.
    public var table: String
    /// Rows that only our side changed.
    public var fromOurs: Int
    /// Rows that only the other side changed.
    public var fromTheirs: Int
    /// Rows that both changed alike, or in different cells.
    public var converged: Int
    /// The keys of equal rows that both sides inserted: each pair is one row now.
    public var same: [[DataValue]] = []
    /// Rows that both sides changed in different cells, and which columns came from each.
    public var together: [JoinedRow] = []
    /// The conflicts, in which one side lost.
    public var decided: [Decision]
    /// Rows with new keys.
    public var renumbered: [Renumbering]
    /// The rows that the lists lack, as there are very many; nil if they lack none.
    public var unlisted: Unlisted?

    /// How many conflicts there were, listed or not.
    public var decidedCount: Int { decided.count + (unlisted?.decided ?? 0) }

    /// How many rows have other keys, listed or not.
    public var renumberedCount: Int { renumbered.count + (unlisted?.renumbered ?? 0) }
  }

  /// How many rows of a table are only counted, as its lists are full.
  public struct Unlisted: Sendable, Hashable, Codable {
    /// Rows that both made alike.
    public var same: Int
    /// Rows that both changed in different cells.
    public var together: Int
    /// Rows with other keys.
    public var renumbered: Int
    /// Conflicts that the later writer won.
    public var byClock: Int
    /// Conflicts that a person decided.
    public var byChoice: Int
    /// Conflicts that a rule decided.
    public var byRule: Int

    /// All of these conflicts.
    public var decided: Int { byClock + byChoice + byRule }
  }

  /// One of the two sides of a merge.
  public enum Side: String, Sendable, Hashable, Codable {
    case ours, theirs
  }

  /// A conflict, and how it was decided.
  public struct Decision: Sendable, Hashable, Codable {
    /// The key of the row in the result.
    public var key: [DataValue]
    /// `cell`, `deleteAgainstUpdate`, `deleteAgainstReference`, `deleteAgainstUnion` or `constraint`.
    public var conflict: String
    /// The columns in conflict; empty for the whole row.
    public var columns: [String]
    /// The side that won.
    public var winner: Side
    /// The reason: `column`, `versionTime`, `rule`, `fillsColumn`, `keepsRows` or `chosen`.
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

  /// A row whose key changed.
  public struct Renumbering: Sendable, Hashable, Codable {
    /// Whose row it was.
    public var side: Side
    /// Its key on that side.
    public var from: [DataValue]
    /// Its key in the result.
    public var to: [DataValue]
    /// Whether it was joined with a row of the other side.
    public var isSameRow: Bool
  }
}
