import OpenWOFiles
import OpenWOHistory
package import SystemPackage

/// Looks for what is wrong with a store or will go wrong; changes nothing that anybody else has.
struct Doctor: StoreCommand {
  let store: Store

  /// Everything that can be found out about the store of a database.
  ///
  /// - Throws: `noStore` and `unavailable`, when there is nothing to look at.
  static func examine(_ path: FilePath, _ configuration: Configuration) throws -> [Finding] {
    let paths = try StorePaths.resolve(path, configuration)
    if let lost = try? LostStore.find(paths, configuration) { return [Finding(lost.error)] }
    do {
      _ = try StoreManifest.load(paths, configuration)
    } catch let error as StoreError where error.code != .noStore {
      return [Finding(error)]
    }
    let states = stateFolder(paths, configuration)
    guard states.allSatisfy({ $0.severity != .error }) else { return states }
    return try states
      + StoreError.wrapping(paths) {
        var configuration = configuration
        // A look changes nothing, however an app opens its store.
        configuration.opensAsFound = true
        return try Store.using(path, configuration) { store in
          store.versions.readsEveryHeader = true
          try Preparing(store: store).run()
          return Doctor(store: store).findings()
        }
      }
  }

  private func findings() -> [Finding] {
    [
      checkFolders, checkSharing, checkVanished, checkQuarantine, checkCompanion, checkNames,
      checkTwins,
      checkLinks,
      checkJournal, checkLog,
      checkCopies, checkLive,
      checkOpeners, checkVersions, checkTravel, checkClocks, checkDevices, checkLocks,
      checkLeftovers,
    ].flatMap { check in
      do {
        return try check()
      } catch {
        let error = StoreError.of(error, paths) as? StoreError
        return [
          error.map { Finding($0) }
            ?? Finding(.error, "io", "\(error.map { "\($0)" } ?? "a check failed")")
        ]
      }
    }
  }
}

extension Finding {
  /// A finding; without remedies, it has those of its advice, and a warning or an error at least that to
  /// look again.
  init(
    _ severity: Severity, _ code: String, _ message: String, advice: Advice? = nil,
    remedies: [Remedy] = []
  ) {
    let isPressing = severity == .warning || severity == .error
    let advised = advice?.remedies ?? []
    let usual = advised.isEmpty && isPressing ? [.tryAgain] : advised
    self.init(
      code: code, severity: severity, message: message,
      remedies: remedies.isEmpty ? usual : remedies, advice: advice)
  }

  init(_ error: StoreError) {
    self.init(
      code: error.code.description, severity: .error, message: error.message,
      remedies: error.remedies, advice: error.advice)
  }
}

extension SyncedDatabase {
  /// Looks for problems of a store, present and future ones.
  ///
  /// - Throws: ``StoreError`` with `noStore` or `unavailable` if there is nothing to look at.
  public static func examine(
    path: String, configuration: Configuration = Configuration()
  ) throws -> [Finding] {
    try examine(at: FilePath(path), configuration: configuration)
  }

  /// Looks at the store of a database whose path need not be text.
  package static func examine(
    at path: FilePath, configuration: Configuration
  ) throws -> [Finding] {
    try coordinating(.reading, path, configuration) { try Doctor.examine(path, configuration) }
  }
}
