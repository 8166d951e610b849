import OpenWOSQLite

/// Finds columns that point to renumbered rows by their name and values alone.
///
/// Such a column is called like the table, in the singular or the plural, with or without `id`, and at least nine in ten of its values are
/// keys of the table on one side.
struct UndeclaredReferences {
  let tables: [String: TableMerge]
  let sides: Sides<Connection>

  func find() throws -> [UndeclaredReference] {
    var found: [UndeclaredReference] = []
    for (name, parent) in tables.sorted(by: { $0.key < $1.key })
    where MergeSide.allCases.contains(where: parent.isRenumbered) {
      guard let key = keyName(parent.shape) else { continue }
      let names = Self.names(of: name)
      for (childName, child) in tables.sorted(by: { $0.key < $1.key }) {
        let declared = Set(child.references.flatMap(\.columns))
        for (place, column) in child.shape.columns.enumerated() where !declared.contains(place) {
          let isKey = childName == name && SQLName.folded(column.name) == SQLName.folded(key)
          guard !isKey, names.contains(Self.plain(column.name)) else { continue }
          let points = try MergeSide.allCases.contains {
            try pointsThere(child.shape, column.name, parent.shape, key, in: sides[$0])
          }
          guard points else { continue }
          found.append(
            UndeclaredReference(
              parent: parent.shape.name, table: child.shape.name, column: column.name))
        }
      }
    }
    return found
  }

  private func keyName(_ shape: TableShape) -> String? {
    switch shape.identity {
    case .rowid: shape.rowidName
    case .primaryKey(let key): key.count == 1 ? shape.columns[key[0].column].name : nil
    case .wholeRow: nil
    }
  }

  /// A name without case and underscores.
  private static func plain(_ name: String) -> String { SQLName.folded(name).filter { $0 != "_" } }

  /// The possible names of a column that refers to a table.
  private static func names(of table: String) -> Set<String> {
    let name = plain(table)
    var forms: Set = [name, name + "s", name + "es"]
    for (end, other) in [("s", ""), ("es", ""), ("ies", "y")] where name.hasSuffix(end) {
      forms.insert(name.dropLast(end.count) + other)
    }
    if name.hasSuffix("y") { forms.insert(name.dropLast() + "ies") }
    return forms.union(forms.map { $0 + "id" })
  }

  private func pointsThere(
    _ child: TableShape, _ column: String, _ parent: TableShape, _ key: String,
    in database: Connection
  ) throws -> Bool {
    guard try database.hasTable(child.name), try database.hasTable(parent.name) else {
      return false
    }
    let columns = try database.cells("PRAGMA main.table_info(\(SQLName.quoted(child.name)))")
    let wanted = SQLName.folded(column)
    guard columns.contains(where: { $0[1].string.map(SQLName.folded) == wanted }) else {
      return false
    }
    let value = "c.\(SQLName.quoted(column))"
    let counts = try database.cells(
      "SELECT count(*), ifnull(sum(EXISTS (SELECT 1 FROM main.\(SQLName.quoted(parent.name)) AS p "
        + "WHERE p.\(SQLName.quoted(key)) = \(value))), 0) "
        + "FROM main.\(SQLName.quoted(child.name)) AS c WHERE \(value) NOTNULL")
    guard let all = counts.first?[0].int, let hits = counts.first?[1].int else { return false }
    return all > 0 && 10 * hits >= 9 * all
  }
}
