import OpenWOHistory

/// Dry runs of calls.
extension Store {
  /// The version that a restore would leave.
  func planRestore() throws -> Version {
    if let lock = try coordinator.lockInSight() { throw coordinator.isLocked(by: lock) }
    guard let live = try current() ?? versions.listed().graph.newestHead else {
      throw StoreError.missing(paths)
    }
    return live
  }
}
