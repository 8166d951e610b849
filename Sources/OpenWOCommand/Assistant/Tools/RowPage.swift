import OpenWO
import OpenWOHistory

/// A part of the rows of a difference; the counts are those of all of it.
struct RowPage {
  private(set) var part: DifferenceReport
  /// How many rows it has.
  private(set) var count = 0
  /// Whether no row follows.
  let isLast: Bool

  /// Cuts a difference that holds enough rows of each table.
  init(_ found: DifferenceReport, _ offset: Int = 0, _ limit: Int = ToolCall.usualRows) {
    part = found
    var (passed, bytes) = (0, 0)
    var isCut = false
    for (index, table) in found.tables.enumerated() {
      var rows: [DifferenceReport.Row] = []
      for row in table.rows {
        guard passed >= offset else {
          passed += 1
          continue
        }
        guard count < limit, bytes < ToolCall.mostBytes else {
          isCut = true
          break
        }
        bytes += row.weight
        count += 1
        rows.append(row)
      }
      isCut = isCut || table.isCutShort
      part.tables[index].rows = rows
    }
    isLast = !isCut
  }

  static let output = [
    ToolParameter("equal", .flagKind).required,
    ToolParameter("schemaChanges", .listKind(.anyObjectKind)).required,
    ToolParameter(
      "tables",
      .listKind(
        .objectKind([
          ToolParameter("table", .textKind).required,
          ToolParameter("inserted", .countKind).required,
          ToolParameter("updated", .countKind).required,
          ToolParameter("deleted", .countKind).required,
          ToolParameter("oldColumns", .listKind(.textKind)),
          ToolParameter("newColumns", .listKind(.textKind)),
          ToolParameter("rows", .listKind(.anyObjectKind)),
          ToolParameter("notCompared", .textOrNothingKind),
        ]))
    ).required,
  ]
}

extension DifferenceReport.Row {
  /// About how many bytes it takes in an answer.
  fileprivate var weight: Int {
    ((old ?? []) + (new ?? []) + key).reduce(16) { $0 + $1.weight }
  }
}

extension DataValue {
  fileprivate var weight: Int {
    switch self {
    case .null, .integer, .real: 8
    case .text(let text): text.utf8.count + 4
    case .invalidText(let bytes), .blob(let bytes): 2 * bytes.count + 16
    }
  }
}
