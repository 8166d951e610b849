import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Putting a lost `store.json` back.
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
      let known = try knownStore(paths, files)
    else { return nil }
    let bytes = try files.readSmall(paths.state(of: known).manifest, limit: CompanionFile.limit)
    let companion = try files.hold(paths.companion)
    try AtomicFile.write(
      bytes, to: paths.manifest, mode: .createNew,
      fileSystem: files.holding(companion).sharing(as: paths.sharing(files)))
    let store = try Store.open(paths.database, configuration, EventHub())
    defer { store.letGo() }
    guard let head = try store.versions().graph.newestHead else {
      throw StoreError.noStore(paths)
    }
    return InitReport(
      store: store.manifest.store, device: try store.ownSummary(), head: head.id,
      foldedWAL: false, isPutBack: true)
  }

  /// The store whose version this device had last and whose versions are in the companion.
  private static func knownStore(_ paths: StorePaths, _ files: FileSystem) throws -> String? {
    guard try files.statusIfPresent(paths.stores) != nil else { return nil }
    let names = try files.list(paths.versions).map(\.string)
    return try files.list(paths.stores).map(\.string).sorted().first { store in
      let state = paths.state(of: store)
      guard try files.statusIfPresent(state.manifest) != nil,
        let current = LocalRecord.lastVersion(state.root, files)
      else { return false }
      return names.contains { $0.contains("-\(current).") }
    }
  }
}
