package import OpenWOFiles
package import SystemPackage

/// Publishing, when an app knows better than the clock.
extension SyncedDatabase {
  /// Publishes pending versions now.
  ///
  /// Call this at a natural boundary, such as the end of a workout, to publish without waiting for
  /// the debounce interval.
  ///
  /// - Throws: ``StoreError`` with `noSpace`, `notPermitted`, `unavailable`; the versions then stay
  ///   pending.
  public func publish() throws {
    try core.with { store in
      try store.waitingCommits.capture()
      try store.publishing.run()
    }
  }

  /// Tells the store that the app moves to the background: it captures and publishes what is
  /// pending, and closes the file.
  public func willResignActive() throws {
    try core.pause()
  }
}

/// Which store it is.
extension SyncedDatabase {
  /// The store's id, the same on all devices.
  public var storeID: String { core.storeID }

  /// Whether a store that this device knew by one id is the store at a path that has another id.
  package static func isOneStore(
    _ known: String, with found: String, at path: FilePath, _ configuration: Configuration
  ) throws -> Bool {
    let paths = try StorePaths.resolve(path, configuration)
    return try StoreError.wrapping(paths) {
      let states = StateFolder(paths: paths, files: configuration.files)
      try states.adopt(found)
      return try states.isOne(known, found)
    }
  }

  /// The id of the store at a path; nil if there is none, or none that can be read.
  package static func storeID(at path: FilePath, _ files: FileSystem) -> String? {
    let paths = StorePaths(database: path, stateRoot: "")
    let manifest = try? CompanionFile.read(StoreManifest.self, at: paths.manifest, files)
    return manifest?.store
  }
}
