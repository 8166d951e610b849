package import OpenWOHistory
package import OpenWOMerge
package import OpenWOSQLite
package import SystemPackage

/// Merges the rows of two versions from their merge bases.
///
/// If there are several merge bases, it first merges them into one, which is not a version, by the
/// same rules as a device would. It follows rows through the merges in between, so a number that
/// two rows had on two devices is not used again.
package struct RowMerge {
  /// The source of the contents of versions.
  package struct Contents {
    /// Whether a version's content is here.
    let holds: (Version) -> Bool
    /// Opens a content read-only.
    let open: (Version) throws -> Connection
    /// Copies a content to a new file.
    let copy: (Version, FilePath) throws -> Void
    /// The path of a new private file.
    let newPath: () -> FilePath
    /// Opens a private file: to be written, or only to be read.
    let openPrivate: (FilePath, _ writing: Bool) throws -> Connection
    let copyPrivate: (FilePath, FilePath) throws -> Void
    let remove: (FilePath) -> Void
    /// The rows that are equal in the first versions of two sides without a merge base; nil if they
    /// did not begin apart.
    let commonRows: ([Version], [Version]) throws -> CommonGround?

    package init(
      holds: @escaping (Version) -> Bool,
      open: @escaping (Version) throws -> Connection,
      copy: @escaping (Version, FilePath) throws -> Void, newPath: @escaping () -> FilePath,
      openPrivate: @escaping (FilePath, Bool) throws -> Connection,
      copyPrivate: @escaping (FilePath, FilePath) throws -> Void,
      remove: @escaping (FilePath) -> Void,
      commonRows: @escaping ([Version], [Version]) throws -> CommonGround? = { _, _ in nil }
    ) {
      self.holds = holds
      self.open = open
      self.copy = copy
      self.newPath = newPath
      self.openPrivate = openPrivate
      self.copyPrivate = copyPrivate
      self.remove = remove
      self.commonRows = commonRows
    }
  }

  /// The rows with which two sides that began apart both began.
  package struct CommonGround {
    /// The version with which each of them began.
    package let versions: [Version]
    /// A private file with the rows that are in both; nil if a content is no longer here.
    package let file: FilePath?
  }

  /// The result: a file, and what was done.
  package struct Outcome {
    /// The side that it was built on.
    package let ground: MergeSide
    package let report: MergeReport
    /// Which rows of each side have another number.
    package let moves: Sides<[String: [RenumberedRows.Move]]>
    /// Whether there was a merge base.
    package let hasBase: Bool
  }

  let lineage: Lineage
  let contents: Contents
  /// The options for sides with these times, the one that takes precedence first.
  ///
  /// `isOfAncestors` says whether it is a merge of merge bases.
  let options: (_ times: Sides<Int64>, _ isOfAncestors: Bool) -> MergeOptions
  /// Writes, and looks at what was written before it counts.
  let checked: (Connection, () throws -> MergeReport) throws -> MergeReport
  /// Whether the two began as stores of their own.
  let isJoin: Bool

  package init(
    lineage: Lineage, contents: Contents, isJoin: Bool = false,
    options: @escaping (Sides<Int64>, Bool) -> MergeOptions,
    checked: @escaping (Connection, () throws -> MergeReport) throws -> MergeReport
  ) {
    self.lineage = lineage
    self.contents = contents
    self.isJoin = isJoin
    self.options = options
    self.checked = checked
  }

  /// Merges into a new file at a path; `first` counts as ours.
  ///
  /// - Throws: `MergeRefusal`.
  package func run(
    first: Version, second: Version, bases: [Version], into path: FilePath
  ) throws -> Outcome {
    let sides = Sides(ours: MergeInput(first), theirs: MergeInput(second))
    return try merge(sides, bases, into: path, depth: 0)
  }

  private func merge(
    _ sides: Sides<MergeInput>, _ bases: [Version], into path: FilePath, depth: Int
  ) throws -> Outcome {
    var base = try ancestor(bases, depth: depth)
    defer { if let base { dispose(base) } }
    var ground: CommonGround?
    if bases.isEmpty, isJoin || depth > 0 {
      ground = try contents.commonRows(sides.ours.versions, sides.theirs.versions)
      base = ground.flatMap { ground in
        ground.file.map { MergeInput(commonTo: ground.versions, in: $0) }
      }
    }
    let before = try base.map(open)
    defer { before?.close() }
    let connections = try Sides(ours: open(sides.ours), theirs: open(sides.theirs))
    defer {
      connections.ours.close()
      connections.theirs.close()
    }
    let times = Sides(
      ours: sides.ours.latest.at.ordinal, theirs: sides.theirs.latest.at.ordinal)
    var options = options(times, depth > 0)
    options.moments = Sides(
      ours: sides.ours.latest.at.milliseconds, theirs: sides.theirs.latest.at.milliseconds)
    if ground != nil { options.allowsEmptyBase = true }
    options.births = { try births(of: $2, in: $1, on: sides[$0]) }
    options.keepsDeleted = depth > 0
    options.doubtful = base?.origin?.doubtful ?? [:]
    if let base {
      for side in MergeSide.allCases {
        let map = try rowMap(from: base, to: sides[side])
        options.moved[side] = map.tables
        options.taken[side] = map.taken
      }
      options.followed = { side, name, numbers in
        let watch = RowWatch([name: numbers], absent: absent)
        return try rowMap(from: base, to: sides[side], watch: watch).tables[name] ?? [:]
      }
    }
    let spillPath = contents.newPath()
    let spill = SpillFile {
      try Connection(
        path: spillPath, Connection.Options(mode: .create, guardPolicy: .privateCopy))
    }
    defer {
      spill.close()
      contents.remove(spillPath)
    }
    options.spill = spill
    let plan = try MergePlanner(
      base: before, ours: connections.ours, theirs: connections.theirs, options: options
    ).plan()
    let start = sides[plan.ground]
    if let file = start.file {
      try contents.copyPrivate(file, path)
    } else {
      try contents.copy(start.versions[0], path)
    }
    let result = try contents.openPrivate(path, true)
    defer { result.close() }
    let report = try checked(result) { try plan.write(into: result) }
    return Outcome(
      ground: plan.ground, report: report, moves: Self.moves(report), hasBase: before != nil)
  }

  /// The merge base; nil if it is unknown.
  private func ancestor(_ bases: [Version], depth: Int) throws -> MergeInput? {
    // So deep, one of them shows enough: what the others add came to both sides.
    let bases = depth < Lineage.depth ? bases : bases.suffix(1)
    guard let first = bases.first, bases.allSatisfy(contents.holds) else { return nil }
    var ancestor = MergeInput(first)
    for base in bases.dropFirst() {
      let path = contents.newPath()
      let sides = Sides(ours: MergeInput(base), theirs: ancestor)
      let common = lineage.bases(of: ancestor.versions, and: base)
      let outcome: Outcome
      do { outcome = try merge(sides, common, into: path, depth: depth + 1) } catch {
        contents.remove(path)
        dispose(ancestor)
        throw error
      }
      let doubtful = Self.doubtful(outcome, sides)
      ancestor = MergeInput(
        MergeInput.Origin(sides: sides, moves: outcome.moves, doubtful: doubtful), in: path)
    }
    return ancestor
  }

  /// The rows of a merge that are in doubt: those that it kept though one side had deleted them, and those that were in doubt on a side.
  private static func doubtful(
    _ outcome: Outcome, _ sides: Sides<MergeInput>
  ) -> [String: Set<Int64>] {
    var result = outcome.report.doubtful
    for side in MergeSide.allCases {
      for (name, numbers) in sides[side].origin?.doubtful ?? [:] {
        let moves = (outcome.moves[side][name] ?? []).filter {
          [.alone, .joined].contains($0.origin)
        }
        let places = Dictionary(
          moves.map { ($0.from, $0.to) }, uniquingKeysWith: { first, _ in first })
        result[name, default: []].formUnion(numbers.compactMap { places[$0] ?? $0 })
      }
    }
    return result
  }

  private func dispose(_ input: MergeInput) {
    if let file = input.file { contents.remove(file) }
    if let sides = input.origin?.sides {
      dispose(sides.ours)
      dispose(sides.theirs)
    }
  }

  func open(_ input: MergeInput) throws -> Connection {
    if let file = input.file { return try contents.openPrivate(file, false) }
    return try contents.open(input.versions[0])
  }

  private static func origin(_ change: NumberChange) -> RenumberedRows.Origin {
    switch change.origin {
    case .alone: .alone
    case .joined: .joined
    case .kept: .kept
    case .returned: .returned
    }
  }

  private static func moves(_ report: MergeReport) -> Sides<[String: [RenumberedRows.Move]]> {
    var moves = Sides<[String: [RenumberedRows.Move]]>(ours: [:], theirs: [:])
    for (name, changes) in report.numbers {
      for change in changes {
        moves[change.side][name, default: []].append(
          RenumberedRows.Move(from: change.from, to: change.to, origin(change)))
      }
    }
    return moves
  }
}

extension HybridTime {
  /// The stamp as one number: the greater the later.
  fileprivate var ordinal: Int64 { milliseconds * (Int64(Self.lastCounter) + 1) + Int64(counter) }
}
