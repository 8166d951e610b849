package import OpenWOHistory
package import SystemPackage

/// Dry runs of calls, which throw what the calls would throw.
extension SyncedDatabase {
  /// Refuses if ``initialize(path:create:configuration:)`` would.
  package static func checkInitialize(
    at path: FilePath, create: Bool, configuration: Configuration
  ) throws {
    try coordinating(.reading, path, configuration) {
      try Initializing(path, create: create, configuration).check()
    }
  }

  /// Refuses if this device knows a store at a path whose companion is gone.
  package static func checkNothingLost(
    at path: FilePath, create: Bool, configuration: Configuration
  ) throws {
    let paths = try StorePaths.resolve(path, configuration)
    try coordinating(.reading, path, configuration) {
      let lost = try StoreError.wrapping(paths) { try LostStore.find(paths, configuration) }
      guard let lost, !lost.hasVersions, lost.isOfDatabase else { return }
      // Report first what is on its way, or missing.
      try Initializing(path, create: create, configuration).check()
      throw lost.newStoreError
    }
  }

  /// The names of the databases in a folder whose stores this device knows though their companions are gone, in order.
  package static func lostStores(
    in folder: FilePath, configuration: Configuration
  ) throws -> [FilePath.Component] {
    try LostStore.names(in: folder, configuration)
  }

  /// The devices that a lock would wait for.
  package func planLock() throws -> [DeviceSummary] {
    try core.with { try Locking(store: $0).plan() }
  }

  /// Which of several versions was live on this device last; nil if none is known to have been.
  package func lastLive(among versions: [VersionID]) throws -> VersionID? {
    try core.with(.reading) { try $0.versions.lastLive(among: versions) }
  }

  /// What a restore would do.
  package func planRestore(
    of id: VersionID, ifHead expected: VersionID? = nil
  ) throws -> RestorePlan {
    try core.with { try Restoring(store: $0, expected: expected).plan(id) }
  }
}
