/// Whom a copy beside the database waits for.
package enum CopyNeed: Sendable, Hashable {
  /// The next `sync` captures or removes it.
  case sync
  /// It is not whole: its service or a person has to finish it.
  case person
  /// It stays: its content is a version, or a person here may have made it.
  case nothing
}
