/// A row that is under another number in the result than on its side, for the merges that come after this one.
package struct NumberChange: Hashable, Sendable {
  /// Whose row it is.
  package let side: MergeSide
  /// Its number there.
  package let from: Int64
  /// Its number in the result; nil where it is not there and another row has its number.
  package let to: Int64?
  /// Whether the other side has the same row under the new number.
  package let isJoined: Bool

  /// Those of one table; `highest` are the highest numbers that each side can have used.
  ///
  /// A new row of one side may have a number that the other one gave and took back: there that one's row is gone.
  static func all(
    of table: TableMerge, _ rows: [MergedRow], _ highest: Sides<Int64>
  ) -> [NumberChange] {
    guard table.isNumbered else { return [] }
    let taken = Set(rows.compactMap { $0.row?.rowid })
    var used = Sides<Set<Int64>>(ours: [], theirs: [])
    for side in MergeSide.allCases { used[side].formUnion(rows.compactMap { number($0, side) }) }
    return rows.flatMap { row in
      func number(_ side: MergeSide) -> Int64? { Self.number(row, side) }
      return MergeSide.allCases.compactMap { side -> NumberChange? in
        guard let from = number(side) else {
          guard row.base == nil, let new = row.row?.rowid, number(side.other) == new,
            highest[side] >= new, !used[side].contains(new)
          else { return nil }
          return NumberChange(side: side, from: new, to: nil, isJoined: false)
        }
        guard let to = row.row?.rowid else {
          guard taken.contains(from) else { return nil }
          return NumberChange(side: side, from: from, to: nil, isJoined: false)
        }
        if from == to { return nil }
        return NumberChange(
          side: side, from: from, to: to, isJoined: number(side.other) == to)
      }
    }
  }

  /// The number of a row on a side; nil where it is not there.
  private static func number(_ row: MergedRow, _ side: MergeSide) -> Int64? {
    row.changes[side].map { $0.original?.rowid } ?? row.base?.rowid
  }
}
