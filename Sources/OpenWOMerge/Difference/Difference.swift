package import OpenWOSQLite

/// Compares the database `old` with the database `new`: schema changes, and rows by table.
///
/// It changes neither, runs nothing of their schemas, and holds both in a read lock. `visit`, if
/// given, receives every changed row as it is found, table by table in order of name and in key
/// order within a table; the counts in its table are those so far. Pages are compared only if
/// neither connection is already in a transaction, as that may have written.
package func difference(
  from old: Connection, to new: Connection, options: DifferenceOptions = DifferenceOptions(),
  visit: ((TableDifference, RowChange) throws -> Void)? = nil
) throws -> DatabaseDifference {
  var options = options
  options.usesPages = options.usesPages && !old.isInTransaction && !new.isInTransaction
  return try old.withReadLock {
    try new.withReadLock {
      try DatabaseComparison(old, new, options, visit: visit).run()
    }
  }
}
