import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite

/// Finds the parent of a database that has no history.
///
/// A wrong guess must not lose a row. So a version counts only if its own changes are in the
/// database and none of them is undone there. In doubt an earlier version is taken, and none if
/// there is no evidence.
struct Origin {
  let store: Store
  /// Whether the database was committed to after what it has grown from.
  ///
  /// Its change counter is higher then. What was written in WAL mode may have the same one.
  var isCommittedLater = false
  /// More versions than a service is ever behind.
  private static var mostTried: Int { 32 }
  /// More sides than there are devices that write at once.
  private static var mostSides: Int { 8 }
  /// More rows than need to be looked at to tell one version from another.
  private static var rows: Int { 10_000 }

  /// The nearest version of those that prove it; nil if none can be known.
  func find(for database: Connection) throws -> Version? {
    let counter = try database.header().changeCounter
    var tried = 0
    let listing = try store.versions.listed()
    var nearest = NearestOrigin(listing.graph)
    var candidates = OriginCandidates(listing.graph)
    while let version = candidates.next() {
      // What all sides began with is a parent if nothing nearer is.
      guard tried < Self.mostTried || version.reason == .create, nearest.isOpen(version.id),
        listing.archive.holds(version.content), repeated(by: version, listing) == nil,
        try mayPrecede(version, counter)
      else { continue }
      let candidate = try store.versions.privateCopy(of: version.content)
      defer { candidate.close() }
      tried += 1
      let later = try difference(candidate, database)
      let found = try descent(candidate, version, listing, later)
      if try isProof(found, version, listing, later) {
        nearest.offer(version, leaving: later.size)
      } else {
        candidates.refute(version)
      }
    }
    return nearest.version
  }

  /// The version that a database differs least from, of those of which most rows are there and nothing that they changed is undone; nil
  /// if there is none.
  ///
  /// Of two that are as near, the one that the other follows from: what that one changed may be a
  /// side that nobody knows here.
  func closest(to database: Connection) throws -> Version? {
    let counter = try database.header().changeCounter
    let listing = try store.versions.listed()
    var tried = 0
    var (closest, least): (Version?, Int) = (nil, .max)
    for version in listing.graph.newestFirst where version.reason != .settle {
      guard tried < Self.mostTried || version.reason == .create,
        listing.archive.holds(version.content), try mayPrecede(version, counter)
      else { continue }
      tried += 1
      let candidate = try store.versions.privateCopy(of: version.content)
      defer { candidate.close() }
      let later = try difference(candidate, database)
      let distance = later.distance
      let isBefore = closest.map {
        listing.graph.isAncestor(version.id, of: $0.id) && $0.content != version.content
      }
      guard distance < least || distance == least && isBefore ?? true,
        try holdsMost(candidate, later), try undoesNothing(of: version, candidate, listing, later)
      else { continue }
      (closest, least) = (version, distance)
    }
    return closest
  }

  /// Whether a database undoes no change of a version, nor of those that this one follows from.
  ///
  /// A store's first version changed nothing.
  private func undoesNothing(
    of version: Version, _ candidate: Connection, _ listing: VersionListing,
    _ later: DatabaseDifference
  ) throws -> Bool {
    if version.parents.isEmpty && version.reason == .create { return true }
    return try descent(candidate, version, listing, later) != .contradicted
      && isNoOther(version, listing, later)
  }

  /// Whether most rows of a version are in the database, some of them changed, and all tables were compared.
  private func holdsMost(_ candidate: Connection, _ later: DatabaseDifference) throws -> Bool {
    guard later.comparesAll else { return false }
    guard let lost = later.lostRows else { return try keepsMost(candidate, later) }
    let rows = try candidate.rowCount()
    return rows > 0 && rows >= 2 * lost
  }

  /// Whether a database with a change counter may have grown from a version.
  private func mayPrecede(_ version: Version, _ counter: UInt32) throws -> Bool {
    guard let own = try store.versions.changeCounter(of: version.content) else { return true }
    return isCommittedLater ? own < counter : own <= counter
  }

  /// Whether a database follows from a version, or from a twin of it: the changes of one of them
  /// are there, and no change of any is undone.
  func isConfirmed(_ id: VersionID, by database: Connection) throws -> Bool {
    try comparing(id, with: database) { candidate, version, listing, later in
      let twins = listing.graph.twins(of: version.id)
      let found = try twins.map { try descent(candidate, $0, listing, later) }
      if found.contains(.contradicted) { return false }
      return try found.contains { try isProof($0, version, listing, later) }
    }
  }

  /// Whether most rows of a version are in a database, and nothing that the version changed is undone there.
  func isMostly(_ id: VersionID, in database: Connection) throws -> Bool {
    try comparing(id, with: database) { candidate, version, listing, later in
      guard try keepsMost(candidate, later) else { return false }
      // The beginning of a store changed nothing. All rows of another version that follows from
      // nothing are its own, and somebody whom nobody knows here brought it.
      return try version.parents.isEmpty && version.reason == .create
        || descent(candidate, version, listing, later) != .contradicted
    }
  }

  /// The head of another side of which most rows are in a database, and of which less is missing or changed there than of a version.
  func otherSide(than current: VersionID, in database: Connection) throws -> VersionID? {
    let graph = try store.versions.listed().graph
    var (nearest, least): (VersionID?, Int) = (nil, try undone(of: current, in: database) ?? 0)
    for head in graph.heads.prefix(Self.mostSides)
    where !graph.isAncestor(current, of: head.id) && !graph.isAncestor(head.id, of: current) {
      guard let undone = try undone(of: head.id, in: database), undone < least else { continue }
      (nearest, least) = (head.id, undone)
    }
    return nearest
  }

  /// How many rows of a version are missing or changed in a database; nil if that is most of them, or unknown.
  private func undone(of id: VersionID, in database: Connection) throws -> Int? {
    var undone: Int?
    _ = try comparing(id, with: database) { candidate, _, _, later in
      let all = later.tables.reduce(0) { $0 + $1.deleted + $1.updated }
      undone = try id == store.workingCopy.current || keepsMost(candidate, later) ? all : nil
      return true
    }
    return undone
  }

  /// Judges a database by its difference from a version; false if the version's content is not here.
  private func comparing(
    _ id: VersionID, with database: Connection,
    _ judge: (Connection, Version, VersionListing, DatabaseDifference) throws -> Bool
  ) throws -> Bool {
    let listing = try store.versions.listed()
    guard let version = listing.graph[id], listing.archive.holds(version.content) else {
      return false
    }
    let candidate = try store.versions.privateCopy(of: version.content)
    defer { candidate.close() }
    return try judge(candidate, version, listing, difference(candidate, database))
  }

  /// Whether the state of a version's own changes proves that a database follows from it.
  private func isProof(
    _ found: Descent, _ version: Version, _ listing: VersionListing, _ later: DatabaseDifference
  ) throws -> Bool {
    switch found {
    case .grown where !Self.isGuess(version): true
    case .grown, .alike: try isNoOther(version, listing, later)
    case .silent, .contradicted: false
    }
  }

  /// Whether it is a guess what a version was made from, and so what it changed.
  private static func isGuess(_ version: Version) -> Bool {
    [.edit, .external].contains(version.reason)
  }

  /// Whether the versions before do not say that a database is another side's in which only the last changes are the same.
  ///
  /// The nearest one with rows of its own decides, by what became of them from the version on.
  private func isNoOther(
    _ version: Version, _ listing: VersionListing, _ later: DatabaseDifference
  ) throws -> Bool {
    let ancestors = listing.graph.ancestors(of: version.id)
    let before = listing.graph.newestFirst.lazy.filter {
      ancestors.contains($0.id) && !$0.parents.isEmpty && listing.archive.holds($0.content)
    }
    for ancestor in before.prefix(Self.mostTried) {
      let content = try store.versions.privateCopy(of: ancestor.content)
      defer { content.close() }
      switch try descent(content, ancestor, listing, later) {
      case .grown where !Self.isGuess(ancestor): return true
      case .contradicted: return false
      default: continue
      }
    }
    return true
  }

  private func descent(
    _ candidate: Connection, _ version: Version, _ listing: VersionListing,
    _ later: DatabaseDifference
  ) throws -> Descent {
    guard !version.parents.isEmpty else {
      // All of its rows are its own. Nothing can be lost only if all other versions follow from it.
      let lineage = Lineage.ofRows(listing.graph)
      let isCommon =
        version.reason == .create
        && listing.graph.heads.allSatisfy {
          $0.id != version.id && lineage.line(of: [$0.id]).contains(version.id)
        }
      let isKept = try isCommon ? keepsMost(candidate, later) : later.keepsAll
      guard isKept else { return .contradicted }
      // Of several stores that began here, one without rows is in every database with the same tables.
      let isOnlyBeginning = listing.graph.versions.count { $0.reason == .create } == 1
      return try isOnlyBeginning || candidate.rowCount() > 0 ? .grown : .silent
    }
    if let repeated = repeated(by: version, listing) {
      return try descent(candidate, repeated, listing, later)
    }
    var found: Set<Descent> = []
    for parent in version.parents.compactMap({ listing.graph[$0] }) {
      guard listing.archive.holds(parent.content) else { return .contradicted }
      let before = try store.versions.privateCopy(of: parent.content)
      defer { before.close() }
      let own = try OpenWOMerge.difference(
        from: before, to: candidate, options: .ofAllChanges(rows: .upTo(Self.rows)))
      found.insert(Descent(own: own, later: later))
    }
    // The changes that a merge took from each of its parents count.
    return [.contradicted, .silent, .alike, .grown].first(where: found.contains)
      ?? .silent
  }

  /// The parent whose content a version has: it changed nothing itself, and what another parent lacks is not its own.
  private func repeated(by version: Version, _ listing: VersionListing) -> Version? {
    version.parents.compactMap { listing.graph[$0] }.first { $0.content == version.content }
  }

  private func difference(_ old: Connection, _ new: Connection) throws -> DatabaseDifference {
    try OpenWOMerge.difference(
      from: old, to: new, options: .ofAllChanges(rows: .upTo(Self.rows)))
  }

  /// Whether rows of the version are in the database, and more than are missing: not so in one that only looks alike.
  private func keepsMost(_ candidate: Connection, _ later: DatabaseDifference) throws -> Bool {
    let rows = try candidate.rowCount()
    let missing = later.tables.reduce(0) { $0 + $1.deleted }
    let changed = later.tables.reduce(0) { $0 + $1.updated }
    return rows > missing + changed && rows >= 2 * missing
  }
}
