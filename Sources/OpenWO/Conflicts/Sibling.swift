/// The kind of a file beside a database, by its name.
enum Sibling: Sendable, Hashable {
  /// The database itself.
  case database
  /// The database's name in another Unicode form: services and disks change one into the other.
  case databaseTwin
  /// A service's copy of a losing write.
  case conflictedCopy(ConflictName)
  /// The journal, write-ahead log or shared memory of the database or of a copy: never to be opened.
  case journal(ofCopy: Bool)
  /// The companion folder.
  case companion
  /// A service's copy of the companion folder, made when it found two of them.
  case companionDuplicate(ConflictName)
  /// A staging file of openwo.
  case staging
  /// A file that a service or program needs for a while, or its own state.
  case temporary(SyncService)
  /// A placeholder for a database or a copy that has not been downloaded.
  case placeholder(SyncService)
  /// A person's or a tool's own copy: never a conflict, never touched.
  case backup(SyncService)
  /// Belongs to another store in the folder.
  case otherStore
  /// Nothing to do with this database.
  case unrelated
}
