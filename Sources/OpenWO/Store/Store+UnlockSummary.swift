import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// The summary of an edit in an unlock.
extension Store {
  /// Findings of a check that are new since the edit.
  func newFindings(since start: Version?) throws -> [String] {
    guard let now = try workingCopy.file?.connection.notes(), !now.isEmpty else { return [] }
    guard let start, try versions.isRestorable(start.content) else { return now }
    let before = try versions.privateCopy(of: start.content)
    defer { before.close() }
    let known = try Set(before.notes())
    return now.filter { !known.contains($0) }
  }

  /// Adds the changes since the lock to the report, if the state before the lock is all here.
  func describe(_ start: Version?, _ report: inout UnlockReport) throws {
    guard let start, let live = workingCopy.file, try versions.isRestorable(start.content) else {
      return
    }
    let before = try versions.privateCopy(of: start.content)
    defer { before.close() }
    let difference = try OpenWOMerge.difference(
      from: before, to: live.connection, options: .forReading())
    report.schemaChanged = !difference.schemaChanges.isEmpty
    report.changes = difference.changes
  }
}
