public import OpenWO
import SystemPackage

/// What an app does when its user taps a remedy.
extension AppStore {
  /// Performs a remedy of an error, if a store can; false says that the app or its user has to.
  ///
  /// A restored or merged version is live when this returns. After `unlock`, `endLock` and `sync` the
  /// call that failed can be made again, unless its code is `inDoubt` or `setAside`: then what it wrote
  /// may be there already.
  ///
  /// If the file in the folder could not be opened at launch, `sync` and `repair` are about that file; once
  /// it can be opened, a new start uses it.
  ///
  /// - Throws: ``/OpenWO/StoreError`` of the call that the remedy names; for `sync` also what is left open.
  public func perform(_ remedy: Remedy) async throws -> Bool {
    guard remedy.performer == .store else { return false }
    if remedy == .sync, !isToBeTriedAgain {
      if case .unsettled(let error) = try await syncNow().outcome { throw error }
      return true
    }
    try await Self.offCaller { [self] in
      defer {
        countSetAside()
        board.refresh()
      }
      try performAtOnce(remedy)
      lookIfUnsettled()
    }
    return true
  }

  /// Looks for problems of the store, present and future ones; each names the remedies that an app can offer.
  ///
  /// While this device syncs, it looks at the file in the folder, also if that could not be opened at launch.
  ///
  /// - Throws: ``/OpenWO/StoreError`` with `noStore` or `unavailable` if there is nothing to look at.
  public func examine() async throws -> [Finding] {
    try await Self.offCaller { [self] in
      try SyncedDatabase.examine(
        path: pathInQuestion.string, configuration: places.configuration(profile))
    }
  }

  /// The file in the folder while this device syncs, also if another one is open.
  private var pathInQuestion: FilePath {
    guard activeStore == .local, syncEnabled, let path = places.synced(profile) else {
      return database.path
    }
    return path
  }

  private func performAtOnce(_ remedy: Remedy) throws {
    switch remedy {
    case .unlock: _ = try database.unlock()
    case .discardEdit: _ = try database.unlock(UnlockRequest(discard: true))
    case .endLock(let lock): _ = try database.unlock(UnlockRequest(force: lock.id))
    case .restore(let version): _ = try database.restore(version)
    case .merge(let version):
      _ = try database.merge(.version(version), MergeRequest(rules: profile.mergeRules))
    case .repair:
      _ = try SyncedDatabase.repair(
        path: pathInQuestion.string, configuration: places.configuration(profile))
      try openAgain(syncing: true)
    case .sync: try openAgain(syncing: true)
    case .tryAgain, .lookAgain, .chooseVersion, .makeStore, .chooseFile, .closeOtherPrograms,
      .waitForService, .checkFolder, .freeSpace, .allowAccess, .update, .correctCall:
      break
    }
  }
}
