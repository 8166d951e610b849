package import OpenWOSQLite

/// Edits by SQL statements.
extension SyncedDatabase {
  /// Takes the lock, runs the statements as one transaction, keeps it as one version, and ends the lock.
  ///
  /// The statements may change rows and nothing beside them. They are tried on a private copy first, so that what is refused never reaches the
  /// file. A process that is killed meanwhile leaves all of the edit or none of it, and a lock that ends with it.
  ///
  /// - Throws: ``StoreError`` with `usage` for a statement that is wrong, would do more, or changes too many rows, `headMoved`, `timeLimit`,
  ///   and what ``lock(_:)`` and ``write(_:)`` throw.
  package func edit(_ request: EditRequest, until stop: StopSign = StopSign()) throws -> EditReport
  {
    try core.patiently { try Editing(store: $0, request: request, stop: stop).run() }
  }

  /// Previews an edit on a private copy; nothing is written in the folder.
  package func previewEdit(
    _ request: EditRequest, until stop: StopSign = StopSign()
  ) throws -> EditReport {
    try core.with { try Editing(store: $0, request: request, stop: stop).preview() }
  }
}
