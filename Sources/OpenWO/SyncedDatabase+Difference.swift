/// Differences between states.
extension SyncedDatabase {
  /// Compares two states of the database; states with equal content need no comparison.
  ///
  /// It changes neither. A file other than the live one is copied first, and refused if it is not a
  /// whole database.
  ///
  /// - Parameters:
  ///   - old: The first state.
  ///   - new: The second state.
  ///   - rows: How many of the changed rows the report contains.
  /// - Returns: The difference.
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
    try core.with(.reading) {
      try Comparing(store: $0).diff(from: old, to: new, rows: rows, telling: telling)
    }
  }

  /// Writes a script for the `sqlite3` shell that turns one state into another.
  ///
  /// - Parameters:
  ///   - old: The first state.
  ///   - new: The second state.
  ///   - write: Receives the script piece by piece; each piece ends with a newline. It must not use
  ///     the store.
  /// - Returns: The difference, with counts only.
  /// - Throws: As ``diff(from:to:rows:)``, and what `write` throws.
  @discardableResult
  public func diffScript(
    from old: DatabaseState, to new: DatabaseState = .live, _ write: (String) throws -> Void
  ) throws -> DifferenceReport {
    try core.with(.reading) { try Comparing(store: $0).diffScript(from: old, to: new, write) }
  }
}
