package import OpenWOSQLite

/// A private database for rows that are too many for memory.
///
/// It is never committed: whoever opens it removes it after the merge.
package final class SpillFile {
  private let open: () throws -> Connection
  private var connection: Connection?
  private var count: Int64 = 0

  /// A file that is opened when it is first needed.
  package init(open: @escaping () throws -> Connection) { self.open = open }

  /// Puts bytes aside; returns the number to find them by.
  func append(_ bytes: [UInt8]) throws -> Int64 {
    count += 1
    try opened().run("INSERT INTO piece VALUES (?, ?)", [.integer(count), .blob(bytes)])
    return count
  }

  /// The bytes that were put aside under a number.
  func bytes(_ number: Int64) throws -> [UInt8] {
    let found = try opened().cells("SELECT bytes FROM piece WHERE number = ?", [.integer(number)])
    guard case .blob(let bytes)? = found.first?.first else {
      throw MergeRefusal("", "rows that were put aside for the merge are gone")
    }
    return bytes
  }

  /// The same for bytes that are read only once: their place is free then.
  func take(_ number: Int64) throws -> [UInt8] {
    let bytes = try bytes(number)
    try opened().run("DELETE FROM piece WHERE number = ?", [.integer(number)])
    return bytes
  }

  /// Closes the file; then nothing in it can be read any more.
  package func close() {
    connection?.close()
    connection = nil
  }

  private func opened() throws -> Connection {
    if let connection { return connection }
    let new = try open()
    connection = new
    try new.run("PRAGMA journal_mode = OFF")
    try new.run("PRAGMA synchronous = OFF")
    try new.run("PRAGMA cache_size = -2048")
    try new.run("PRAGMA cache_spill = ON")
    try new.run("BEGIN")
    try new.run("CREATE TABLE piece(number INTEGER PRIMARY KEY, bytes BLOB)")
    return new
  }
}
