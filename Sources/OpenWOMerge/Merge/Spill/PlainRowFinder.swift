import OpenWOSQLite

/// Tells the changed rows that have no effect on any other row from the others, which come into memory.
struct PlainRowFinder {
  let tables: [String: TableMerge]
  let sides: Sides<Connection>
  let schemas: Sides<DatabaseSchema>

  /// Finds them among the rows that were put aside, by folded table name.
  func run(_ aside: [String: Sides<SpilledRows?>]) throws {
    for (name, spilled) in aside {
      guard let table = tables[name] else { continue }
      table.plain = PlainRows(spilled)
      try tellReused(name, table)
      let odd = try OddRows(name, table, tables)
      try bring(table, odd.contains)
    }
    for name in aside.keys {
      guard let table = tables[name] else { continue }
      let gone = try deletedParents(table)
      if gone.isEmpty { continue }
      try bring(table) { group in
        MergeSide.allCases.contains { side in
          group.changes(of: side).contains { change in
            guard let row = change.base ?? change.original else { return false }
            return gone.contains { reference, parent, keys in
              row.values(reference.columns).map {
                keys.contains(parent.key(of: $0, pointedToIn: reference.parentColumns))
              } ?? false
            }
          }
        }
      }
    }
  }

  /// Makes a deleted row and a new one of each row whose number was used again.
  private func tellReused(_ name: String, _ table: TableMerge) throws {
    for side in MergeSide.allCases {
      guard let spilled = table.plain?.spilled[side], let shape = schemas[side].tables[name] else {
        continue
      }
      let numbers = ReusedNumbers(table: shape, side: sides[side])
      let lastLeft = try numbers.lastLeft(table.changes[side], and: spilled)
      table.plain?.lastLeft[side] = lastLeft
      table.changes[side] = numbers.told(table.changes[side], lastLeft: lastLeft)
    }
  }

  /// Brings the rows that are not plain into memory.
  private func bring(_ table: TableMerge, _ isOdd: (PlainGroup) -> Bool) throws {
    guard var plain = table.plain else { return }
    var found = Sides<[SideChange]>(ours: [], theirs: [])
    var odd: [Int] = []
    plain.counts = Sides(ours: 0, theirs: 0)
    plain.hasBirths = false
    plain.hasReused = false
    plain.mayGiveWay = false
    var reader = try plain.reader()
    while let group = try reader.next() {
      guard isOdd(group) else {
        if !group.isUpdate { plain.hasBirths = true }
        if group.mayGiveWay { plain.mayGiveWay = true }
        for side in MergeSide.allCases where group.rows[side] != nil {
          plain.counts[side] += group.isReused[side] ? 2 : 1
          if group.isReused[side] { plain.hasReused = true }
        }
        continue
      }
      odd.append(group.ordinal)
      for side in MergeSide.allCases { found[side] += group.changes(of: side) }
    }
    plain.odd = plain.odd.isEmpty ? odd : (plain.odd + odd).sorted()
    table.plain = plain
    for side in MergeSide.allCases where !found[side].isEmpty {
      table.changes[side] = table.inOrder(table.changes[side] + found[side])
    }
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

extension TableMerge {
  /// Changes in the order in which a comparison finds them.
  func inOrder(_ changes: [SideChange]) -> [SideChange] {
    let places = changes.map { change in
      (change.base ?? change.original).map(place(of:)) ?? RowPlace(0)
    }
    return changes.indices.sorted {
      let rank = places[$0].rank(against: places[$1])
      return rank == 0 ? $0 < $1 : rank < 0
    }.map { changes[$0] }
  }
}
