import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

extension RowMerge {
  /// The places of the merge base's rows on one side.
  func rowMap(
    from base: MergeInput, to side: MergeInput, watch: RowWatch? = nil
  ) throws -> RowMap {
    try knownMap(from: base, to: side, watch) ?? RowMap()
  }

  /// Looks into a version whose content is here, and is not too large for that.
  func absent(
    _ version: Version, _ numbers: [String: Set<Int64>]
  ) throws -> [String: Set<Int64>] {
    guard contents.holds(version), version.facts.bytes <= Self.lookedInto else { return [:] }
    let connection = try contents.open(version)
    defer { connection.close() }
    let tables = try connection.foldedTableNames()
    return try numbers.reduce(into: [:]) { result, entry in
      let (name, numbers) = entry
      result[name] =
        tables.contains(name)
        ? try numbers.filter { try !connection.hasRow($0, in: name) } : numbers
    }
  }

  /// In bytes: rows that seem to have changed are not looked for in the versions between if these are larger.
  private static let lookedInto: Int64 = 1 << 28

  /// How a merge by an earlier openwo moved the rows of a parent, as far as their cells tell.
  private func guess(_ merge: Version, _ parent: Version) throws -> [String: [RenumberedRows.Move]]?
  {
    guard contents.holds(merge), contents.holds(parent) else { return nil }
    let (old, new) = (try contents.open(parent), try contents.open(merge))
    defer {
      old.close()
      new.close()
    }
    return try guessedMoves(from: old, to: new).mapValues { moves in
      moves.map { RenumberedRows.Move(from: $0.from, to: $0.to) }
    }
  }

  private func knownMap(
    from base: MergeInput, to side: MergeInput, _ watch: RowWatch?
  ) throws -> RowMap? {
    if let origin = side.origin {
      var result: RowMap?
      for way in MergeSide.allCases {
        guard let map = try knownMap(from: base, to: origin.sides[way], watch) else { continue }
        let followed = map.followed(
          by: origin.moves[way], beside: origin.moves[way.other])
        result = result?.joined(with: followed) ?? followed
      }
      return result
    }
    guard let origin = base.origin else {
      // The rows that several versions share from the start have the same numbers in each.
      for version in base.versions {
        let map = try lineage.rowMap(
          from: version, to: side.versions[0], guess: guess, watch: watch)
        if let map { return map }
      }
      return nil
    }
    return try throughMerge(origin, to: side, watch)
  }

  /// The map from a merge that is not a version: rows of its sides lead to the numbers of the
  /// merge.
  private func throughMerge(
    _ origin: MergeInput.Origin, to side: MergeInput, _ watch: RowWatch?
  ) throws -> RowMap? {
    let maps = try Sides(
      ours: knownMap(from: origin.sides.ours, to: side, watch?.before(origin.moves.ours)),
      theirs: knownMap(from: origin.sides.theirs, to: side, watch?.before(origin.moves.theirs)))
    guard maps.ours != nil || maps.theirs != nil else { return nil }
    let missing = MergeSide.allCases.first { maps[$0] == nil }
    let connections = try Sides(ours: open(origin.sides.ours), theirs: open(origin.sides.theirs))
    defer {
      connections.ours.close()
      connections.theirs.close()
    }
    var result = RowMap()
    // A row that only the other part brought is not there, whatever has its number.
    if let missing {
      for name in try connections[missing].foldedTableNames() {
        let moves = origin.present(missing, name)
        let moved = Dictionary(moves.map { ($0.from, $0.to) }, uniquingKeysWith: { a, _ in a })
        let others = origin.present(missing.other, name)
        let back = Dictionary(
          others.compactMap { move in move.to.map { ($0, move.from) } },
          uniquingKeysWith: { a, _ in a })
        let away = Set(others.map(\.from))
        for number in try connections[missing].rowNumbers(of: name) {
          guard let place = moved[number] ?? number else { continue }
          let old = back[place] ?? (away.contains(place) ? nil : place)
          if let old, try connections[missing.other].hasRow(old, in: name) { continue }
          result.set(nil, for: place, in: name)
        }
      }
    }
    var names: Set<String> = []
    for way in MergeSide.allCases {
      names.formUnion(origin.moves[way].keys)
      if let map = maps[way] { names.formUnion(map.tables.keys) }
    }
    for name in names {
      var back = Sides<[Int64: Int64]>(ours: [:], theirs: [:])
      var away = Sides<Set<Int64>>(ours: [], theirs: [])
      var numbers: Set<Int64> = []
      for way in MergeSide.allCases {
        for move in origin.present(way, name) {
          if let to = move.to { back[way][to] = move.from }
          away[way].insert(move.from)
          numbers.formUnion([move.from, move.to].compactMap(\.self))
        }
        for number in (maps[way]?.tables[name] ?? [:]).keys {
          let moved = origin.present(way, name).first { $0.from == number }
          numbers.insert(moved?.to ?? number)
        }
      }
      for number in numbers.sorted() {
        var places: [Int64?] = []
        for way in MergeSide.allCases {
          guard let map = maps[way] else { continue }
          let old = back[way][number] ?? (away[way].contains(number) ? nil : number)
          guard let old, try connections[way].hasRow(old, in: name) else { continue }
          places.append(map.place(of: old, in: name))
        }
        guard !places.isEmpty else { continue }
        let known = places.compactMap(\.self)
        result.set(known.contains(number) ? number : known.min(), for: number, in: name)
      }
    }
    return result
  }
}

extension MergeInput.Origin {
  /// The moves of a table's rows that are on a side, or that it deleted without reusing their
  /// numbers.
  fileprivate func present(_ side: MergeSide, _ name: String) -> [RenumberedRows.Move] {
    (moves[side][name] ?? []).filter { $0.origin != .returned }
  }
}

extension RowWatch {
  /// The same rows before a merge gave some of them another number.
  fileprivate func before(_ moves: [String: [RenumberedRows.Move]]) -> RowWatch {
    var watch = self
    for (name, all) in moves {
      guard let numbers = watch.numbers[name] else { continue }
      let moved = all.filter { $0.origin != .returned }
      let away = Set(moved.map(\.from))
      let back = moved.compactMap { move in
        move.to.flatMap { numbers.contains($0) ? move.from : nil }
      }
      watch.numbers[name] = numbers.subtracting(away).union(back)
    }
    return watch
  }
}
