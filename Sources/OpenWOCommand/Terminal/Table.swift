/// Rows in columns as wide as they need to be.
struct Table {
  private let header: [String]
  private var rows: [[String]] = []
  /// The columns that are aligned to the right.
  private let numbers: Set<Int>

  init(_ header: [String], numbers: Set<Int> = []) {
    self.header = header
    self.numbers = numbers
  }

  mutating func add(_ row: [String]) {
    rows.append(row)
  }

  /// The lines; on a terminal the last column is cut so that no line breaks.
  func lines(_ style: Style) -> [String] {
    let all = [header] + rows
    let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
    return all.map { row in
      let cells = row.indices.map { column -> String in
        let gap = String(repeating: " ", count: widths[column] - row[column].count)
        return numbers.contains(column) ? gap + row[column] : row[column] + gap
      }
      return Self.fit(cells.joined(separator: "  "), style.width)
    }
  }

  /// A line without blanks at its end, and no longer than the terminal is wide.
  private static func fit(_ line: String, _ width: Int?) -> String {
    var line = line[...]
    while line.last == " " { line.removeLast() }
    guard let width, line.count > width else { return String(line) }
    return line.prefix(max(1, width - 1)) + "…"
  }
}
