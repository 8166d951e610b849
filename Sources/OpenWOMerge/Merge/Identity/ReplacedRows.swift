/// Finds rows that a side deleted and made once more under another key, as their unique values tell.
///
/// So a person rewrites a list: all of it goes, and all of it comes back. If new rows of the other side point to such a row, it is one row and
/// keeps its key: otherwise the old row would come back beside the new one.
struct ReplacedRows {
  let tables: [String: TableMerge]

  /// Makes one change of each such pair.
  func join() {
    for (name, table) in tables where table.rule != .singleton && table.canRekey {
      for side in MergeSide.allCases {
        for unique in table.uniques { join(name, table, side, unique) }
      }
    }
  }

  private func join(_ name: String, _ table: TableMerge, _ side: MergeSide, _ unique: UniqueShape) {
    let changes = table.changes[side]
    var new: [CanonicalKey: Int] = [:]
    for (index, change) in changes.enumerated() where change.isInsert {
      if let key = change.original.flatMap({ table.uniqueKey($0, unique) }) { new[key] = index }
    }
    if new.isEmpty { return }
    var joined: [SideChange] = []
    var gone: Set<Int> = []
    for (index, change) in changes.enumerated() where change.isDelete {
      guard let base = change.base, let key = table.uniqueKey(base, unique), let twin = new[key],
        let row = changes[twin].original, isMissed(base, name, table, by: side.other)
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

  /// Whether new rows of a side, or rows that it has changed, point to the row.
  private func isMissed(
    _ base: MergeRow, _ name: String, _ table: TableMerge, by side: MergeSide
  ) -> Bool {
    let key = table.key(base)
    let own = table.changes[side].first { $0.base.map(table.key) == key }
    if own?.isDelete ?? false { return false }
    return tables.values.contains { child in
      child.references.contains { reference in
        guard reference.parent == name, let target = base.values(reference.parentColumns) else {
          return false
        }
        let wanted = table.key(of: target, pointedToIn: reference.parentColumns)
        return child.changes[side].contains { change in
          guard let values = change.original?.values(reference.columns) else { return false }
          return table.key(of: values, pointedToIn: reference.parentColumns) == wanted
        }
      }
    }
  }
}
