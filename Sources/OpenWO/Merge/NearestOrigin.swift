import OpenWOHistory

/// Of the possible parents of a database, the nearest one.
///
/// If somebody made a database from a merge whose version is not here, several versions may have
/// all of their changes in it. The nearest is the one with the fewest differing rows; of several
/// with as few, the one that was offered first.
struct NearestOrigin {
  private let graph: VersionGraph
  /// The nearest one of those that were offered.
  private(set) var version: Version?
  private var left = Int.max
  private var passed: Set<VersionID> = []

  init(_ graph: VersionGraph) { self.graph = graph }

  /// Whether a version may still be nearer: an ancestor of an offered one is not.
  func isOpen(_ id: VersionID) -> Bool { !passed.contains(id) }

  /// Offers a version, with how many rows and definitions of the database differ from it.
  mutating func offer(_ version: Version, leaving rest: Int) {
    passed.insert(version.id)
    passed.formUnion(graph.ancestors(of: version.id))
    guard rest < left else { return }
    (self.version, left) = (version, rest)
  }
}
