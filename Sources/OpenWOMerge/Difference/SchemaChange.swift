/// A part of the schema that is not the same in two databases.
package struct SchemaChange: Hashable, Sendable {
  /// The kind of change from the first database to the second.
  package enum Kind: String, Sendable {
    case added, removed, changed
  }

  /// The kind of part: `table`, `index`, `view`, `trigger`, or `setting` for `user_version` and the
  /// like.
  package let type: String
  /// The part's name.
  package let name: String
  /// The table it belongs to; its own name for a table, empty for a setting.
  package let table: String
  /// The kind of change.
  package let kind: Kind
  /// Its text in the first database.
  package let old: String?
  /// Its text in the second database.
  package let new: String?
}
