/// The columns of a CREATE TABLE that SQLite does not accept here, say for an unknown collation or function.
///
/// They are enough to read its rows into a table of the same name without constraints.
struct PlainTable {
  let columns: [String]
  /// Which value of a record is a column's.
  let fields: [Int]
  /// The INTEGER PRIMARY KEY, whose value is the rowid.
  private(set) var rowidColumn: Int?

  private static let constraints: Set = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

  /// Nil if there is no list of columns, or the rows are not in the order of their columns.
  init?(_ row: SchemaRow) {
    guard let sql = row.sql, !row.isWithoutRowID else { return nil }
    var (columns, fields, field): ([String], [Int], Int) = ([], [], 0)
    for item in Self.items(sql) {
      guard let first = item.first, !Self.constraints.contains(first.uppercased()) else { break }
      let words = Set(item.dropFirst().map { $0.uppercased() })
      let isGenerated = words.contains("AS")
      if isGenerated && !words.contains("STORED") { continue }
      if !isGenerated {
        if words.isSuperset(of: ["INTEGER", "PRIMARY", "KEY"]), !words.contains("DESC") {
          rowidColumn = columns.count
        }
        columns.append(Self.unquoted(first))
        fields.append(field)
      }
      field += 1
    }
    guard !columns.isEmpty else { return nil }
    (self.columns, self.fields) = (columns, fields)
  }

  /// The words of each column and constraint.
  private static func items(_ sql: String) -> [[String]] {
    var tokens = SQLTokens(sql)
    var (items, depth): ([[String]], Int) = ([[]], 0)
    while let token = tokens.next() {
      if token == "(" { depth += 1 }
      if token == ")" { depth -= 1 }
      if depth == 0 {
        if token == ")" { break }
        continue
      }
      if depth == 1 && token == "," {
        items.append([])
      } else if !(depth == 1 && token == "(" && items.last?.isEmpty == true) {
        items[items.count - 1].append(tokens.text)
      }
    }
    return items
  }

  private static func unquoted(_ name: String) -> String {
    let isQuoted = name.utf8.first.map { [0x22, 0x27, 0x60, 0x5B].contains($0) } ?? false
    return isQuoted ? String(name.dropFirst()) : name
  }

  func createStatement(_ name: String) -> String {
    let list = columns.enumerated().map { index, column in
      SQLName.quoted(column) + (index == rowidColumn ? " INTEGER PRIMARY KEY" : "")
    }
    return "CREATE TABLE \(SQLName.quoted(name)) (\(list.joined(separator: ", ")))"
  }
}
