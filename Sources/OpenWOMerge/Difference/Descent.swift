/// Whether a database without a history has grown from a version, judged by what became of that version's own changes in it.
package enum Descent: Sendable, Hashable {
  /// Rows that the version put into tables that were there before stand in the database, as many at least as were written over since.
  case grown
  /// All changes of the version stand there. Another side may have made them, too, as by the same migration.
  case alike
  /// The version's changes are not to be seen, one way or the other: there are none, or they are written over.
  case silent
  /// A row that the version made is missing, or stands as it was before.
  case contradicted

  /// Judges by what the version changed, and by what lies between it and the database.
  package init(own: DatabaseDifference, later: DatabaseDifference) {
    var (kept, inserted, writtenOver) = (0, 0, 0)
    let made = Set(own.schemaChanges.filter { $0.type == "table" && $0.old == nil }.map(\.name))
    let tables = Dictionary(
      later.tables.map { ($0.table, $0) }, uniquingKeysWith: { first, _ in first })
    for table in own.tables where table.notCompared == nil {
      guard let after = tables[table.table] else {
        kept += table.rows.count
        if !made.contains(table.table) { inserted += table.inserted }
        continue
      }
      guard after.notCompared == nil, !after.isCutShort, after.keyedBy == table.keyedBy else {
        self = .contradicted
        return
      }
      let rows = Dictionary(
        after.rows.map { ($0.key, $0) }, uniquingKeysWith: { first, _ in first })
      // A key may be spelled otherwise since, and several rows may have NULL in theirs.
      let versions = Dictionary(
        after.rows.compactMap { next in next.old.map { ($0, next) } },
        uniquingKeysWith: { first, _ in first })
      for change in table.rows {
        let isNamed = !change.key.contains(where: \.isNull)
        let next = (isNamed ? rows[change.key] : nil) ?? change.new.flatMap { versions[$0] }
        guard let next else {
          kept += 1
          if change.kind == .inserted, !made.contains(table.table) { inserted += 1 }
          continue
        }
        if Self.undoes(next, change) {
          self = .contradicted
          return
        }
        if Self.carries(next, change) {
          kept += 1
        } else {
          writtenOver += 1
        }
      }
    }
    guard let schema = Self.schema(own, later) else {
      self = .contradicted
      return
    }
    writtenOver += schema.writtenOver
    if inserted > 0, inserted >= writtenOver {
      self = .grown
    } else {
      self = writtenOver == 0 && kept + schema.kept > 0 ? .alike : .silent
    }
  }

  /// How many of the version's changes to the schema stand, and how many were written over; nil when one is undone.
  private static func schema(
    _ own: DatabaseDifference, _ later: DatabaseDifference
  ) -> (kept: Int, writtenOver: Int)? {
    var (kept, writtenOver) = (0, 0)
    for change in own.schemaChanges {
      let next = later.schemaChanges.first { $0.type == change.type && $0.name == change.name }
      guard let next else {
        kept += 1
        continue
      }
      if next.new == change.old { return nil }
      writtenOver += 1
    }
    return (kept, writtenOver)
  }

  /// Whether all that an update wrote stands, in a row in which other cells were changed later.
  private static func carries(_ next: RowChange, _ change: RowChange) -> Bool {
    guard change.kind == .updated, let old = change.old, let new = change.new, let then = next.new
    else { return false }
    return zip(zip(old, new), then).allSatisfy { $0.0 == $0.1 || $0.1 == $1 }
  }

  private static func undoes(_ next: RowChange, _ change: RowChange) -> Bool {
    switch (change.kind, next.kind) {
    case (.inserted, .deleted), (.deleted, .inserted): return true
    case (.updated, .updated):
      guard let old = change.old, let new = change.new, let then = next.new,
        old.count == new.count, then.count == new.count
      else { return true }
      return zip(zip(old, new), then).contains { $0.0 != $0.1 && $0.0 == $1 }
    case (.updated, .deleted): return true
    case (.inserted, .updated): return !next.isOfOneRow(as: change.new)
    default: return false
    }
  }
}

extension RowChange {
  /// Whether the row was changed, and not put in the place of another one: mostly other values under the same number are a row made apart.
  fileprivate func isOfOneRow(as made: [CellValue]?) -> Bool {
    guard let made, let new, made.count == new.count else { return false }
    return 2 * zip(made, new).count { $0 != $1 } < made.count
  }
}

extension DatabaseDifference {
  /// Whether all rows of the first database are in the second one, some of them changed.
  package var keepsAll: Bool {
    schemaChanges.allSatisfy { $0.new != nil }
      && tables.allSatisfy { table in
        table.notCompared == nil && !table.isCutShort && table.deleted == 0
          && table.rows.allSatisfy { $0.kind == .inserted || $0.isOfOneRow(as: $0.old) }
      }
  }
}
