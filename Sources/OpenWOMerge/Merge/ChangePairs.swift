/// The changes of both sides, those to the same row side by side, in an order both devices share.
struct ChangePairs {
  private(set) var pairs: [Sides<SideChange?>] = []

  /// What two changes have in common that are about one row.
  private struct Label: Hashable {
    /// What happened to the row, where only its values or its number name it: another one may have the same.
    let kind: RowChange.Kind?
    let key: CanonicalKey
  }

  init(_ table: TableMerge) {
    var ours = table.changes.ours
    var theirs = table.changes.theirs
    join(&ours, &theirs) { Self.label($0, table) }
    // Of one row without a name both did something else.
    join(&ours, &theirs) { change in
      change.base.flatMap { base in
        table.isNamedByWholeRow(base) ? Label(kind: nil, key: table.key(base)) : nil
      }
    }
    pairs += ours.map { Sides(ours: $0, theirs: nil) }
    pairs += theirs.map { Sides(ours: nil, theirs: $0) }
    let keys = pairs.map { pair in
      (pair.ours?.row ?? pair.ours?.base ?? pair.theirs?.row ?? pair.theirs?.base)
        .map(table.keyValues) ?? []
    }
    let isNew = pairs.map { ($0.ours?.base ?? $0.theirs?.base) == nil }
    pairs = pairs.indices.sorted { first, second in
      let rank = CellValue.rank(keys[first], keys[second])
      return rank == 0 ? !isNew[first] && isNew[second] : rank < 0
    }.map { pairs[$0] }
  }

  /// Moves changes with the same label into pairs; the others are left.
  private mutating func join(
    _ ours: inout [SideChange], _ theirs: inout [SideChange], _ label: (SideChange) -> Label?
  ) {
    var waiting: [Label: [Int]] = [:]
    for (index, change) in theirs.enumerated().reversed() {
      if let label = label(change) { waiting[label, default: []].append(index) }
    }
    var taken: Set<Int> = []
    ours = ours.filter { change in
      guard let label = label(change), let twin = waiting[label]?.popLast() else { return true }
      pairs.append(Sides(ours: change, theirs: theirs[twin]))
      taken.insert(twin)
      return false
    }
    theirs = theirs.indices.filter { !taken.contains($0) }.map { theirs[$0] }
  }

  private static func label(_ change: SideChange, _ table: TableMerge) -> Label? {
    guard let row = change.row ?? change.base else { return nil }
    if table.isNumbered {
      guard let base = change.base else {
        return Label(kind: .inserted, key: table.key(row))
      }
      return Label(kind: nil, key: table.key(base))
    }
    if table.rule == .union, change.isInsert, table.isNamedByWholeRow(row) { return nil }
    guard table.isNamedByWholeRow(row) else { return Label(kind: nil, key: table.key(row)) }
    let kind: RowChange.Kind =
      change.row == nil ? .deleted : (change.base == nil ? .inserted : .updated)
    return Label(kind: kind, key: table.key(row))
  }
}
