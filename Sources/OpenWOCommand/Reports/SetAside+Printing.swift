import OpenWO
import OpenWOFiles
import OpenWOHistory

extension SetAside {
  /// Whose side it is and what is in it, such as `from phone, 2 min ago: entry 1 added`.
  func sentence(_ style: Style) -> String {
    let source =
      path.map { "the copy \(String(printable: $0.utf8))" } ?? String(printable: deviceName.utf8)
    let who = "from \(source), \(style.ago(at))"
    let counts = changes.map { change in
      let rows = RowCounts(
        inserted: change.inserted, updated: change.updated, deleted: change.deleted)
      let table = String(printable: change.table.utf8)
      return change.notCompared == nil ? "\(table) \(rows.text)" : "\(table) ?"
    }
    if isUnrelated { return "\(who): a database that has nothing in common with what is live" }
    return counts.isEmpty ? who : "\(who): \(counts.joined(separator: "; "))"
  }
}

extension [SetAside] {
  /// The command that brings them in; nil if there are none.
  func merge(_ database: DatabaseArgument) -> String? {
    // Only a person can say that none of its rows was deleted here.
    if let apart = first(where: \.isUnrelated) {
      return database.command("merge", "--empty-base", apart.version.short)
    }
    return first.map { database.command("merge", count == 1 ? $0.version.short : "--all") }
  }
}

extension JSONValue {
  static func setAside(_ side: SetAside) -> JSONValue {
    .object([
      JSONMember("version", .id(side.version)), JSONMember("device", .string(side.device)),
      JSONMember("deviceName", .string(side.deviceName)), JSONMember("path", .text(side.path)),
      JSONMember("at", .time(side.at)),
      JSONMember("since", .time(side.since)),
      JSONMember("changes", .array(side.changes.map { .change($0) })),
      JSONMember("isUnrelated", .bool(side.isUnrelated)),
    ])
  }
}
