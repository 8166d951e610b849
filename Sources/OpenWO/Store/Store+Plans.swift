import OpenWOHistory

/// What previews of commands start from.
extension Store {
  /// The version that a command would start from; refuses while somebody has the lock.
  func startingVersion() throws -> Version {
    if let lock = try coordinator.lockInSight() { throw coordinator.isLocked(by: lock) }
    guard let live = try current() ?? versions.listed().graph.newestHead else {
      throw StoreError.missing(paths)
    }
    return live
  }
}
