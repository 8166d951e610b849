import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// Finds the version that a database without a history of its own has grown from.
///
/// A wrong guess must not lose a row: a version counts only when its own changes are in the database and none of them is undone there. So an
/// earlier one is taken where it is in doubt, from which both sides have the same, and none where nothing speaks for any.
struct Origin {
  let store: Store
  /// More versions than a service is ever behind.
  private static var mostTried: Int { 32 }
  /// How many found versions in a row are held against what they were made from.
  private static var mostGuesses: Int { 4 }
  /// More rows than need to be looked at to tell one version from another.
  private static var rows: Int { 10_000 }

  /// The version; nil when none can be known.
  func find(for database: Connection) throws -> Version? {
    let counter = try database.header().changeCounter
    var tried = 0
    let listing = try store.versions()
    for version in listing.graph.newestFirst where version.reason != .settle {
      guard listing.archive.holds(version.content), repeated(by: version, listing) == nil else {
        continue
      }
      let candidate = try store.privateCopy(of: version.content)
      defer { candidate.close() }
      guard try candidate.header().changeCounter <= counter else { continue }
      tried += 1
      guard tried <= Self.mostTried else { return nil }
      let later = try difference(candidate, database)
      if try descent(candidate, version, listing, later) == .kept { return version }
    }
    return nil
  }

  /// Whether a database has grown from a version, or from a twin of it: what one of them changed itself is there, and nothing of any is undone.
  ///
  /// What one that was found was made from is a guess itself, so nothing of that may be undone either.
  func isConfirmed(_ version: Version, by database: Connection) throws -> Bool {
    let listing = try store.versions()
    let twins = listing.graph.twins(of: version.id)
    let found = try descents(twins, database)
    guard found.contains(.kept) && !found.contains(.contradicted) else { return false }
    var before = twins
    for _ in 0..<Self.mostGuesses {
      let guesses = before.filter { [.edit, .external].contains($0.reason) }
      before = guesses.flatMap(\.parents).compactMap { listing.graph[$0] }
      for version in before where try descents([version], database).contains(.contradicted) {
        return false
      }
    }
    return true
  }

  /// What became of the own changes of versions of one content.
  private func descents(_ family: [Version], _ database: Connection) throws -> [Descent] {
    let listing = try store.versions()
    guard let first = family.first, listing.archive.holds(first.content) else { return [] }
    let candidate = try store.privateCopy(of: first.content)
    defer { candidate.close() }
    let later = try difference(candidate, database)
    return try family.map { try descent(candidate, $0, listing, later) }
  }

  private func descent(
    _ candidate: Connection, _ version: Version, _ listing: VersionListing,
    _ later: DatabaseDifference
  ) throws -> Descent {
    guard !version.parents.isEmpty else {
      // All of its rows are its own. Only behind what all others have grown from can nothing vanish.
      let lineage = Lineage.ofRows(listing.graph)
      let isCommon =
        version.reason == .create
        && listing.graph.heads.allSatisfy {
          $0.id != version.id && lineage.line(of: [$0.id]).contains(version.id)
        }
      let isKept = try isCommon ? keepsMost(candidate, later) : later.keepsAll
      return isKept ? .kept : .contradicted
    }
    if let repeated = repeated(by: version, listing) {
      return try descent(candidate, repeated, listing, later)
    }
    let parents = version.parents.compactMap { listing.graph[$0] }
    var found: Descent = parents.isEmpty ? .silent : .kept
    for parent in parents {
      guard listing.archive.holds(parent.content) else { return .contradicted }
      let before = try store.privateCopy(of: parent.content)
      defer { before.close() }
      switch Descent(own: try difference(before, candidate), later: later) {
      case .kept: break
      case .contradicted: return .contradicted
      case .silent: found = .silent
      }
    }
    return found
  }

  /// The parent whose content a version has: it changed nothing itself, and what another parent lacks is not its own.
  private func repeated(by version: Version, _ listing: VersionListing) -> Version? {
    version.parents.compactMap { listing.graph[$0] }.first { $0.content == version.content }
  }

  private func difference(_ old: Connection, _ new: Connection) throws -> DatabaseDifference {
    try OpenWOMerge.difference(
      from: old, to: new, options: DifferenceOptions(rows: .upTo(Self.rows)))
  }

  /// Whether rows of the version are in the database, and more than are missing: not so in one that only looks alike.
  private func keepsMost(_ candidate: Connection, _ later: DatabaseDifference) throws -> Bool {
    let rows = try candidate.rowCount()
    let missing = later.tables.reduce(0) { $0 + $1.deleted }
    let changed = later.tables.reduce(0) { $0 + $1.updated }
    return rows > missing + changed && rows >= 2 * missing
  }
}
