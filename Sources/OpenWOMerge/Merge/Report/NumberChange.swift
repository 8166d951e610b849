/// A row that is under another number in the result than on its side, for the merges that come after this one.
package struct NumberChange: Hashable, Sendable {
  /// Whose row it is.
  package let side: MergeSide
  /// Its number there.
  package let from: Int64
  /// Its number in the result; nil if it is gone and another row has its number.
  package let to: Int64?
  package let origin: Origin

  /// Those of some rows of a table, if no other row of it has or had one of their numbers.
  ///
  /// A new row of one side may have a number that the other one gave and took back: there that one's row is gone. A row that one side
  /// deleted and that stays, as the other side changed it or points to it, is told for that side.
  ///
  /// `earlier` has the rows of the base that were under another number on a side, `taken` the last numbers of those whose number another row
  /// was given there, and `highest` the highest numbers that a side can have used.
  static func all(
    _ rows: [MergedRow], earlier: Sides<[Int64: Int64?]>, taken lost: Sides<[Int64: Int64]>,
    highest: Sides<Int64>
  ) -> [NumberChange] {
    let taken = Set(rows.compactMap { $0.row?.rowid })
    return MergeSide.allCases.flatMap { side in
      let used = Set(rows.compactMap { number($0, side) })
      let kept = rows.compactMap { row -> NumberChange? in
        guard number(row, side) == nil, let base = row.base?.rowid, let to = row.row?.rowid else {
          return nil
        }
        guard let from = earlier[side][base] ?? base else {
          return lost[side][base].map {
            NumberChange(side: side, from: $0, to: to, origin: .returned)
          }
        }
        return used.contains(from)
          ? nil : NumberChange(side: side, from: from, to: to, origin: .kept)
      }
      let known = used.union(kept.filter { $0.origin == .kept }.map(\.from))
      return kept
        + rows.compactMap { row -> NumberChange? in
          guard let from = number(row, side) else {
            guard row.base == nil, let new = row.row?.rowid, number(row, side.other) == new,
              highest[side] >= new, !known.contains(new)
            else { return nil }
            return NumberChange(side: side, from: new, to: nil, origin: .alone)
          }
          guard let to = row.row?.rowid else {
            guard taken.contains(from) else { return nil }
            return NumberChange(side: side, from: from, to: nil, origin: .alone)
          }
          if from == to { return nil }
          return NumberChange(
            side: side, from: from, to: to,
            origin: number(row, side.other) == to ? .joined : .alone)
        }
    }
  }

  /// The origin of the row with the new number.
  package enum Origin: Hashable, Sendable {
    /// From this side; the number was nobody's before.
    case alone
    /// From both sides: the other one has the same row under the new number.
    case joined
    /// From the other side: this one had deleted the row.
    case kept
    /// From the other side: this one had deleted the row, and given its number to another one.
    case returned
  }

  /// In the order in which reports tell them.
  static func inOrder(_ changes: [NumberChange]) -> [NumberChange] {
    changes.sorted { first, second in
      if first.side != second.side { return first.side == .ours }
      return (first.from, first.rank) < (second.from, second.rank)
    }
  }

  private var rank: Int {
    switch origin {
    case .kept: 0
    case .returned: 1
    case .joined: 2
    case .alone: 3
    }
  }

  /// The number of a row on a side; nil if it is not there.
  private static func number(_ row: MergedRow, _ side: MergeSide) -> Int64? {
    row.changes[side].map { $0.original?.rowid } ?? row.base?.rowid
  }
}
