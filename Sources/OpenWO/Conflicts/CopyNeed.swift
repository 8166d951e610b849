/// Whom a copy beside the database waits for.
package enum CopyNeed: Sendable, Hashable {
  /// The next `sync` captures or removes it.
  case sync
  /// It is not whole: its service or a person has to finish it.
  case person
  /// Its content is a version, and it stays as somebody's backup.
  case nothing
}
