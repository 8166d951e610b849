/// The rows that could be read of a damaged file.
public struct RecoveryReport: Sendable, Hashable {
  /// One table and how many of its rows were written.
  public struct Table: Sendable, Hashable, Codable {
    /// The table's name.
    public var name: String
    /// The rows that were written.
    public var rows: Int
  }

  /// The file that was read.
  public var file: QuarantinedFile
  /// The tables that were written.
  public var tables: [Table]
  /// The table with the rows whose own table is unknown; nil if there are none.
  public var lostAndFound: Table?
  /// How many rows could not be read.
  public var unreadable: Int
  /// What could not be recovered as it was.
  public var notes: [String]
}
