/// The plain rows of a table that are under another number in the result than on their side.
struct PlainNumberChanges {
  let table: TableMerge
  let clock: MergeClock
  /// The highest numbers that a side can have used.
  let highest: Sides<Int64>

  /// They, and the numbers of rows in the result that stay in doubt.
  func find() throws -> (changes: [NumberChange], doubtful: Set<Int64>) {
    var found: [NumberChange] = []
    var doubtful: Set<Int64> = []
    guard let plain = table.plain, plain.hasBirths, table.isNumbered else { return ([], []) }
    for list in plain.renumbered { found.reserveCapacity(found.count + list.from.count) }
    let merger = RowMerger(table: table, clock: clock)
    var cursors = plain.renumbered.map { _ in 0 }
    var reader = try plain.reader()
    while let group = try reader.next() {
      if group.isUpdate { continue }
      let number = group.place.number
      var given = Sides<Int64?>(ours: nil, theirs: nil)
      for (index, list) in plain.renumbered.enumerated()
      where cursors[index] < list.from.count && list.from[cursors[index]] == number {
        given[list.side] = list.to[cursors[index]]
        cursors[index] += 1
      }
      if group.hasOld(.ours) || group.hasOld(.theirs) {
        let old = merger.merge(group.changes().old)
        if old.isDoubtful, let number = old.row?.rowid { doubtful.insert(number) }
        found += NumberChange.all(
          [old] + births(group, given), earlier: Sides(ours: [:], theirs: [:]),
          taken: Sides(ours: [:], theirs: [:]), highest: highest)
      } else {
        add(group, given, to: &found)
      }
    }
    return (found, doubtful)
  }

  /// Those of new rows under a number that the base does not have.
  private func add(
    _ group: PlainGroup, _ given: Sides<Int64?>, to found: inout [NumberChange]
  ) {
    let number = group.place.number
    for side in MergeSide.allCases {
      if let given = given[side] {
        found.append(NumberChange(side: side, from: number, to: given, origin: .alone))
      } else if !group.hasBirth(side), given[side.other] == nil, highest[side] >= number {
        found.append(NumberChange(side: side, from: number, to: nil, origin: .alone))
      }
    }
  }

  /// The new rows without their cells.
  private func births(_ group: PlainGroup, _ given: Sides<Int64?>) -> [MergedRow] {
    var left = Sides<SideChange?>(ours: nil, theirs: nil)
    var rows: [MergedRow] = []
    for side in MergeSide.allCases where group.hasBirth(side) {
      let row = MergeRow(rowid: group.place.number, cells: [])
      let change = SideChange(base: nil, row: row)
      guard let number = given[side] else {
        left[side] = change
        continue
      }
      var changes = Sides<SideChange?>(ours: nil, theirs: nil)
      changes[side] = change
      rows.append(merged(changes, number, side))
    }
    if left.ours != nil || left.theirs != nil {
      rows.insert(merged(left, group.place.number, left.ours == nil ? .theirs : .ours), at: 0)
    }
    return rows
  }

  private func merged(
    _ changes: Sides<SideChange?>, _ number: Int64, _ side: MergeSide
  ) -> MergedRow {
    MergedRow(
      base: nil, changes: changes, outcome: .oneSided(side, .inserted),
      row: MergeRow(rowid: number, cells: []))
  }
}
