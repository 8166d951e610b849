internal import OpenWOCSQLite

/// The SQLite that this program runs with.
package enum SQLiteLibrary {
  /// Its version, such as `3.40.1`: the linked library's, which may be newer than the headers.
  package static var version: String { String(cString: sqlite3_libversion()) }
}
