/// Whether a database without a history follows from a version, judged by the state of that
/// version's own changes in it.
///
/// Changes that the comparison cannot see count as undone: then the two are rivals, and both are
/// kept.
package enum Descent: Sendable, Hashable {
  /// Rows that the version put into tables that were there before are in the database, at least as many as have other cells by now.
  case grown
  /// All changes of the version are there. Another side may have made them, too, as by the same migration.
  case alike
  /// The version's changes are not to be seen, one way or the other: there are none, or they are written over.
  case silent
  /// A change of the version is missing, undone, or not to be seen.
  case contradicted

  /// Judges by what the version changed, and by the difference between it and the database.
  package init(own: DatabaseDifference, later: DatabaseDifference) {
    var tally = Tally()
    let made = Set(
      own.schemaChanges.filter { $0.type == "table" && $0.old == nil }.map {
        SQLName.folded($0.name)
      })
    let tables = Dictionary(
      later.tables.map { (SQLName.folded($0.table), $0) }, uniquingKeysWith: { first, _ in first })
    for table in own.tables where !table.followsRows {
      let name = SQLName.folded(table.table)
      let isNew = made.contains(name)
      guard tally.add(table, followedBy: tables[name], isNew: isNew) else {
        self = .contradicted
        return
      }
    }
    guard tally.add(own.schemaChanges, followedBy: later.schemaChanges) else {
      self = .contradicted
      return
    }
    if tally.inserted > 0, tally.inserted >= tally.resembled {
      self = .grown
    } else {
      let isAlike = tally.resembled == 0 && tally.writtenOver == 0 && tally.kept > 0
      self = isAlike ? .alike : .silent
    }
  }
}

/// The states of the changes, counted.
private struct Tally {
  var kept = 0
  /// Of those that were kept, rows put into tables that were there before.
  var inserted = 0
  /// Inserted rows that now have other cells: another side may have made such a row, too.
  var resembled = 0
  /// Changed rows and definitions that were changed again, which says nothing: many programs change the same row with each commit.
  var writtenOver = 0

  /// Counts what became of a table's changes; false when one of them is undone, or cannot be seen.
  mutating func add(_ own: TableDifference, followedBy later: TableDifference?, isNew: Bool) -> Bool
  {
    guard let later else {
      kept += own.notCompared == nil ? own.rows.count : 1
      if !isNew { inserted += own.inserted }
      return true
    }
    guard own.notCompared == nil, later.notCompared == nil, later.keyedBy == own.keyedBy,
      !later.isCutShort, !own.isCutShort || later.deleted + later.updated == 0
    else { return false }
    let next = Successors(later)
    for change in own.rows {
      guard let after = next.row(after: change) else {
        kept += 1
        if change.kind == .inserted, !isNew { inserted += 1 }
        continue
      }
      switch Fate(of: change, in: own, after, in: later) {
      case .undone: return false
      case .carried: kept += 1
      case .writtenOver where change.kind == .inserted: resembled += 1
      case .writtenOver: writtenOver += 1
      }
    }
    return true
  }

  /// Counts what became of changes to the schema; false when one is undone.
  mutating func add(_ own: [SchemaChange], followedBy later: [SchemaChange]) -> Bool {
    for change in own {
      let next = later.first {
        $0.type == change.type && SQLName.folded($0.name) == SQLName.folded(change.name)
      }
      guard let next else {
        kept += 1
        continue
      }
      if next.new == change.old { return false }
      writtenOver += 1
    }
    return true
  }
}

/// The rows of a later difference, by what they were before it.
private struct Successors {
  private let byKey: [[CellValue]: RowChange]
  private let byValues: [[CellValue]: RowChange]

  init(_ table: TableDifference) {
    byKey = Dictionary(table.rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
    // A key may be spelled otherwise since, and several rows may have NULL in theirs.
    byValues = Dictionary(
      table.rows.compactMap { next in next.old.map { ($0, next) } },
      uniquingKeysWith: { first, _ in first })
  }

  /// The later change of a changed row; nil: none.
  func row(after change: RowChange) -> RowChange? {
    let isNamed = !change.key.contains(where: \.isNull)
    return (isNamed ? byKey[change.key] : nil) ?? change.new.flatMap { byValues[$0] }
  }
}

/// The state of one changed row.
private enum Fate {
  case carried, writtenOver, undone

  init(
    of change: RowChange, in own: TableDifference, _ next: RowChange, in later: TableDifference
  ) {
    switch (change.kind, next.kind) {
    case (.inserted, .deleted), (.deleted, .inserted), (.updated, .deleted): self = .undone
    case (.updated, .updated): self = Self.ofCells(change, own, next, later)
    case (.inserted, .updated): self = next.isOfOneRow(as: change.new) ? .writtenOver : .undone
    default: self = .writtenOver
    }
  }

  /// The fate of an update: undone when one of its cells is again as before.
  ///
  /// If it is not known what a cell held before, any other value counts as undone.
  private static func ofCells(
    _ change: RowChange, _ own: TableDifference, _ next: RowChange, _ later: TableDifference
  ) -> Fate {
    guard let old = change.old, let new = change.new, let then = next.new else { return .undone }
    var before = cells(old, own.oldColumns)
    for column in own.added {
      before[SQLName.folded(own.newColumns[column.place])] = column.before(old)
    }
    let after = cells(then, later.newColumns)
    var fate = Fate.carried
    for (column, value) in cells(new, own.newColumns) where before[column] != value {
      if after[column] == value { continue }
      guard let was = before[column], let now = after[column], now != was else { return .undone }
      fate = .writtenOver
    }
    return fate
  }

  private static func cells(_ row: [CellValue], _ columns: [String]) -> [String: CellValue] {
    Dictionary(
      zip(columns.map(SQLName.folded), row), uniquingKeysWith: { first, _ in first })
  }
}

extension RowChange {
  /// Whether the row was changed, and not put in the place of another one: mostly other values under the same number are a row made apart.
  func isOfOneRow(as made: [CellValue]?) -> Bool {
    guard let made, let new, made.count == new.count else { return false }
    return 2 * zip(made, new).count { $0 != $1 } < made.count
  }
}

extension DatabaseDifference {
  /// How many rows and definitions differ.
  package var size: Int {
    tables.filter { !$0.followsRows }.reduce(schemaChanges.count) {
      $0 + $1.inserted + $1.updated + $1.deleted
    }
  }

  /// Whether all rows of the first database are in the second one, some of them changed.
  package var keepsAll: Bool {
    schemaChanges.allSatisfy { $0.new != nil }
      && tables.allSatisfy { table in
        if table.followsRows { return true }
        return table.notCompared == nil && !table.isCutShort && table.deleted == 0
          && table.rows.allSatisfy { $0.kind == .inserted || $0.isOfOneRow(as: $0.old) }
      }
  }
}
