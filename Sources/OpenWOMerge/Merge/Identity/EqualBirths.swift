/// Finds rows that both sides have under different numbers, and that were put in alike under one number.
///
/// Two sides that put in equal rows under one number made one row. So did those that a merge gave another number since.
struct EqualBirths {
  let table: TableMerge
  let first: MergeSide
  /// The numbers under which rows of a side were put in.
  let births: (MergeSide, Set<Int64>) throws -> [Int64: Int64]

  /// A side with more new rows is not looked at: that takes too much memory.
  static let mostRows = 100_000

  /// Gives one of each such pair the other's number; returns whether there was any.
  func unify() throws -> Bool {
    guard table.hasOwnNumbers, table.rule != .singleton, table.rule != .union,
      MergeSide.allCases.allSatisfy({ table.changeCount($0) <= Self.mostRows })
    else { return false }
    let mine = rows(first).filter { $1.count == 1 }
    let others = rows(first.other).filter { cells, places in
      places.count == 1 && mine[cells] != nil
    }
    var pairs = others.compactMap { cells, places in
      mine[cells].map { (own: $0[0], other: places[0]) }
    }
    pairs = pairs.filter { number(first, $0.own) != number(first.other, $0.other) }
    guard !pairs.isEmpty else { return false }
    let known = try Sides(
      ours: births(.ours, numbers(.ours, pairs)), theirs: births(.theirs, numbers(.theirs, pairs)))
    var hasFound = false
    for (own, other) in pairs.sorted(by: { $0.other < $1.other }) {
      guard let from = original(first.other, other), let mine = original(first, own),
        let birth = known[first][mine], birth == known[first.other][from],
        let to = number(first, own)
      else { continue }
      give(to, other, from)
      hasFound = true
    }
    return hasFound
  }

  private func give(_ number: Int64, _ place: Int, _ from: Int64) {
    let side = first.other
    guard let row = table.changes[side][place].row else { return }
    table.changes[side][place].givenKey = .rowid(number)
    table.changes[side][place].row = table.rekey(row, .rowid(number))
    // It may have been given a free number, as another row has its own.
    table.renumbered.removeAll { $0.side == side && $0.from == [.integer(from)] }
    table.renumbered.append(
      Renumbering(side: side, from: [.integer(from)], to: [.integer(number)], isSameRow: true))
  }

  /// The places of the rows that a side made, by their cells but for the number.
  private func rows(_ side: MergeSide) -> [[CellValue?]: [Int]] {
    var found: [[CellValue?]: [Int]] = [:]
    for (place, change) in table.changes[side].enumerated() where change.isInsert {
      guard var cells = change.row?.cells else { continue }
      if let column = table.shape.rowidColumn { cells[column] = nil }
      found[cells, default: []].append(place)
    }
    return found
  }

  private func number(_ side: MergeSide, _ place: Int) -> Int64? {
    table.changes[side][place].row?.rowid
  }

  private func original(_ side: MergeSide, _ place: Int) -> Int64? {
    table.changes[side][place].original?.rowid
  }

  private func numbers(_ side: MergeSide, _ pairs: [(own: Int, other: Int)]) -> Set<Int64> {
    Set(pairs.compactMap { original(side, side == first ? $0.own : $0.other) })
  }
}
