/// What became of the plain rows of a table, one at a time in the order that both devices share: rows with new numbers come last.
struct PlainOutcomes {
  private let table: TableMerge
  private let plain: PlainRows
  private let merger: RowMerger
  private let withRenumbered: Bool
  private var reader: PlainRows.Reader
  /// What is left of the row that is being read, the next one last.
  private var pending: [MergedRow] = []
  /// The list of renumbered rows that is being read; nil for the rows that kept their numbers.
  private var list: Int?
  /// How many of each list have come by.
  private var passed: [Int]

  /// `withRenumbered` says whether new rows that were given other numbers come, too.
  init?(of table: TableMerge, _ clock: MergeClock, withRenumbered: Bool = true) throws {
    guard let plain = table.plain else { return nil }
    self.table = table
    self.plain = plain
    self.withRenumbered = withRenumbered
    merger = RowMerger(table: table, clock: clock)
    reader = try plain.reader()
    passed = plain.renumbered.map { _ in 0 }
  }

  /// The next row; nil after the last.
  mutating func next() throws -> MergedRow? {
    while true {
      if let row = pending.popLast() { return row }
      if let list {
        if let row = try nextMoved(list) { return row }
      } else if let group = try reader.next() {
        if group.isUpdate || plain.renumbered.isEmpty && group.isOne {
          let changes = Sides(ours: group.rows.ours?.change, theirs: group.rows.theirs?.change)
          return merger.merge(plain.followed(changes, in: table))
        }
        pending = outcomes(of: group).reversed()
        continue
      }
      let next = (list ?? -1) + 1
      guard withRenumbered, next < plain.renumbered.count else { return nil }
      list = next
      passed[next] = 0
      reader = try plain.reader()
    }
  }

  /// The rows under one number that keep it.
  private mutating func outcomes(of group: PlainGroup) -> [MergedRow] {
    // Rows are read from their bytes only if they are needed.
    var stays = Sides(ours: true, theirs: true)
    for (index, list) in plain.renumbered.enumerated() where group.hasBirth(list.side) {
      guard passed[index] < list.from.count, list.from[passed[index]] == group.place.number else {
        continue
      }
      passed[index] += 1
      stays[list.side] = false
    }
    let (old, new) = group.changes(withBirths: stays)
    var rows: [MergedRow] = []
    if old.ours != nil || old.theirs != nil {
      rows.append(merger.merge(plain.followed(old, in: table)))
    }
    if new.ours != nil || new.theirs != nil {
      rows.append(merger.merge(plain.followed(new, in: table)))
    }
    return rows
  }

  private mutating func nextMoved(_ index: Int) throws -> MergedRow? {
    let list = plain.renumbered[index]
    guard passed[index] < list.from.count else { return nil }
    let (from, to) = (list.from[passed[index]], list.to[passed[index]])
    while let group = try reader.next() {
      guard group.place.number == from else { continue }
      guard let change = group.changes(of: list.side).last else { return nil }
      passed[index] += 1
      return merger.merge(moved(change, to, list.side))
    }
    return nil
  }

  private func moved(
    _ change: SideChange, _ number: Int64, _ side: MergeSide
  ) -> Sides<SideChange?> {
    var change = change
    change.givenKey = .rowid(number)
    change.row = change.original.map { table.rekey($0, .rowid(number)) }
    var changes = Sides<SideChange?>(ours: nil, theirs: nil)
    changes[side] = change
    return plain.followed(changes, in: table)
  }
}

extension TableMerge {
  /// Hands out what became of each row, in the order that both devices share: of those in memory, and of the plain ones between them.
  ///
  /// Plain rows that were given new numbers are left out, as nothing else became of them.
  func forEachRow(
    of rows: [MergedRow], _ clock: MergeClock, _ body: (MergedRow) throws -> Void
  ) throws {
    guard var outcomes = try PlainOutcomes(of: self, clock, withRenumbered: false) else {
      return try rows.forEach(body)
    }
    var next = try outcomes.next()
    for row in rows {
      if let place = place(of: row) {
        while let plain = next, let other = self.place(of: plain), other.rank(against: place) <= 0 {
          try body(plain)
          next = try outcomes.next()
        }
      }
      try body(row)
    }
    while let plain = next {
      try body(plain)
      next = try outcomes.next()
    }
  }
}
