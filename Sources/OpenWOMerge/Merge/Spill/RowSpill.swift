import OpenWOSQLite

/// Takes the changed rows of one side, of tables that have very many of them, while they are found.
final class RowSpill {
  /// So many changed rows of a table stay in memory.
  let limit: Int
  /// The rows that were put aside, by folded table name.
  private(set) var rows: [String: SpilledRows] = [:]

  /// Where rows are put.
  let file: SpillFile

  private let tables: [String: TableShape]

  /// A spill of these tables, by folded name.
  init(of tables: [String: TableShape], beyond limit: Int, into file: SpillFile) {
    self.tables = tables
    self.limit = limit
    self.file = file
  }

  /// Whether a table's rows may be put aside.
  func takes(_ table: String) -> Bool { tables[SQLName.folded(table)] != nil }

  /// Begins with a table, and moves its first rows.
  func begin(_ table: String, _ first: inout [RowChange]) throws -> SpilledRows? {
    let name = SQLName.folded(table)
    guard let shape = tables[name] else { return nil }
    let new = SpilledRows(of: shape, in: file)
    rows[name] = new
    try first.removeAll { try new.append($0) }
    return new
  }

  /// Forgets a table's rows, as they are read again.
  func drop(_ table: String) { rows[SQLName.folded(table)] = nil }

  /// The same for tables by folded name.
  func drop(folded names: Set<String>) { for name in names { rows[name] = nil } }
}
