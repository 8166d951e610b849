import OpenWOSQLite

/// Takes the updated rows of one side, of tables that have very many of them, while they are found.
final class UpdateSpill {
  /// So many updated rows of a table stay in memory.
  let limit: Int
  /// The updates that were put aside, by folded table name.
  private(set) var updates: [String: SpilledUpdates] = [:]

  private let file: SpillFile
  private let tables: Set<String>

  /// A spill of the tables with these folded names.
  init(of tables: Set<String>, beyond limit: Int, into file: SpillFile) {
    self.tables = tables
    self.limit = limit
    self.file = file
  }

  /// Whether a table's rows may be put aside.
  func takes(_ table: String) -> Bool { tables.contains(SQLName.folded(table)) }

  /// Begins with a table, and moves the updates among its first rows.
  func begin(_ table: String, _ rows: inout [RowChange]) throws -> SpilledUpdates {
    let new = SpilledUpdates(in: file)
    updates[SQLName.folded(table)] = new
    try rows.removeAll { try $0.kind == .updated && new.append($0) }
    return new
  }

  /// Forgets a table's rows, as they are read again.
  func drop(_ table: String) { updates[SQLName.folded(table)] = nil }
}
