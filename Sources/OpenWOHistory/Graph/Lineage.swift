/// The versions from which a version's rows come.
///
/// This is the graph with two exceptions. A version made by last writer wins follows from its
/// winner alone, as it has nothing of the losers. A later version may name a late twin of a loser
/// as a parent, so that the twin is no head any more; it has nothing of that twin either, nor of a
/// settlement of the same parents that lost. So what lost can still be merged. Merges of the same
/// parents have the rows of all of them, whichever wins.
package struct Lineage {
  let graph: VersionGraph
  /// For each version the places of those that its rows come from.
  private(set) var sources: [[Int]]
  /// Whether some follow from versions that they do not name, which may have later stamps.
  private let hasTwins: Bool

  package init(_ graph: VersionGraph) { self.init(graph, replacing: [.settle]) }

  /// The lineage by which nothing may vanish: what a restore undid is in no later version either.
  package static func ofRows(_ graph: VersionGraph) -> Lineage {
    Lineage(graph, replacing: [.settle, .restore])
  }

  /// `replacing` are the reasons for versions in which there is nothing of a parent that has another content.
  private init(_ graph: VersionGraph, replacing: Set<VersionReason>) {
    self.graph = graph
    sources = graph.rowParents
    hasTwins = sources != graph.parents
    let versions = graph.versions
    var joined: [Int] = []
    for (place, version) in versions.enumerated() {
      let others = sources[place].filter { versions[$0].content != version.content }
      guard !others.isEmpty else { continue }
      if replacing.contains(version.reason) {
        sources[place].removeAll { versions[$0].content != version.content }
      } else if version.reason != .merge, sources[place].count > 1 {
        joined.append(place)
      }
    }
    guard !joined.isEmpty else { return }
    let twins = Dictionary(grouping: versions.indices) { versions[$0].content }
    // Ancestors first, so that what is asked for is known.
    for place in ancestorsFirst(joined) {
      let all = sources[place].filter { !isPassedOver($0, among: sources[place]) }
      sources[place] = all.filter {
        !isReplaced($0, twins[versions[$0].content] ?? [], among: all)
      }
    }
  }

  /// Whether another settlement of the same parents, with another content, won.
  private func isPassedOver(_ place: Int, among all: [Int]) -> Bool {
    let version = graph.versions[place]
    guard let parents = version.broughtTogether else { return false }
    let first = all.lazy.map { graph.versions[$0] }.filter { $0.broughtTogether == parents }
      .min { $0.ranks(before: $1) }
    return first.map { $0.reason == .settle && $0.content != version.content } ?? false
  }

  /// Whether a content is in the past of another of these versions, and none of its rows came from there.
  private func isReplaced(_ place: Int, _ twins: [Int], among all: [Int]) -> Bool {
    let content = graph.versions[place].content
    return all.contains { other in
      guard graph.versions[other].content != content else { return false }
      let past = graph.reach(from: [other], along: graph.parents)
      guard twins.contains(where: { past[$0] }) else { return false }
      let line = graph.reach(from: [other], along: sources)
      return !twins.contains { line[$0] }
    }
  }

  /// Versions that may have lost their rows: those that lost to a last writer, those that a version names as a parent whose content came
  /// from another one, and those that were only found in a copy that may be a person's own.
  package var leftBehind: [Version] {
    let versions = graph.versions
    let parents = graph.parents
    let rowParents = hasTwins ? graph.rowParents : parents
    let places = versions.indices.filter {
      versions[$0].reason == .settle || rowParents[$0] != parents[$0]
    }
    let lost = places.flatMap { place in
      parents[place].filter { versions[$0].content != versions[place].content }
    }
    return Set(lost).sorted().map { versions[$0] } + graph.headsAside
  }

  /// The versions and all that their rows come from.
  package func line(of ids: some Sequence<VersionID>) -> Set<VersionID> {
    Set(ids).union(versions(reach(ids)).map(\.id))
  }

  /// The versions with a content and all that their rows come from.
  ///
  /// A content that was captured before its version came has the rows that its version says.
  package func line(ofContent content: ContentHash) -> Set<VersionID> {
    line(of: graph.versions.lazy.filter { $0.content == content }.map(\.id))
  }

  /// Those of the versions whose rows come into no other of them.
  package func tips(among versions: some Collection<Version>) -> [Version] {
    let inner = reach(behind: versions)
    return versions.filter { version in graph.indices[version.id].map { !inner[$0] } ?? true }
  }

  /// The versions whose rows have come into no later one.
  package var tips: [Version] { tips(among: graph.versions.filter { !graph.isPruned($0.id) }) }

  /// The merge bases of two versions, whether their files are here or not, the earliest first by an
  /// order that all devices share.
  ///
  /// There are several if two sides have merged each other's versions. Then one of them has rows
  /// that are new to another, so none alone shows what a side has changed.
  package func bases(of ours: Version, and theirs: Version) -> [Version] {
    let (a, b) = (reach(start(ours)), reach(start(theirs)))
    let nearest = tips(among: versions(zip(a, b).map { $0 && $1 })).sorted { $0.loses(to: $1) }
    // Twins of one content are one.
    var contents: Set<ContentHash> = []
    return nearest.filter { contents.insert($0.content).inserted }
  }

  /// How many merge bases of merge bases there are, one behind the other, before there is a single one.
  ///
  /// It grows by one each time two devices merge each other's versions while newer ones are on their way.
  package func crossings(between ours: Version, and theirs: Version) -> Int {
    var (sides, other) = ([ours], theirs)
    for count in 0..<Self.depth {
      let bases = bases(of: sides, and: other)
      guard bases.count > 1, let last = bases.last else { return count }
      (sides, other) = (bases.dropLast(), last)
    }
    return Self.depth
  }

  /// All that merges of any of these versions, two by two, are made from: their merge bases, where
  /// those are two what these are made one from, and some that are not needed.
  package func grounds(of versions: [Version]) -> [Version] {
    var all: Set<Int> = []
    var ends = Set(versions.compactMap { graph.indices[$0.id] })
    for _ in 0...Self.depth {
      let found = partings(of: ends).subtracting(all)
      if found.isEmpty { break }
      all.formUnion(found)
      ends.formUnion(found)
    }
    return all.sorted().map { graph.versions[$0] }
  }

  /// The versions at which the histories of these ends part: from each of their children fewer ends
  /// can be reached.
  ///
  /// An end from which another one comes is such a version. The others part where the frontier does:
  /// all ways to the ends go through it.
  private func partings(of ends: Set<Int>) -> Set<Int> {
    let before = graph.reach(from: ends.flatMap { sources[$0] }, along: sources)
    let frontier = ends.filter { sources[$0].isEmpty || !ends.isSuperset(of: sources[$0]) }
    let order = ancestorsFirst(Array(graph.versions.indices)).reversed()
    let words = (frontier.count + 63) / 64
    var reached = [UInt64](repeating: 0, count: graph.versions.count * words)
    for (number, end) in frontier.sorted().enumerated() {
      reached[end * words + number / 64] |= 1 << UInt64(number % 64)
    }
    for place in order {
      for source in sources[place] {
        for word in 0..<words { reached[source * words + word] |= reached[place * words + word] }
      }
    }
    func marks(_ place: Int) -> ArraySlice<UInt64> {
      reached[place * words..<(place + 1) * words]
    }
    var found = Set(
      graph.versions.indices.filter { place in
        !ends.contains(place) && marks(place).reduce(0) { $0 + $1.nonzeroBitCount } > 1
      })
    for place in order {
      for source in sources[place] where marks(place).elementsEqual(marks(source)) {
        found.remove(source)
      }
    }
    return found.union(ends.filter { before[$0] })
  }

  /// The largest recursion depth when several merge bases are merged, as in git's recursive
  /// strategy.
  ///
  /// Behind it, one of several merge bases has to do.
  package static let depth = 8

  /// A version, or its parents if it is not in the graph yet.
  private func start(_ version: Version) -> [VersionID] {
    graph.contains(version.id) ? [version.id] : version.parents
  }

  /// Puts places in an order in which what a version's rows come from is before it.
  func ancestorsFirst(_ places: [Int]) -> [Int] {
    let sorted = places.sorted { graph.versions[$0].loses(to: graph.versions[$1]) }
    guard hasTwins else { return sorted }
    let wanted = Set(places)
    var (order, seen): ([Int], Set<Int>) = ([], [])
    for start in sorted {
      var waiting = [(place: start, isDone: false)]
      while let (place, isDone) = waiting.popLast() {
        if isDone { order.append(place) }
        guard !isDone, seen.insert(place).inserted else { continue }
        waiting.append((place, true))
        waiting += sources[place].map { ($0, false) }
      }
    }
    return order.filter(wanted.contains)
  }

  private func reach(_ ids: some Sequence<VersionID>) -> [Bool] {
    graph.reach(from: ids.compactMap { graph.indices[$0] }, along: sources)
  }

  /// All that the rows of these versions come from, without themselves.
  private func reach(behind versions: some Sequence<Version>) -> [Bool] {
    let places = versions.compactMap { graph.indices[$0.id] }
    return graph.reach(from: places.flatMap { sources[$0] }, along: sources)
  }

  private func versions(_ marks: [Bool]) -> [Version] {
    graph.versions.indices.filter { marks[$0] }.map { graph.versions[$0] }
  }
}
