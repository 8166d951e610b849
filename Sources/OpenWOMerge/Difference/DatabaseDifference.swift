/// The difference between two databases: changes of the schema, and of rows by table.
package struct DatabaseDifference: Hashable, Sendable {
  /// Parts of the schema that differ, in order of type and name.
  package var schemaChanges: [SchemaChange] = []
  /// The tables that differ, in order of name.
  package var tables: [TableDifference] = []
  /// AUTOINCREMENT counters that differ, by table.
  ///
  /// They are bookkeeping and make nothing unequal.
  package var sequences: [SequenceChange] = []

  /// Whether schema and rows are the same.
  ///
  /// Counters of `sqlite_sequence` and the statistics of ANALYZE are not looked at here.
  package var equal: Bool { schemaChanges.isEmpty && tables.isEmpty }
}
