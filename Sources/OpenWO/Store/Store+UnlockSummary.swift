import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// What an unlock says of the edit.
extension Store {
  /// What a check objects to, or cannot look at, and did not before the edit.
  func newFindings(since start: Version?) throws -> [String] {
    guard let now = try live?.connection.notes(), !now.isEmpty else { return [] }
    guard let start, try isRestorable(start.content) else { return now }
    let before = try privateCopy(of: start.content)
    defer { before.close() }
    let known = try Set(before.notes())
    return now.filter { !known.contains($0) }
  }

  /// What changed since the lock, for the summary; nothing is said of it while the state from before is not all here.
  func describe(_ start: Version?, _ report: inout UnlockReport) throws {
    guard let start, let live, try isRestorable(start.content) else { return }
    let before = try privateCopy(of: start.content)
    defer { before.close() }
    let difference = try OpenWOMerge.difference(
      from: before, to: live.connection, options: .forReading())
    report.schemaChanged = !difference.schemaChanges.isEmpty
    report.changes = difference.changes
  }
}
