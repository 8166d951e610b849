import OpenWO

/// The report of `conflicts show`.
struct ConflictReport: Report {
  let database: DatabaseArgument
  /// From the database to the other side.
  let difference: DiffReport

  var members: [JSONMember] { difference.members }

  func lines(_ style: Style) -> [String] {
    let other = difference.to
    guard other.state != .live else { return ["nothing of \(database.name) is in conflict"] }
    var lines = difference.lines(style)
    guard !difference.found.equal else { return lines }
    lines.append("to have the rows of both: \(database.command("merge", other.shellName))")
    if case .version = other.state {
      lines.append("to go over to it: \(database.command("restore", other.shellName))")
    } else {
      lines.append("to settle it as the store does: \(database.command("sync"))")
    }
    return lines
  }
}
