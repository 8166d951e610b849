import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Handing out what the database and its versions hold.
struct Exporting: StorePart {
  let store: Store

  /// Passes a script that recreates the database in an empty one to `write`, piece by piece; each
  /// piece ends with a newline.
  ///
  /// Returns the tables that it leaves out, and why.
  func script(
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
    let live = try Reading(store: store).connection()
    defer { Reading(store: store).done(live) }
    let found = try withoutActuallyEscaping(write) {
      try SQLScript(from: empty, to: live, isForEmpty: true, write: $0).run()
    }
    return found.tables.compactMap { table in
      table.notCompared.map { SyncedDatabase.LeftOutTable(name: table.table, reason: $0) }
    }
  }

  /// Hands out a version's content piece by piece.
  ///
  /// It is read twice: what is not whole is not handed out at all.
  func content(
    of id: VersionID, _ body: (UnsafeRawBufferPointer) throws -> Void
  ) throws {
    let version = try versions.version(id)
    guard try versions.isRestorable(version.content) else {
      throw HistoryError.missing(version.content)
    }
    let reader = try versions.archive.reader(version.content, in: versions.listed().archive)
    try FileSystem.withBuffer { buffer in
      var offset: Int64 = 0
      while offset < reader.size {
        let count = try reader.read(at: offset, into: buffer)
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        offset += Int64(count)
      }
    }
  }

  /// Writes a version's content to a file.
  func version(_ id: VersionID, to path: FilePath, mode: AtomicFile.Mode) throws {
    let version = try versions.version(id)
    try paths.refuse(copyName: path, files)
    try versions.materialize(version.content, to: path, mode: mode)
  }
}
