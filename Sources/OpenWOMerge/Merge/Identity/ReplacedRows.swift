/// Finds rows that a side deleted and inserted again with another key, by their unique values.
///
/// This is how a person rewrites a list: all of it is deleted and inserted again. If new rows of
/// the other side refer to such a row, it is one row and keeps its key. Otherwise the old row would
/// come back beside the new one.
struct ReplacedRows {
  let tables: [String: TableMerge]

  /// Makes one change of each such pair.
  func join() {
    for (name, table) in tables where table.rule != .singleton && table.canRekey {
      for side in MergeSide.allCases {
        for unique in table.naturalKeys { join(name, table, side, unique) }
      }
    }
  }

  private func join(_ name: String, _ table: TableMerge, _ side: MergeSide, _ unique: UniqueShape) {
    let changes = table.changes[side]
    var new: [CanonicalKey: Int] = [:]
    for (index, change) in changes.enumerated() where change.isInsert {
      if let key = change.original.flatMap({ table.uniqueKey($0, unique) }) { new[key] = index }
    }
    guard !new.isEmpty, changes.contains(where: \.isDelete) else { return }
    let missed = Missed(name, table, tables, by: side.other)
    var joined: [SideChange] = []
    var gone: Set<Int> = []
    for (index, change) in changes.enumerated() where change.isDelete {
      guard let base = change.base, let key = table.uniqueKey(base, unique), let twin = new[key],
        let row = changes[twin].original, missed.contains(base)
      else { continue }
      joined.append(replacement(of: base, by: row, table, side))
      gone.formUnion([index, twin])
    }
    guard !joined.isEmpty else { return }
    let rest = changes.indices.filter { !gone.contains($0) }.map { changes[$0] }
    table.changes[side] = rest + joined
  }

  private func replacement(
    of base: MergeRow, by row: MergeRow, _ table: TableMerge, _ side: MergeSide
  ) -> SideChange {
    let given = table.givenKey(of: base)
    var change = SideChange(base: base, row: row)
    change.isReplacement = true
    change.givenKey = given
    change.row = table.rekey(row, given)
    table.renumbered.append(
      Renumbering(
        side: side, from: table.keyValues(row), to: table.keyValues(base), isSameRow: true))
    return change
  }
}

/// The rows of a table that a side points to with new rows, or with rows that it has changed, and that it has not deleted itself.
private struct Missed {
  private let table: TableMerge
  private let deleted: Set<CanonicalKey>
  /// By the columns that are pointed to.
  private let targets: [[Int]: Set<CanonicalKey>]

  init(_ name: String, _ table: TableMerge, _ tables: [String: TableMerge], by side: MergeSide) {
    self.table = table
    deleted = Set(table.changes[side].filter(\.isDelete).compactMap { $0.base.map(table.key) })
    var targets: [[Int]: Set<CanonicalKey>] = [:]
    for child in tables.values {
      for reference in child.references where reference.parent == name {
        let keys = child.changes[side].compactMap { change in
          change.original?.values(reference.columns).map {
            table.key(of: $0, pointedToIn: reference.parentColumns)
          }
        }
        targets[reference.parentColumns, default: []].formUnion(keys)
      }
    }
    self.targets = targets
  }

  func contains(_ row: MergeRow) -> Bool {
    guard !targets.isEmpty, !deleted.contains(table.key(row)) else { return false }
    return targets.contains { columns, keys in
      row.values(columns).map { keys.contains(table.key(of: $0, pointedToIn: columns)) } ?? false
    }
  }
}
