import OpenWOCSQLite
package import SystemPackage

/// Which files beside a database are trusted.
package enum GuardPolicy: Sendable {
  /// A file in a synced folder: an existing journal is put before the judge; no WAL.
  case live(judge: @Sendable (borrowing HotJournal) -> JournalVerdict)
  /// A file that nobody else can reach: its journal is believed; no WAL.
  case privateCopy
  /// As `live`, but `-wal` and `-shm` may be used, to fold them back.
  case foldWAL(judge: @Sendable (borrowing HotJournal) -> JournalVerdict)

  var judge: (@Sendable (borrowing HotJournal) -> JournalVerdict)? {
    switch self {
    case .live(let judge), .foldWAL(let judge): judge
    case .privateCopy: nil
    }
  }

  var number: openwo_policy {
    switch self {
    case .live: OPENWO_POLICY_LIVE
    case .privateCopy: OPENWO_POLICY_PRIVATE
    case .foldWAL: OPENWO_POLICY_FOLD
    }
  }
}

/// The verdict on a journal that SQLite would replay.
package enum JournalVerdict: Sendable {
  /// It is proven to belong to the database: play it back.
  case replay
  /// It is not: the transaction fails with ``ResultCode/journalRefused``.
  case refuse
  /// The judge has moved it away: act as if there had been none.
  case gone
}

/// A journal that waits for its verdict.
///
/// It may be used only during the call. Other programs are kept from the database meanwhile by an EXCLUSIVE
/// lock; as long as one of them is reading, the journal is not judged and the transaction busy. The
/// connection itself must not be used.
package struct HotJournal: ~Copyable {
  /// The path of the journal, a regular file at the moment of asking.
  package let journalPath: FilePath
  let file: UnsafeMutablePointer<sqlite3_file>

  /// The size of the database file in bytes.
  package var databaseSize: Int64 {
    get throws(SQLiteError) { try file.size() }
  }

  /// The bytes of the database's current header; fewer if the file ends before.
  package var databaseHeader: [UInt8] {
    get throws(SQLiteError) { try file.headerBytes() }
  }

  /// Whether another file has taken the database's name: then nothing at a name tells of this one any more.
  package var hasMoved: Bool {
    var moved: Int32 = 0
    let result = file.pointee.pMethods.pointee.xFileControl(file, SQLITE_FCNTL_HAS_MOVED, &moved)
    return result != SQLITE_OK || moved != 0
  }

  /// Reads from the current database file; fewer bytes than the buffer holds at its end.
  package func readDatabase(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(SQLiteError) -> Int {
    try file.read(at: offset, into: buffer)
  }
}
