/// The difference between two states of a database.
public struct DifferenceReport: Sendable, Hashable, Codable {
  /// Whether both schema and rows are equal.
  public var equal: Bool
  /// Parts of the schema that differ, in order of type and name.
  public var schemaChanges: [SchemaChange]
  /// The tables that differ, in order of name.
  public var tables: [Table]

  /// A part of the schema that differs.
  public struct SchemaChange: Sendable, Hashable, Codable {
    /// `table`, `index`, `view`, `trigger`, or `setting` for `user_version` and the like.
    public var type: String
    /// Its name.
    public var name: String
    /// The table that it belongs to; empty for a setting.
    public var table: String
    /// `added`, `removed` or `changed`.
    public var kind: String
    /// Its text in the first state.
    public var old: String?
    /// Its text in the second state.
    public var new: String?
  }

  /// One table that differs.
  public struct Table: Sendable, Hashable, Codable {
    /// Its name.
    public var table: String
    /// How rows were paired: `primaryKey`, `rowid` for a table that declares no key, or `wholeRow`.
    public var keyedBy: String
    /// Rows only in the second state.
    public var inserted: Int
    /// Rows in both, with different values.
    public var updated: Int
    /// Rows only in the first state.
    public var deleted: Int
    /// The columns of the `old` values in `rows`.
    public var oldColumns: [String]
    /// The columns of the `new` values in `rows`.
    public var newColumns: [String]
    /// The changed rows in key order, up to the requested number.
    public var rows: [Row]
    /// Whether `rows` does not hold all changes.
    public var isCutShort: Bool
    /// Why the rows could not be compared; nil if they were.
    public var notCompared: String?
  }

  /// One row that differs.
  public struct Row: Sendable, Hashable, Codable {
    /// `inserted`, `updated` or `deleted`.
    public var kind: String
    /// Its key, or its row id.
    public var key: [DataValue]
    /// Its values in the first state; nil if it was inserted.
    public var old: [DataValue]?
    /// Its values in the second state; nil if it was deleted.
    public var new: [DataValue]?
  }

  /// How many of the changed rows a report holds.
  public enum Rows: Sendable, Hashable {
    /// None: they are only counted.
    case counted
    /// The first ones of each table.
    case upTo(Int)
    /// All of them.
    case all
  }

  /// The report on states with the same content.
  static let nothing = DifferenceReport(equal: true, schemaChanges: [], tables: [])
}
