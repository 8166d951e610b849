import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Restores a lost `store.json`.
extension Store {
  /// Writes `store.json` again if versions are there and this device knows whose they are; nil: there is nothing to put back.
  ///
  /// Every device that knows the store writes the same bytes, so none of them makes a second store.
  static func putBackManifest(
    _ paths: StorePaths, _ configuration: Configuration
  ) throws -> InitReport? {
    let files = configuration.files.refusingLinks(at: paths.ownFolders)
    guard try files.statusIfPresent(paths.manifest) == nil,
      try files.statusIfPresent(paths.versions) != nil,
      let lost = try LostStore.find(paths, configuration), case .state = lost.source
    else { return nil }
    try lost.putBack(configuration)
    return try using(paths.database, configuration) { store in
      guard let head = try store.versions.listed().graph.newestHead else {
        throw StoreError.noStore(paths)
      }
      return InitReport(
        store: store.manifest.store,
        device: try store.coordinator.ownSummary(head: store.workingCopy.current),
        head: head.id,
        foldedWAL: false, isPutBack: true)
    }
  }
}
