/// The schema of one database, as far as rows and their comparison need it.
package struct DatabaseSchema: Sendable {
  /// All of `sqlite_schema`.
  package let entries: [SchemaEntry]
  /// The tables whose rows are the user's, by folded name.
  package let tables: [String: TableShape]
  /// The tables that keep a virtual table's content, by folded name.
  package let shadowTables: [String: TableShape]
  /// The tables in which a virtual table of an unknown module may keep its content, and that one; both folded.
  let opaque: [String: String]
  /// The folded names of tables that could not be understood, and why.
  package let unreadable: [String: String]
  /// How text is stored.
  package let text: StoredText
  /// SQLite's own count of changes to the schema, which VACUUM raises as well.
  package let cookie: Int64
  /// `user_version` and `application_id`.
  package let settings: [String: Int64]
}
