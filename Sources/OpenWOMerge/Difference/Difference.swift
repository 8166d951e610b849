package import OpenWOSQLite

/// What turns the database `old` into the database `new`: schema changes, and rows table by table.
///
/// Neither is changed, nothing in their schemas is run, and both are held in a read lock meanwhile.
/// `visit`, where given, sees every changed row as it is found, table by table in order of name and in
/// key order within one; the counts in the table it is handed are those so far. Pages are compared only
/// where neither connection is in a transaction already, as that one may have written.
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
