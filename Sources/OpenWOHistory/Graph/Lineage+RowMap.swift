extension Lineage {
  /// How a merge moved the rows of a parent; nil if that is unknown.
  package typealias Guess = (_ merge: Version, _ parent: Version) throws -> [String:
    [RenumberedRows.Move]]?

  /// The places of a version's rows in a later version; nil if its rows are not in there.
  ///
  /// A row is identified by the version that inserted it and its number there. Merges record which
  /// rows they renumbered, so a row can be followed from version to version. `guess` returns how a
  /// merge without such a record moved the rows of a parent. Watched rows are looked up in each
  /// version on the way.
  package func rowMap(
    from base: Version, to version: Version, guess: Guess = { _, _ in nil },
    watch: RowWatch? = nil
  ) throws -> RowMap? {
    guard let start = graph.indices[base.id] else { return base == version ? RowMap() : nil }
    if base == version { return RowMap() }
    let isKnown = graph.contains(version.id)
    let ends = (isKnown ? [version.id] : version.parents).compactMap { graph.indices[$0] }
    let marks = graph.reach(from: ends, along: sources)
    // Twins of a content have the same rows, so a way from any of them counts.
    let starts = marks.indices.filter {
      marks[$0] && graph.versions[$0].content == graph.versions[start].content
    }
    guard marks[start] else { return nil }
    var maps = Dictionary(uniqueKeysWithValues: starts.map { ($0, RowMap()) })
    // Ancestors first, so that what is asked for is known.
    let order = ancestorsFirst(marks.indices.filter { marks[$0] && maps[$0] == nil })
    for place in order {
      let known = sources[place].filter { maps[$0] != nil }
      if !known.isEmpty {
        let version = graph.versions[place]
        maps[place] = try looked(
          for: watch, in: version, map(of: version, from: known, maps, guess))
      }
    }
    if isKnown { return ends.first.flatMap { maps[$0] } }
    let known = ends.filter { maps[$0] != nil }
    return known.isEmpty ? nil : try map(of: version, from: known, maps, guess)
  }

  /// The map without the watched rows that are not in the version.
  private func looked(for watch: RowWatch?, in version: Version, _ map: RowMap?) throws -> RowMap? {
    guard let watch, var map else { return map }
    let places = watch.numbers.map { name, numbers in
      (name, numbers.compactMap { number in map.place(of: number, in: name).map { (number, $0) } })
    }
    let absent = try watch.absent(
      version, Dictionary(uniqueKeysWithValues: places.map { ($0, Set($1.map(\.1))) }))
    for (name, rows) in places {
      for (number, place) in rows where absent[name]?.contains(place) ?? false {
        map.lose(number, in: name)
      }
    }
    return map
  }

  /// The map of a version, by those of the ones that it comes from.
  private func map(
    of version: Version, from known: [Int], _ maps: [Int: RowMap], _ guess: Guess
  ) throws -> RowMap? {
    let all = ordered(known, for: version)
    guard version.reason == .merge else {
      return foremost(all, of: version).flatMap { maps[$0] }
    }
    guard let renumbered = version.renumbered else {
      return try all.reduce(nil) { (result: RowMap?, place) in
        guard let map = maps[place] else { return result }
        let moves = try guess(version, graph.versions[place]) ?? [:]
        let followed = map.followed(by: moves, beside: [:])
        return result?.joined(with: followed) ?? followed
      }
    }
    var result: RowMap?
    for (id, moves) in renumbered.moves.sorted(by: { $0.key < $1.key }) {
      // A twin of a side has the same rows.
      let side =
        all.first { graph.versions[$0].id == id }
        ?? all.first {
          renumbered.moves[graph.versions[$0].id] == nil
            && graph.versions[$0].content == graph[id]?.content
        }
      guard let map = side.flatMap({ maps[$0] }) else { continue }
      let others = renumbered.moves.filter { $0.key != id }.values
        .reduce(into: [String: [RenumberedRows.Move]]()) { $0.merge($1) { $0 + $1 } }
      let followed = map.followed(by: moves, beside: others)
      result = result?.joined(with: followed) ?? followed
    }
    return result ?? all.first.flatMap { maps[$0] }
  }

  /// The places that a row of a version may have had in its parents; nil if that is unknown.
  package func earlier(
    _ number: Int64, in table: String, of version: Version
  ) -> [(version: Version, number: Int64)]? {
    let places =
      graph.indices[version.id].map { sources[$0] }
      ?? version.parents.compactMap { graph.indices[$0] }
    guard version.reason == .merge else {
      let place = foremost(ordered(places, for: version), of: version)
      return place.map { [(graph.versions[$0], number)] } ?? []
    }
    guard let renumbered = version.renumbered else { return nil }
    return renumbered.moves.sorted { $0.key < $1.key }.compactMap { id, tables in
      guard let side = graph[id] else { return nil }
      return RowMap.number(before: number, tables[table] ?? []).map { (side, $0) }
    }
  }

  private func ordered(_ places: [Int], for version: Version) -> [Int] {
    places.sorted { first, second in
      let (one, other) = (graph.versions[first], graph.versions[second])
      let isSame = one.content == version.content
      return isSame == (other.content == version.content) ? one.ranks(before: other) : isSame
    }
  }

  /// Of a version's parents, the first that has its content, or else the first whose content no
  /// other parent has left behind.
  ///
  /// A late twin of the winner is a parent as well, and the rows have moved since.
  private func foremost(_ places: [Int], of version: Version) -> Int? {
    guard places.count > 1, let first = places.first,
      graph.versions[first].content != version.content
    else { return places.first }
    return places.first { place in
      let content = graph.versions[place].content
      return !places.contains { other in
        guard graph.versions[other].content != content else { return false }
        let line = graph.reach(from: [other], along: sources)
        return zip(line, graph.versions).contains { $0 && $1.content == content }
      }
    } ?? first
  }

  /// The merge bases of a version and all of some others, the earliest first.
  package func bases(of versions: [Version], and other: Version) -> [Version] {
    let common = Set(versions.flatMap { bases(of: $0, and: other) })
    return tips(among: common).sorted { $0.loses(to: $1) }
  }
}
