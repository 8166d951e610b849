package import OpenWOFiles
package import SystemPackage

/// Publishing, when an app knows better than the clock.
extension SyncedDatabase {
  /// Puts what waits where the service takes it, now.
  ///
  /// It is for the end of what was debounced, such as a workout that is done.
  ///
  /// - Throws: ``StoreError`` with `noSpace`, `notPermitted`, `unavailable`; what waited still waits then.
  public func publish() throws {
    try core.with { store in
      try store.captureUncaptured()
      try store.publish()
    }
  }

  /// Tells the store that the app goes to the background: captures and publishes what waits, and lets go of the file.
  public func willResignActive() throws {
    try core.with { try $0.flush() }
  }
}

/// Which store it is.
extension SyncedDatabase {
  /// The store's id, the same on all devices.
  public var storeID: String { core.storeID }

  /// Whether a store that this device knew by an id is the one that stands at a path under another id.
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

  /// The id of the store that stands at a path; nil when there is none, or none that can be read.
  package static func storeID(at path: FilePath, _ files: FileSystem) -> String? {
    let paths = StorePaths(database: path, stateRoot: "")
    let manifest = try? CompanionFile.read(StoreManifest.self, at: paths.manifest, files)
    return manifest?.store
  }
}
