import OpenWOFiles
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Handing out what the database holds.
extension Store {
  /// Passes a script that recreates the database in an empty one to `write`, piece by piece; each
  /// piece ends with a newline.
  ///
  /// Returns the tables that it leaves out, and why.
  func exportScript(
    _ write: (String) throws -> Void
  ) throws -> [SyncedDatabase.LeftOutTable] {
    let path = state.scratch.appending("empty-\(randomHex(bytes: 8)).sqlite")
    defer { try? files.unlink(path) }
    let empty = try Connection(
      path: path, Connection.Options(mode: .create, guardPolicy: .privateCopy))
    defer { empty.close() }
    // A database without a table has no bytes until something is written to its header.
    try empty.setUserVersion(1)
    try empty.setUserVersion(0)
    let live = try connectionForReading()
    defer { doneReading(live) }
    let found = try withoutActuallyEscaping(write) {
      try SQLScript(from: empty, to: live, isForEmpty: true, write: $0).run()
    }
    return found.tables.compactMap { table in
      table.notCompared.map { SyncedDatabase.LeftOutTable(name: table.table, reason: $0) }
    }
  }
}
