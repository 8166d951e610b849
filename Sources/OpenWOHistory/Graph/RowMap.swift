/// The places of one content's rows in a later one, by table; only rows whose number changed.
package struct RowMap: Sendable, Hashable {
  /// By folded table name and old number: the new number, or nil if that row is gone and another
  /// row has its number.
  package private(set) var tables: [String: [Int64: Int64?]] = [:]

  /// The last places of rows that were looked for and are gone: a merge may bring them back.
  private var lost: [String: [Int64: Int64]] = [:]

  /// The last places of rows that are gone and whose number another row was given: a merge may bring them back, too.
  package private(set) var taken: [String: [Int64: Int64]] = [:]

  /// Every row under its own number.
  package init() {}

  /// The place of a row; nil if it is known to be gone.
  package func place(of number: Int64, in table: String) -> Int64? {
    tables[table]?[number] ?? number
  }

  package mutating func set(_ place: Int64?, for number: Int64, in table: String) {
    if place == number {
      tables[table]?.removeValue(forKey: number)
    } else {
      tables[table, default: [:]].updateValue(place, forKey: number)
    }
  }

  /// Records that a row is no longer in the content that the map leads to.
  package mutating func lose(_ number: Int64, in table: String) {
    lost[table, default: [:]][number] = place(of: number, in: table)
    set(nil, for: number, in: table)
  }

  /// Continues the map through a merge, from the side that it leads to.
  ///
  /// - Parameters:
  ///   - moves: What became of that side's rows, by folded table name.
  ///   - others: What became of the other side's.
  /// - Returns: The map to the merge.
  package func followed(
    by moves: [String: [RenumberedRows.Move]], beside others: [String: [RenumberedRows.Move]]
  ) -> RowMap {
    var result = RowMap()
    let names = Set(tables.keys).union(moves.keys).union(others.keys)
    result.lost = lost
    result.taken = taken
    for name in names {
      var step: [Int64: Int64?] = [:]
      // A number that the merge gave was nobody's before, unless it is that of a row which is the same.
      for move in (moves[name] ?? []) + (others[name] ?? []) where move.origin == .alone {
        if let to = move.to { step.updateValue(nil, forKey: to) }
      }
      for move in moves[name] ?? [] where move.origin != .returned {
        step.updateValue(move.to, forKey: move.from)
      }
      let given = Set((moves[name] ?? []).filter { $0.to == nil }.map(\.from))
      for (number, place) in rows(under: given, in: name) {
        result.taken[name, default: [:]][number] = place
      }
      for (number, place) in tables[name] ?? [:] {
        result.set(place.flatMap { step[$0] ?? $0 }, for: number, in: name)
      }
      for (number, place) in step where tables[name]?[number] == nil {
        result.set(place, for: number, in: name)
      }
      result.bringBack(moves[name] ?? [], by: self, in: name)
    }
    return result
  }

  /// The number that a row of a merge had before it; nil if the side has no such row.
  package static func number(before place: Int64, _ moves: [RenumberedRows.Move]) -> Int64? {
    let own = moves.filter { [.alone, .joined].contains($0.origin) }
    if let move = own.first(where: { $0.to == place }) { return move.from }
    return moves.contains { $0.from == place && $0.origin != .returned } ? nil : place
  }

  /// The rows that are under these numbers, with their places.
  private func rows(under places: Set<Int64>, in name: String) -> [(number: Int64, place: Int64)] {
    let known = tables[name] ?? [:]
    let moved = known.compactMap { number, place in
      place.flatMap { places.contains($0) ? (number, $0) : nil }
    }
    return moved + places.filter { known[$0] == nil }.map { ($0, $0) }
  }

  /// Follows rows that were gone on one side and that a merge kept.
  private mutating func bringBack(
    _ moves: [RenumberedRows.Move], by side: RowMap, in name: String
  ) {
    for (origin, places) in [
      (RenumberedRows.Origin.kept, side.lost[name]), (.returned, side.taken[name]),
    ] {
      let back = Dictionary(
        moves.filter { $0.origin == origin }.map { ($0.from, $0.to) },
        uniquingKeysWith: { first, _ in first })
      for (number, place) in places ?? [:] {
        guard let to = back[place] else { continue }
        set(to, for: number, in: name)
        if origin == .kept {
          lost[name]?.removeValue(forKey: number)
        } else {
          taken[name]?.removeValue(forKey: number)
        }
      }
    }
  }

  /// Joins the maps of two ways to one content.
  ///
  /// If a row is in one map only, that map is right. If the maps disagree, one way gave the number
  /// to another row, and the way on which the row kept its number is right.
  package func joined(with other: RowMap) -> RowMap {
    var result = RowMap()
    for name in Set(tables.keys).union(other.tables.keys) {
      let numbers = Set((tables[name] ?? [:]).keys).union((other.tables[name] ?? [:]).keys)
      for number in numbers {
        let places = [place(of: number, in: name), other.place(of: number, in: name)]
        let known = places.compactMap(\.self)
        result.set(
          known.contains(number) && known.count == 2 ? number : known.min(), for: number, in: name)
        if known.isEmpty {
          result.lost[name, default: [:]][number] = lost[name]?[number] ?? other.lost[name]?[number]
          result.taken[name, default: [:]][number] =
            taken[name]?[number] ?? other.taken[name]?[number]
        }
      }
    }
    return result
  }
}
