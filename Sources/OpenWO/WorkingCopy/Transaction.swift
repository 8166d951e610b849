import OpenWOFiles
import OpenWOSQLite

/// A write that was begun.
struct Transaction {
  let connection: Connection
  /// The bytes of the file's header before it.
  let header: [UInt8]

  /// Finds out whether a commit that reported an error took place.
  ///
  /// A failed unlock reports an error although the rows are durable.
  ///
  /// If the journal could not be removed, the commit did not take place: SQLite undoes it at this
  /// look.
  ///
  /// - Returns: The read lock under which the commit was found.
  func resolve(_ error: SQLiteError, _ paths: StorePaths) throws -> Statement {
    try? connection.rollback()
    do {
      let hold = try connection.holdingReadLock()
      // If none of its pages was written, another program has committed since.
      if try connection.headerBytes() != header, connection.hasChangedPages {
        return hold
      }
      hold.finish()
    } catch let reading {
      throw StoreError.inDoubt("\(reading)", paths)
    }
    throw error
  }
}
