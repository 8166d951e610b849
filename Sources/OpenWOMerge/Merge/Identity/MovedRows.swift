/// The changes of one side to a numbered table, where merges before this one gave rows of the base other numbers there.
///
/// A difference holds rows against each other by number. So a row that moved looks deleted or changed, and the row that has its number now
/// looks like what it was changed to. Here each row of the base is held against what it has become.
struct MovedRows {
  /// The places of the base's rows on the side: nil if a row is gone and another row has its
  /// number.
  let moves: [Int64: Int64?]
  /// The base's row with a number, and the side's, if the difference does not have them.
  let base: (Int64) throws -> MergeRow?
  let side: (Int64) throws -> MergeRow?

  /// The changes by row in place of those by number.
  func told(_ changes: [SideChange]) throws -> [SideChange] {
    var known: [Int64: SideChange] = [:]
    for change in changes {
      if let number = (change.base ?? change.original)?.rowid { known[number] = change }
    }
    var old: [Int64: MergeRow] = [:]
    var numbers: Set<Int64> = []
    for number in moves.keys {
      let row = try known[number].map(\.base) ?? base(number)
      guard let row else { continue }
      old[number] = row
      numbers.insert(number)
      if case let place?? = moves[number] { numbers.insert(place) }
    }
    if numbers.isEmpty { return changes }
    for number in numbers where old[number] == nil {
      old[number] = try known[number].map(\.base) ?? base(number)
    }
    var new: [Int64: MergeRow] = [:]
    for number in numbers { new[number] = try known[number].map(\.original) ?? side(number) }
    var result = changes.filter { change in
      (change.base ?? change.original)?.rowid.map { !numbers.contains($0) } ?? true
    }
    var left = new
    // That a row has come under a number is known; that one has kept its number is only not known otherwise.
    let order = old.keys.sorted { (place($0) == $0 ? 1 : 0, $0) < (place($1) == $1 ? 1 : 0, $1) }
    for number in order {
      guard let before = old[number] else { continue }
      let after = place(number).flatMap { left.removeValue(forKey: $0) }
      if let after, after.rowid == before.rowid, after.agrees(with: before) { continue }
      result.append(SideChange(base: before, row: after))
    }
    for number in left.keys.sorted() {
      result.append(SideChange(base: nil, row: left[number]))
    }
    return result
  }

  private func place(_ number: Int64) -> Int64? { moves[number] ?? number }
}
