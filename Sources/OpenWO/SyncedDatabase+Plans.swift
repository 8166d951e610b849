package import OpenWOHistory
package import SystemPackage

/// What calls would do, without doing it: they throw what the calls would throw.
extension SyncedDatabase {
  /// Refuses where ``initialize(path:create:configuration:)`` would.
  package static func checkInitialize(
    at path: FilePath, create: Bool, configuration: Configuration
  ) throws {
    try Store.checkInitialize(path, create: create, configuration)
  }

  /// The devices that a lock would wait for.
  package func planLock() throws -> [DeviceSummary] {
    try core.with { try $0.planLock() }
  }

  /// The version that is live and that a restore would leave.
  package func planRestore(ifHead expected: VersionID? = nil) throws -> Version {
    try core.with { store in
      let live = try store.planRestore()
      try store.require(expected, as: live)
      return live
    }
  }
}
