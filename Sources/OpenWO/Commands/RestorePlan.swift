package import OpenWOHistory

/// The decision on a restore.
package struct RestorePlan: Sendable, Hashable {
  /// The version to bring back, and the one that is live before.
  package let wanted, previous: Version

  /// Decides whether a version may be brought back; `expected` has to be live, if it is given.
  init(
    of id: VersionID, in graph: VersionGraph, live: Version?, expected: VersionID?,
    _ paths: StorePaths
  ) throws {
    guard let wanted = graph[id] else { throw StoreError.noSuchVersion(id.short, paths) }
    guard let live else { throw StoreError.missing(paths) }
    try live.require(expected, paths)
    (self.wanted, previous) = (wanted, live)
  }

  /// Whether the content is live already.
  package var isNothing: Bool { wanted.content == previous.content }
}

extension Version {
  /// Refuses what was decided on another version than this one, which is live now; nil: it was not said on which.
  func require(_ expected: VersionID?, _ paths: StorePaths) throws {
    guard let expected, expected != id else { return }
    throw StoreError.headMoved(from: expected, to: id, paths)
  }
}
