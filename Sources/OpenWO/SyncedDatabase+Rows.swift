public import OpenWOHistory

/// Single rows and tables, through time.
extension SyncedDatabase {
  /// The history of one row, version by version, newest first.
  public func history(of row: RowsRequest) throws -> RowHistory {
    try core.with(.reading) { try $0.versions.history(of: row) }
  }

  /// Restores a table, or one row of it, from a version; everything else stays.
  ///
  /// The result is a new version; restoring the report's `previous` undoes it. A dry run only
  /// returns what would be done.
  ///
  /// - Throws: ``StoreError`` with `notRestorable`, which says why, `locked`, `busy`, `noSuchVersion`, `noSpace`.
  public func restore(
    _ rows: RowsRequest, from id: VersionID, dryRun: Bool = false, ifHead expected: VersionID? = nil
  ) throws -> RowsRestoreReport {
    try core.patiently {
      try Restoring(store: $0, expected: expected).run(rows, from: id, dryRun: dryRun)
    }
  }
}
