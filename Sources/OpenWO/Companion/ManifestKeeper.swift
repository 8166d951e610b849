import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Follows and mends `store.json`: another device's may come in its place when stores that began apart meet.
struct ManifestKeeper: StorePart {
  let store: Store

  private var manifest: StoreManifest { store.manifest }

  /// Keeps a copy of `store.json`, as it may be lost or replaced by another device's.
  ///
  /// If it cannot be written now, the next opening writes it.
  func keepCopy() {
    let path = state.manifest(manifest.store)
    if (try? files.statusIfPresent(path)) ?? nil == nil {
      try? CompanionFile.write(manifest, to: path, files)
    }
    let kept = try? CompanionFile.read(StoreManifest.self, at: state.manifest, files)
    guard kept?.store != manifest.store else { return }
    try? AtomicFile.copy(paths.manifest, to: state.manifest, durable: false, fileSystem: files)
  }

  /// Follows `store.json` where another device's has come in its place.
  ///
  /// - Throws: `otherStore` if nothing that this device has published is in the companion: that is
  ///   another account's store.
  func follow() throws {
    let found = try files.statusIfPresent(paths.manifest)?.signature
    guard let found, found != store.upkeep.manifest else { return }
    let new = try StoreManifest.load(paths, configuration)
    if new.store != manifest.store {
      guard try isOurs() else { throw StoreError.replacedStore(paths) }
      let states = StateFolder(paths: paths, files: configuration.files)
      try states.add(new.store, for: state)
    }
    (store.manifest, store.upkeep.manifest) = (new, found)
    keepCopy()
  }

  /// Whether the companion has what this device has published into it.
  private func isOurs() throws -> Bool {
    // An earlier companion at this path says nothing about this one.
    let found = try Archive(folders: [paths.versions], fileSystem: files).scan(reusing: .empty)
    let published = Set(found.stored.map(\.version.id))
    if let current = workingCopy.current, published.contains(current) { return true }
    let states = StateFolder(paths: paths, files: configuration.files)
    return try Beginnings(found.graph).versions.contains { version in
      guard let begun = StoreManifest(of: version) else { return false }
      return try begun.store == manifest.store || states.isOne(begun.store, manifest.store)
    }
  }

  /// Makes `store.json` again what it was of the store whose id stays.
  func write(_ manifest: StoreManifest) throws {
    try store.asWriter {
      let standing = try CompanionFile.read(StoreManifest.self, at: paths.manifest, files)
      guard let standing, standing != manifest else { throw StaleLook() }
      try CompanionFile.write(manifest, to: paths.manifest, files)
    }
    try follow()
  }

  /// Removes what a service made of a `store.json`, if it still says the same.
  func removeStray(_ file: FileName, _ manifest: StoreManifest) throws {
    let path = paths.companion.appending(file.component)
    guard try CompanionFile.read(StoreManifest.self, at: path, files) == manifest else {
      throw StaleLook()
    }
    try files.unlink(path)
  }
}

extension StoreError {
  /// Another store has come in the place of the one that is open.
  static func replacedStore(_ paths: StorePaths) -> StoreError {
    StoreError(
      .otherStore,
      "another store has taken the place of \(paths.name); nothing was mixed, and what "
        + "waited is kept on this device",
      advice: paths.next("see which one it is", .lookAgain))
  }
}
