/// Counts what was decided, table by table.
struct ReportWriter {
  let ground: MergeSide
  let tables: [String: TableMerge]
  /// Where rows of the base were on each side before, if not under their own number.
  let earlier: Sides<[String: [Int64: Int64?]]>
  /// The last places of those whose number another row was given.
  let taken: Sides<[String: [Int64: Int64]]>
  let clock: MergeClock
  /// So many rows of a table are told one by one.
  let listed: Int

  /// `counters` know the highest numbers that a side can have used.
  func report(
    _ merged: [String: [MergedRow]], _ counters: RowidCounters,
    _ undeclared: [UndeclaredReference]
  ) throws -> MergeReport {
    let reports = try tables.keys.sorted().compactMap { name -> MergedTable? in
      guard let table = tables[name] else { return nil }
      let report = try self.table(table, merged[name] ?? [])
      return report.isUntouched ? nil : report
    }
    var numbers: [String: [NumberChange]] = [:]
    var doubtful = merged.mapValues { rows in
      Set(rows.compactMap { $0.isDoubtful ? $0.row?.rowid : nil })
    }
    for (name, table) in tables {
      let rows = merged[name] ?? []
      guard table.isNumbered, !rows.isEmpty || table.plain?.hasBirths ?? false else { continue }
      let highest = Sides(
        ours: try counters.highest(name, of: .ours),
        theirs: try counters.highest(name, of: .theirs))
      let plain = try PlainNumberChanges(table: table, clock: clock, highest: highest).find()
      doubtful[name, default: []].formUnion(plain.doubtful)
      let changes = NumberChange.all(
        rows, earlier: Sides(ours: earlier.ours[name] ?? [:], theirs: earlier.theirs[name] ?? [:]),
        taken: Sides(ours: taken.ours[name] ?? [:], theirs: taken.theirs[name] ?? [:]),
        highest: highest)
      let all = NumberChange.inOrder(changes + plain.changes)
      if !all.isEmpty { numbers[name] = all }
    }
    return MergeReport(
      ground: ground, tables: reports, numbers: numbers, undeclared: undeclared,
      doubtful: doubtful.filter { !$1.isEmpty })
  }

  /// Which columns of a row came from each side.
  private func joined(_ merged: MergedRow, _ table: TableMerge) -> MergedTable.JoinedRow? {
    guard let row = merged.row, let ours = merged.changes.ours?.row,
      let theirs = merged.changes.theirs?.row
    else { return nil }
    func columns(_ own: MergeRow, _ other: MergeRow) -> [String] {
      row.cells.indices.filter {
        row.cells[$0] == own.cells[$0] && own.cells[$0] != other.cells[$0]
      }
      .map { table.shape.columns[$0].name }
    }
    return MergedTable.JoinedRow(
      key: table.keyValues(row),
      columns: Sides(ours: columns(ours, theirs), theirs: columns(theirs, ours)))
  }

  /// The decision with the values that gave way.
  private func lost(
    _ decision: MergeDecision, _ merged: MergedRow, _ table: TableMerge
  ) -> MergeDecision {
    guard let loser = merged.changes[decision.winner.other]?.row else { return decision }
    let names = Set(decision.columns)
    var decision = decision
    decision.lost = table.shape.columns.enumerated().compactMap { place, column in
      guard names.isEmpty || names.contains(column.name), let value = loser.cells[place],
        value != merged.row?.cells[place]
      else { return nil }
      return MergeDecision.LostCell(column: column.name, value: value)
    }
    return decision
  }

  private func table(_ table: TableMerge, _ rows: [MergedRow]) throws -> MergedTable {
    var report = MergedTable(table: table.shape.name)
    try table.forEachRow(of: rows, clock) { add($0, of: table, to: &report) }
    for list in table.plain?.renumbered ?? [] {
      if list.side == .ours {
        report.fromOurs += list.from.count
      } else {
        report.fromTheirs += list.from.count
      }
    }
    (report.renumbered, report.unlisted.renumbered) = renumbered(table)
    return report
  }

  /// The first rows with other keys, and how many more there are.
  private func renumbered(_ table: TableMerge) -> ([Renumbering], Int) {
    var found = table.renumbered
    var count = found.count
    for list in table.plain?.renumbered ?? [] {
      count += list.from.count
      found += zip(list.from, list.to).prefix(listed).map { from, to in
        Renumbering(
          side: list.side, from: [.integer(from)], to: [.integer(to)], isSameRow: false)
      }
    }
    found.sort { first, second in
      let rank = CellValue.rank(first.from, second.from)
      return rank == 0 ? first.side == .ours && second.side == .theirs : rank < 0
    }
    return (Array(found.prefix(listed)), max(0, count - listed))
  }

  private func add(_ row: MergedRow, of table: TableMerge, to report: inout MergedTable) {
    switch row.outcome {
    case .oneSided(.ours, _): report.fromOurs += 1
    case .oneSided(.theirs, _): report.fromTheirs += 1
    case .convergent(let kind):
      report.converged += 1
      guard kind == .inserted, let row = row.row else { return }
      guard report.same.count < listed else { return report.unlisted.same += 1 }
      report.same.append(table.keyValues(row))
    case .resolved:
      report.converged += 1
      guard row.row != nil, row.changes.ours?.row != nil, row.changes.theirs?.row != nil else {
        return
      }
      guard report.together.count < listed else { return report.unlisted.together += 1 }
      if let joined = joined(row, table) { report.together.append(joined) }
    case .moved: break
    case .decided:
      for decision in row.decisions {
        if report.decided.count < listed {
          report.decided.append(lost(decision, row, table))
        } else {
          report.unlisted.add(decision.reason)
        }
      }
    }
  }
}
