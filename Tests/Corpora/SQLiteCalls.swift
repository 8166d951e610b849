import OpenWOCSQLite

/// The system calls that SQLite makes, for tests in which one of them fails.
enum SQLiteCalls {
  /// Replaces a system call of SQLite by a test's function, for the whole process; returns whether
  /// SQLite has that call.
  ///
  /// See <https://sqlite.org/c3ref/vfs.html>, `xSetSystemCall`.
  static func replace<Function>(_ name: String, with function: Function) -> Bool {
    guard let files = sqlite3_vfs_find(nil) else { return false }
    let call = unsafeBitCast(function, to: sqlite3_syscall_ptr.self)
    return files.pointee.xSetSystemCall(files, name, call) == SQLITE_OK
  }
}
