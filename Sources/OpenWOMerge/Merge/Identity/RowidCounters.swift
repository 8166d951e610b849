import OpenWOSQLite

/// Hands out rowids that none of the databases has used.
final class RowidCounters {
  private let tables: [String: TableMerge]
  private let base: Connection?
  private let sides: Sides<Connection>
  private var last: [String: Int64] = [:]

  init(tables: [String: TableMerge], base: Connection?, sides: Sides<Connection>) {
    self.tables = tables
    self.base = base
    self.sides = sides
  }

  private var databases: [Connection] {
    [base, sides.ours, sides.theirs].compactMap(\.self)
  }

  /// The next rowid of a table.
  func next(_ name: String) throws -> Int64 {
    let latest = try last[name] ?? highest(name)
    guard latest < .max else {
      throw MergeRefusal(tables[name]?.shape.name ?? name, "the table has no free rowid")
    }
    last[name] = latest + 1
    return latest + 1
  }

  /// The AUTOINCREMENT counters of the result.
  func highest() throws -> [String: Int64] {
    var counters: [String: Int64] = [:]
    for (name, table) in tables where table.shape.isAutoincrement {
      counters[name] = try last[name] ?? counter(table.shape, in: databases)
    }
    return counters
  }

  private func highest(_ name: String) throws -> Int64 {
    try highest(name, in: databases)
  }

  /// The highest number that a side can have used, as far as it shows.
  func highest(_ name: String, of side: MergeSide) throws -> Int64 {
    try highest(name, in: [sides[side]])
  }

  private func highest(_ name: String, in databases: [Connection]) throws -> Int64 {
    guard let shape = tables[name]?.shape, let rowid = shape.rowidName else { return 0 }
    var highest: Int64 = try counter(shape, in: databases)
    for database in databases where try database.hasTable(shape.name) {
      let found = try database.cells(
        "SELECT max(\(SQLName.quoted(rowid))) FROM main.\(SQLName.quoted(shape.name))")
      highest = max(highest, found.first?.first?.int ?? 0)
    }
    return highest
  }

  private func counter(_ shape: TableShape, in databases: [Connection]) throws -> Int64 {
    guard shape.isAutoincrement else { return 0 }
    var highest: Int64 = 0
    for database in databases where try database.hasTable("sqlite_sequence") {
      let found = try database.cells(
        "SELECT max(seq) FROM main.sqlite_sequence WHERE name = ? COLLATE NOCASE",
        [.text(shape.name)])
      highest = max(highest, found.first?.first?.int ?? 0)
    }
    return highest
  }
}
