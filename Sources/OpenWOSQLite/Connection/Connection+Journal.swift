import OpenWOCSQLite

/// The header of a rollback journal, as far as it stays what it is from the first write to the end.
///
/// See <https://sqlite.org/fileformat2.html#the_rollback_journal>.
package enum JournalHeader {
  /// The bytes with the journal's nonce, the original size of the database, and the sizes of
  /// sectors and pages.
  package static let lasting = 12..<28
  /// How many bytes it has; SQLite leaves the rest of the sector zero and never reads it.
  package static let size = 28
  /// The least that a sector has for SQLite, in bytes.
  package static let leastSector = 512
}

extension Connection {
  /// Writes a mark after the header of the current transaction's journal, so that it is synced with
  /// the journal.
  ///
  /// - Parameter mark: Makes the mark from the journal's header; not called if the transaction has
  ///   changed nothing.
  /// - Throws: `SQLiteError` if the journal cannot be read or written; the transaction is still
  ///   open.
  package func markJournal(_ mark: (_ header: [UInt8]) -> [UInt8]) throws(SQLiteError) {
    var pointer: UnsafeMutablePointer<sqlite3_file>?
    guard let handle = database.handle else { throw database.closedError }
    sqlite3_file_control(handle, "main", SQLITE_FCNTL_JOURNAL_POINTER, &pointer)
    guard let file = pointer, let methods = file.pointee.pMethods?.pointee else { return }
    var header = [UInt8](repeating: 0, count: JournalHeader.size)
    try check(methods.xRead(file, &header, Int32(header.count), 0))
    let bytes = mark(header)
    precondition(JournalHeader.size + bytes.count <= JournalHeader.leastSector)
    try check(methods.xWrite(file, bytes, Int32(bytes.count), Int64(JournalHeader.size)))
  }

  private func check(_ result: Int32) throws(SQLiteError) {
    guard result == SQLITE_OK else { throw SQLiteError(result: result, database: nil) }
  }
}
