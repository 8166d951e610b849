package import OpenWOSQLite

/// Which rows of a database a merge gave other numbers, where an earlier openwo made it and wrote nothing down.
///
/// A row has moved if another one has its number and a new one has all of its cells; keys of other tables may have been renumbered with it.
package func guessedMoves(
  from parent: Connection, to merge: Connection
) throws -> [String: [(from: Int64, to: Int64)]] {
  let found = try difference(from: parent, to: merge, options: DifferenceOptions(rows: .all))
  let shapes = try SchemaReader(connection: merge).read().tables
  var moves: [String: [(from: Int64, to: Int64)]] = [:]
  for table in found.tables where table.notCompared == nil {
    let name = SQLName.folded(table.table)
    guard let shape = shapes[name], case .rowid = shape.identity,
      table.oldColumns == table.newColumns
    else { continue }
    let keys = try ConstraintReader(connection: merge, table: shape).foreignKeys()
    let others = Set(keys.flatMap(\.columns))
    let places = shape.columns.indices.filter {
      $0 != shape.rowidColumn && !others.contains(SQLName.folded(shape.columns[$0].name))
    }
    if places.isEmpty { continue }
    func cells(_ row: [CellValue]) -> CanonicalKey { CanonicalKey(exactly: places.map { row[$0] }) }
    var new: [CanonicalKey: [Int64]] = [:]
    for change in table.rows.reversed() where change.kind == .inserted {
      guard let row = change.new, let number = change.key.first?.int else { continue }
      new[cells(row), default: []].append(number)
    }
    for change in table.rows where change.kind != .inserted {
      guard let row = change.old, let from = change.key.first?.int,
        change.new.map({ cells($0) != cells(row) }) ?? true, let to = new[cells(row)]?.popLast()
      else { continue }
      moves[name, default: []].append((from, to))
    }
  }
  return moves
}
