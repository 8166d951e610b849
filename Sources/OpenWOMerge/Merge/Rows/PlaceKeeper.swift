import OpenWOSQLite

/// Gives rows that meet in one place each a place of its own: the later one gets the next that is free.
struct PlaceKeeper {
  let table: TableMerge
  let clock: MergeClock
  /// The database that the result is built on.
  let ground: Connection

  private struct Row {
    let index: Int
    let place: Int64
    /// Whether the row was there before; then the earlier of two sides.
    let rank: (Int, Int)
  }

  /// Moves rows of one table.
  func settle(_ rows: inout [MergedRow]) throws {
    guard let (group, column) = place else { return }
    var groups: [CanonicalKey: [Row]] = [:]
    var changed: Set<CanonicalKey> = []
    for (index, merged) in rows.enumerated() {
      for row in [merged.base, merged.changes.ours?.original, merged.changes.theirs?.original] {
        if let row { changed.insert(table.key(row)) }
      }
      guard let row = merged.row, let place = row.cells[column]?.int else { continue }
      let key = CanonicalKey(group.map { row.cells[$0] ?? .null }, collations: [])
      groups[key, default: []].append(
        Row(index: index, place: place, rank: rank(merged, column)))
    }
    if groups.isEmpty { return }
    var taken = try takenPlaces(in: Set(groups.keys), group, column, but: changed)
    for (key, members) in groups.sorted(by: { $0.value[0].index < $1.value[0].index }) {
      for row in members.sorted(by: {
        ($0.rank.0, $0.rank.1, $0.place, $0.index) < ($1.rank.0, $1.rank.1, $1.place, $1.index)
      }) {
        var place = row.place
        while taken[key]?.contains(place) ?? false, place < Int64.max { place += 1 }
        taken[key, default: []].insert(place)
        guard place != row.place else { continue }
        rows[row.index].row?.cells[column] = .integer(place)
        rows[row.index].fallback?.cells[column] = .integer(place)
      }
    }
  }

  /// The columns of the group and that of the place; of a unique index if the group was not said.
  private var place: (group: [Int], column: Int)? {
    guard let (group, column) = table.declared.place else { return nil }
    if let group { return (group, column) }
    let unique = table.uniques.first { $0.columns.contains(column) }
    return ((unique?.columns ?? []).filter { $0 != column }, column)
  }

  private func rank(_ merged: MergedRow, _ column: Int) -> (Int, Int) {
    let movers = MergeSide.allCases.filter { side in
      guard let change = merged.changes[side], let row = change.original else { return false }
      return change.base.map { $0.cells[column] != row.cells[column] } ?? true
    }
    if movers.isEmpty { return (0, 0) }
    let isLater = movers.contains(clock.later)
    return (merged.base == nil ? 2 : 1, isLater ? 1 : 0)
  }

  /// The places of rows that nobody changed.
  private func takenPlaces(
    in groups: Set<CanonicalKey>, _ group: [Int], _ column: Int, but changed: Set<CanonicalKey>
  ) throws -> [CanonicalKey: Set<Int64>] {
    let name = table.shape.name
    guard try ground.hasTable(name) else { return [:] }
    let known = Set(
      try ground.cells("PRAGMA main.table_info(\(SQLName.quoted(name)))")
        .compactMap { $0[1].string.map(SQLName.folded) })
    guard
      (group + [column]).allSatisfy({
        known.contains(SQLName.folded(table.shape.columns[$0].name))
      })
    else { return [:] }
    let fields =
      table.keyFields
      + (group + [column]).map {
        SQLName.quoted(table.shape.columns[$0].name)
      }
    var taken: [CanonicalKey: Set<Int64>] = [:]
    let count = table.keyFields.count
    try ground.forEachRow(
      "SELECT \(fields.joined(separator: ", ")) FROM main.\(SQLName.quoted(name))"
    ) { row in
      let key = CanonicalKey(row[count..<(row.count - 1)], collations: [])
      guard groups.contains(key), let place = row.last?.int else { return }
      if !changed.contains(table.key(named: Array(row.prefix(count)))) {
        taken[key, default: []].insert(place)
      }
    }
    return taken
  }
}
