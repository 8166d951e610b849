/// Takes back deletions of rows that rows in the result point to, and of what went with them.
final class ReferenceKeeper {
  private let tables: [String: TableMerge]
  private var merged: [String: [MergedRow]]
  private var queue: [(table: String, index: Int)] = []
  private var deletedByValue: [String: [CanonicalKey: Int]] = [:]
  private var childrenByValue: [String: [CanonicalKey: [Int]]] = [:]

  init(_ tables: [String: TableMerge], _ merged: [String: [MergedRow]]) {
    self.tables = tables
    self.merged = merged
  }

  /// The rows with every such deletion taken back.
  func run() -> [String: [MergedRow]] {
    for name in merged.keys.sorted() {
      for index in merged[name]?.indices ?? 0..<0 where merged[name]?[index].row != nil {
        queue.append((name, index))
      }
    }
    while let (name, index) = queue.popLast() {
      guard let table = tables[name], let row = merged[name]?[index] else { continue }
      keepParents(of: row, in: table)
      if row.changes.ours?.isDelete ?? false || row.changes.theirs?.isDelete ?? false {
        keepChildren(of: row, name)
      }
    }
    return merged
  }

  private func keepParents(of row: MergedRow, in table: TableMerge) {
    for reference in table.references {
      guard let parent = tables[reference.parent], let values = row.row?.values(reference.columns)
      else { continue }
      let key = parent.key(of: values, pointedToIn: reference.parentColumns)
      guard let index = deleted(reference, parent)[key], !isNew(row, where: index, in: reference)
      else { continue }
      keep(reference.parent, index, parent)
    }
  }

  /// Whether the row was inserted on the side that deleted the parent: it points to another row, which has the number now.
  private func isNew(
    _ row: MergedRow, where parent: Int, in reference: TableMerge.Reference
  ) -> Bool {
    guard let deleted = merged[reference.parent]?[parent], row.base == nil else { return false }
    return MergeSide.allCases.contains { side in
      (deleted.changes[side]?.isDelete ?? false) && row.changes[side.other] == nil
    }
  }

  /// Rows that were deleted because the row was are kept with it.
  private func keepChildren(of row: MergedRow, _ name: String) {
    guard let base = row.before, let parent = tables[name] else { return }
    for (childName, child) in tables {
      for (number, reference) in child.references.enumerated()
      where reference.parent == name && reference.cascadesDelete {
        guard let values = base.values(reference.parentColumns) else { continue }
        let key = parent.key(of: values, pointedToIn: reference.parentColumns)
        let deleter: MergeSide = row.changes.ours?.isDelete ?? false ? .ours : .theirs
        for index in children(childName, number, child, parent)[key] ?? [] {
          guard let deleted = merged[childName]?[index], deleted.row == nil,
            deleted.changes[deleter] != nil,
            deleted.changes[deleter.other]?.isCascaded ?? true
          else { continue }
          keep(childName, index, child)
        }
      }
    }
  }

  private func keep(_ name: String, _ index: Int, _ table: TableMerge) {
    guard var row = merged[name]?[index], row.row == nil, let base = row.base else { return }
    let deleter: MergeSide = row.changes.ours?.isDelete ?? false ? .ours : .theirs
    if row.changes.ours?.isDelete ?? false, row.changes.theirs?.isDelete ?? false { return }
    row.row = row.changes[deleter.other]?.row ?? base
    row.outcome = .decided
    row.decisions = [
      MergeDecision(
        key: table.keyValues(base), conflict: .deleteAgainstReference, columns: [],
        winner: deleter.other, reason: .keepsRows)
    ]
    merged[name]?[index] = row
    queue.append((name, index))
  }

  /// Deleted rows of the table a reference points to, by the values under which they were pointed to.
  private func deleted(
    _ reference: TableMerge.Reference, _ parent: TableMerge
  ) -> [CanonicalKey: Int] {
    let name = "\(reference.parent) \(reference.parentColumns)"
    if let known = deletedByValue[name] { return known }
    var found: [CanonicalKey: Int] = [:]
    for (index, row) in (merged[reference.parent] ?? []).enumerated() where row.row == nil {
      guard let values = row.before?.values(reference.parentColumns) else { continue }
      found[parent.key(of: values, pointedToIn: reference.parentColumns)] = index
    }
    deletedByValue[name] = found
    return found
  }

  private func children(
    _ name: String, _ number: Int, _ child: TableMerge, _ parent: TableMerge
  ) -> [CanonicalKey: [Int]] {
    let label = "\(name) \(number)"
    if let known = childrenByValue[label] { return known }
    let reference = child.references[number]
    var found: [CanonicalKey: [Int]] = [:]
    for (index, row) in (merged[name] ?? []).enumerated() where row.row == nil {
      guard let values = row.before?.values(reference.columns) else { continue }
      let key = parent.key(of: values, pointedToIn: reference.parentColumns)
      found[key, default: []].append(index)
    }
    childrenByValue[label] = found
    return found
  }
}
