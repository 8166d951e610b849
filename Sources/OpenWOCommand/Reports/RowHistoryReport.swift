import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The report of `history --row`.
struct RowHistoryReport: Report {
  let row: RowsRequest
  let history: RowHistory
  let limit: Int
  let database: DatabaseArgument

  private var changes: ArraySlice<RowHistory.Change> { history.changes.prefix(limit) }

  var members: [JSONMember] {
    [
      JSONMember("table", .string(row.table)), JSONMember("key", .texts(row.key ?? [])),
      JSONMember("changes", .array(changes.map(Self.json))),
      JSONMember("unread", .count(history.unread)),
    ]
  }

  private static func json(_ change: RowHistory.Change) -> JSONValue {
    .object([
      JSONMember("version", .id(change.version.id)), JSONMember("at", .time(change.version.madeAt)),
      JSONMember("device", .string(change.version.device)),
      JSONMember("deviceName", .string(change.version.deviceName)),
      JSONMember("reason", .string(change.version.reason.rawValue)),
      JSONMember("kind", .string(kind(change))),
      JSONMember("oldColumns", .texts(change.oldColumns)),
      JSONMember("old", change.old?.json ?? .null),
      JSONMember("newColumns", .texts(change.newColumns)),
      JSONMember("new", change.new?.json ?? .null),
    ])
  }

  private static func kind(_ change: RowHistory.Change) -> String {
    switch (change.old, change.new) {
    case (nil, _): "inserted"
    case (_, nil): "deleted"
    default: "updated"
    }
  }

  func lines(_ style: Style) -> [String] {
    guard !changes.isEmpty else { return ["no version that is here has \(row.label)"] + rest }
    var table = Table(["version", "when", "device", "\(row.label)"])
    for change in changes {
      table.add([
        change.version.id.short, style.local(change.version.madeAt),
        String(printable: change.version.deviceName.utf8).cut(to: 16), Self.sentence(change),
      ])
    }
    return table.lines(style) + rest + hint
  }

  /// How to have the row from before its last change again.
  private var hint: [String] {
    guard let last = changes.first(where: { $0.old != nil }),
      let before = last.version.parents.first
    else { return [] }
    let words = ([row.table] + (row.key ?? [])).map { FilePath($0).shellName }
    let option = "--row " + words.joined(separator: " ")
    return ["to undo the last change: \(database.command("restore", before.short, option))"]
  }

  private var rest: [String] {
    history.unread == 0 ? [] : ["\(history.unread) versions are pruned or could not be read"]
  }

  private static func sentence(_ change: RowHistory.Change) -> String {
    func cells(_ columns: [String], _ values: [DataValue]) -> [(String, DataValue)] {
      Array(zip(columns, values))
    }
    switch (change.old, change.new) {
    case (let old?, let new?):
      // By bytes: SQLite tells names in two Unicode forms apart.
      let before = Dictionary(
        zip(change.oldColumns.map { Array($0.utf8) }, old), uniquingKeysWith: { first, _ in first })
      let changed = cells(change.newColumns, new).filter { before[Array($0.0.utf8)] != $0.1 }
        .map { name, value in
          let was = before[Array(name.utf8)]?.printable ?? "(no column)"
          return "\(String(printable: name.utf8)) \(was) → \(value.printable)"
        }
      let names = Set(change.newColumns.map { Array($0.utf8) })
      let lost = cells(change.oldColumns, old).filter { !names.contains(Array($0.0.utf8)) }
        .map { "\(String(printable: $0.0.utf8)) \($0.1.printable) → (no column)" }
      return "changed: " + (changed + lost).joined(separator: ", ")
    case (nil, let new?): return "added: " + list(cells(change.newColumns, new))
    case (let old?, nil): return "removed: " + list(cells(change.oldColumns, old))
    case (nil, nil): return ""
    }
  }

  private static func list(_ cells: [(String, DataValue)]) -> String {
    cells.map { "\(String(printable: $0.0.utf8)) \($0.1.printable)" }.joined(separator: ", ")
  }
}
