/// The changes of both sides, paired by row, in an order that both devices share.
struct ChangePairs {
  private(set) var pairs: [Sides<SideChange?>] = []

  /// The label that two changes of one row share.
  private struct Label: Hashable {
    /// The kind of change, if only values or a rowid identify the row, as another row may have the
    /// same.
    let kind: RowChange.Kind?
    let key: Key
  }

  /// A number is kept as it is: there may be very many.
  private enum Key: Hashable {
    case number(Int64)
    case bytes(CanonicalKey)
  }

  init(_ table: TableMerge) {
    var ours = table.changes.ours
    var theirs = table.changes.theirs
    join(&ours, &theirs) { Self.label($0, table) }
    // Of one row without a name both did something else.
    join(&ours, &theirs) { change in
      change.base.flatMap { base in
        table.isNamedByWholeRow(base) ? Label(kind: nil, key: .bytes(table.key(base))) : nil
      }
    }
    pairs += ours.map { Sides(ours: $0, theirs: nil) }
    pairs += theirs.map { Sides(ours: nil, theirs: $0) }
    sort(table)
  }

  private mutating func sort(_ table: TableMerge) {
    func row(_ pair: Sides<SideChange?>) -> MergeRow? {
      pair.ours?.row ?? pair.ours?.base ?? pair.theirs?.row ?? pair.theirs?.base
    }
    func isNew(_ pair: Sides<SideChange?>) -> Bool {
      (pair.ours?.base ?? pair.theirs?.base) == nil
    }
    if table.isNumbered {
      pairs.sort { first, second in
        let (one, other) = (row(first)?.rowid ?? 0, row(second)?.rowid ?? 0)
        return one == other ? !isNew(first) && isNew(second) : one < other
      }
      return
    }
    let keys = pairs.map { row($0).map(table.keyValues) ?? [] }
    pairs = pairs.indices.sorted { first, second in
      let rank = CellValue.rank(keys[first], keys[second])
      return rank == 0 ? !isNew(pairs[first]) && isNew(pairs[second]) : rank < 0
    }.map { pairs[$0] }
  }

  /// Moves changes with the same label into pairs; the others are left.
  private mutating func join(
    _ ours: inout [SideChange], _ theirs: inout [SideChange], _ label: (SideChange) -> Label?
  ) {
    // The first with a label, and behind each the next with the same one.
    var waiting: [Label: Int] = [:]
    var next = [Int](repeating: -1, count: theirs.count)
    for (index, change) in theirs.enumerated().reversed() {
      guard let label = label(change) else { continue }
      next[index] = waiting.updateValue(index, forKey: label) ?? -1
    }
    var isTaken = [Bool](repeating: false, count: theirs.count)
    ours = ours.filter { change in
      guard let label = label(change), let twin = waiting[label], twin >= 0 else { return true }
      waiting[label] = next[twin]
      pairs.append(Sides(ours: change, theirs: theirs[twin]))
      isTaken[twin] = true
      return false
    }
    theirs = theirs.indices.filter { !isTaken[$0] }.map { theirs[$0] }
  }

  private static func label(_ change: SideChange, _ table: TableMerge) -> Label? {
    guard let row = change.row ?? change.base else { return nil }
    if table.isNumbered {
      guard let base = change.base else {
        return Label(kind: .inserted, key: .number(row.rowid ?? 0))
      }
      return Label(kind: nil, key: .number(base.rowid ?? 0))
    }
    if table.rule == .union, change.isInsert, table.isNamedByWholeRow(row) { return nil }
    guard table.isNamedByWholeRow(row) else { return Label(kind: nil, key: .bytes(table.key(row))) }
    let kind: RowChange.Kind =
      change.row == nil ? .deleted : (change.base == nil ? .inserted : .updated)
    return Label(kind: kind, key: .bytes(table.key(row)))
  }
}
