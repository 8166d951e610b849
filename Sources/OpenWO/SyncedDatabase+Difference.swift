/// What changed.
extension SyncedDatabase {
  /// What turns one state of the database into another; states of equal content are answered at once.
  ///
  /// Neither is changed. A file that is not the live one is copied first, and refused when it is not a whole database.
  ///
  /// - Parameters:
  ///   - old: The first state.
  ///   - new: The second state.
  ///   - rows: How many of the changed rows the report holds.
  /// - Returns: What differs.
  /// - Throws: ``StoreError`` with `noSuchVersion`, `notRestorable`, `notADatabase`, `unavailable`, `busy`.
  public func diff(
    from old: DatabaseState, to new: DatabaseState = .live,
    rows: DifferenceReport.Rows = .counted
  ) throws -> DifferenceReport {
    try diff(from: old, to: new, rows: rows, telling: nil)
  }

  /// Does the same, and tells the name of each table before it is compared.
  package func diff(
    from old: DatabaseState, to new: DatabaseState, rows: DifferenceReport.Rows,
    telling: (@Sendable (String) -> Void)?
  ) throws -> DifferenceReport {
    try core.with { try $0.diff(from: old, to: new, rows: rows, telling: telling) }
  }

  /// Writes a script that turns one state into another when the `sqlite3` shell reads it.
  ///
  /// - Parameters:
  ///   - old: The first state.
  ///   - new: The second state.
  ///   - write: Is handed the script piece by piece; each ends a line. The store must not be used in it.
  /// - Returns: The difference, counted.
  /// - Throws: As ``diff(from:to:rows:)``, and what `write` throws.
  @discardableResult
  public func diffScript(
    from old: DatabaseState, to new: DatabaseState = .live, _ write: (String) throws -> Void
  ) throws -> DifferenceReport {
    try core.with { try $0.diffScript(from: old, to: new, write) }
  }
}
