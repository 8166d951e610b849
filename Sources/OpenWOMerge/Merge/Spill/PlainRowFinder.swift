import OpenWOSQLite

/// Tells the updated rows that have no effect on any other row from the others, which come into memory.
struct PlainRowFinder {
  let tables: [String: TableMerge]
  let sides: Sides<Connection>
  let schemas: Sides<DatabaseSchema>

  /// Finds them among the updates that were put aside, by folded table name.
  func run(_ updates: [String: Sides<SpilledUpdates?>]) throws {
    for (name, found) in updates {
      guard let table = tables[name] else { continue }
      table.plain = PlainRows(updates: found)
      let (known, touching) = (numbers(table), touching(name, table))
      let isAnyOdd = hasMoves(name, table)
      try bring(name, table) { number, changes in
        isAnyOdd || known.contains(number)
          || MergeSide.allCases.contains { side in
            changes[side].map { touching.isOdd($0) } ?? false
          }
      }
      for side in MergeSide.allCases where found[side] != nil {
        guard let shape = schemas[side].tables[name] else { continue }
        table.changes[side] = try ReusedNumbers(table: shape, side: sides[side])
          .told(table.changes[side])
      }
    }
    for name in updates.keys {
      guard let table = tables[name] else { continue }
      let gone = try deletedParents(table)
      if gone.isEmpty { continue }
      try bring(name, table) { _, changes in
        guard let base = (changes.ours ?? changes.theirs)?.base else { return false }
        return gone.contains { reference, parent, keys in
          base.values(reference.columns).map {
            keys.contains(parent.key(of: $0, pointedToIn: reference.parentColumns))
          } ?? false
        }
      }
    }
  }

  /// Brings the rows that are not plain into memory.
  private func bring(
    _ name: String, _ table: TableMerge, _ isOdd: (Int64, Sides<SideChange?>) -> Bool
  ) throws {
    guard var plain = table.plain else { return }
    var found = Sides<[SideChange]>(ours: [], theirs: [])
    var odd: [Int64] = []
    plain.counts = Sides(ours: 0, theirs: 0)
    var reader = try plain.reader()
    while let (number, changes) = try reader.next() {
      let comes = isOdd(number, changes)
      if comes { odd.append(number) }
      for side in MergeSide.allCases {
        guard let change = changes[side] else { continue }
        if comes { found[side].append(change) } else { plain.counts[side] += 1 }
      }
    }
    plain.odd = (plain.odd + odd).sorted()
    table.plain = plain
    for side in MergeSide.allCases where !found[side].isEmpty {
      table.changes[side] = SpilledUpdates.inOrder(table.changes[side] + found[side])
    }
  }

  private func numbers(_ table: TableMerge) -> Set<Int64> {
    var numbers: Set<Int64> = []
    for side in MergeSide.allCases {
      for change in table.changes[side] {
        for row in [change.base, change.original] { row?.rowid.map { _ = numbers.insert($0) } }
      }
    }
    return numbers
  }

  /// Whether a row of the table, or of one that it points to, has another number on a side than in the base.
  private func hasMoves(_ name: String, _ table: TableMerge) -> Bool {
    ([name] + table.references.map(\.parent)).contains { name in
      guard let table = tables[name], table.isNumbered else { return false }
      return MergeSide.allCases.contains { side in
        table.changes[side].contains { change in
          guard let old = change.base, let new = change.original else { return false }
          return old.rowid != new.rowid
        }
      }
    }
  }

  private func touching(_ name: String, _ table: TableMerge) -> Touching {
    var columns = Set((table.uniques + table.declared.keys).flatMap(\.columns))
    columns.formUnion(table.references.flatMap(\.columns))
    for child in tables.values {
      for reference in child.references where reference.parent == name {
        columns.formUnion(reference.parentColumns)
      }
    }
    return Touching(columns: columns.sorted(), reused: ReusedNumbers.Candidates(of: table.shape))
  }

  /// The rows of the tables that a table points to that a side deleted, by the values that point to them.
  private func deletedParents(
    _ table: TableMerge
  ) throws -> [(TableMerge.Reference, TableMerge, Set<CanonicalKey>)] {
    table.references.compactMap { reference in
      guard let parent = tables[reference.parent] else { return nil }
      var keys: Set<CanonicalKey> = []
      for side in MergeSide.allCases {
        for change in parent.changes[side] where change.isDelete {
          guard let values = change.base?.values(reference.parentColumns) else { continue }
          keys.insert(parent.key(of: values, pointedToIn: reference.parentColumns))
        }
      }
      return keys.isEmpty ? nil : (reference, parent, keys)
    }
  }
}

/// Whether an update has to do with other rows.
private struct Touching {
  /// The columns by which rows are found.
  let columns: [Int]
  let reused: ReusedNumbers.Candidates

  func isOdd(_ change: SideChange) -> Bool {
    guard let old = change.base, let new = change.original else { return true }
    return columns.contains { old.cells[$0] != new.cells[$0] } || reused.contains(change)
  }
}
