import OpenWOHistory

/// Of the versions that a database may have grown from, the one that leaves the least to explain.
///
/// Several have all of their changes in a database that somebody made from a merge whose version is not here. The one with the fewest rows left
/// over has most of them in common with it; of those that leave as many, the one that was offered first.
struct NearestOrigin {
  private let graph: VersionGraph
  /// The nearest one of those that were offered.
  private(set) var version: Version?
  private var left = Int.max
  private var passed: Set<VersionID> = []

  init(_ graph: VersionGraph) { self.graph = graph }

  /// Whether a version may still be nearer: what one that was offered has grown from is not.
  func isOpen(_ id: VersionID) -> Bool { !passed.contains(id) }

  /// Offers a version, with how many rows and definitions of the database differ from it.
  mutating func offer(_ version: Version, leaving rest: Int) {
    passed.insert(version.id)
    passed.formUnion(graph.ancestors(of: version.id))
    guard rest < left else { return }
    (self.version, left) = (version, rest)
  }
}
