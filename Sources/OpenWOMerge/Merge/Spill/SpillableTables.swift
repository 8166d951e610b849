import OpenWOSQLite

/// Finds the tables whose changed rows may be put aside, as most of them are decided one at a time.
///
/// Their rows have numbers, or keys of values that are compared byte by byte, and one and the same definition everywhere.
struct SpillableTables {
  let base: DatabaseSchema
  let schemas: Sides<DatabaseSchema>
  let sides: Sides<Connection>
  /// The shapes the tables will have, by folded name.
  let shapes: [String: TableShape]
  let options: MergeOptions

  /// They, by folded name.
  func find() throws -> [String: TableShape] {
    let chosen = Set(options.choices.map { SQLName.folded($0.table) })
    let single = Set(
      options.rules.filter { $0.value == .singleton }.keys.map(SQLName.folded))
    return try shapes.filter { name, _ in
      guard !chosen.contains(name), !single.contains(name),
        options.otherwise != .singleton
          || options.rules.keys.contains(where: {
            SQLName.folded($0) == name
          }),
        options.doubtful[name]?.isEmpty ?? true, options.moved.ours[name]?.isEmpty ?? true,
        options.moved.theirs[name]?.isEmpty ?? true, isTheSameEverywhere(name), !hasPlace(name)
      else { return false }
      return try !hasComputedIndex(name)
    }
  }

  private func isTheSameEverywhere(_ name: String) -> Bool {
    guard let shape = shapes[name], hasKey(shape) else { return false }
    return [base, schemas.ours, schemas.theirs].allSatisfy {
      // Strings of Swift are equal in any Unicode form, and names in SQLite are not.
      ($0.tables[name]?.sql.utf8.elementsEqual(shape.sql.utf8) ?? false)
        && $0.opaque[name] == nil && $0.unreadable[name] == nil
    }
  }

  private func hasKey(_ shape: TableShape) -> Bool {
    switch shape.identity {
    case .rowid: shape.rowidName != nil
    case .primaryKey(let key): key.allSatisfy { $0.collation == .binary }
    case .wholeRow: false
    }
  }

  private func hasPlace(_ name: String) -> Bool {
    options.declared.contains { declaration in
      guard case .place = declaration else { return false }
      return declaration.table == name
    }
  }

  /// Whether an index is over some rows only, or over expressions: what a row does there is not told by its columns.
  private func hasComputedIndex(_ name: String) throws -> Bool {
    try MergeSide.allCases.contains { side in
      let table = SQLName.quoted(schemas[side].tables[name]?.name ?? name)
      return try sides[side].cells("PRAGMA main.index_list(\(table))").contains { row in
        guard row.count > 4, row[4] == .integer(0), let index = row[1].string else { return true }
        return try sides[side].cells("PRAGMA main.index_xinfo(\(SQLName.quoted(index)))")
          .contains { $0[1] == .integer(-2) }
      }
    }
  }
}
