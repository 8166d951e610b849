public import OpenWOHistory

/// A way out of an error, for an app to offer.
///
/// The product `OpenWOApp` has a label for each in English and Japanese, and `AppStore` performs those
/// that a store can perform. Switch over it with a `default`, as more may come.
public enum Remedy: Sendable, Hashable, Codable {
  /// Do the same again: nothing was changed, and the obstacle ends by itself.
  case tryAgain
  /// Read the data again before anything else, as it may be different by now.
  case lookAgain
  /// Bring the database up to date: ``SyncedDatabase/reconcile(dryRun:)``.
  case sync
  /// End this device's lock and keep the edit: ``SyncedDatabase/unlock(_:)``.
  case unlock
  /// End this device's lock and go back to the state before it.
  case discardEdit
  /// End the lock of another device or program; what was edited there is kept as a version.
  case endLock(StoreLock)
  /// Make this version live: ``SyncedDatabase/restore(_:ifHead:)``.
  case restore(VersionID)
  /// Bring in the rows of this version: ``SyncedDatabase/merge(_:_:)``.
  case merge(VersionID)
  /// Look at the versions, ``SyncedDatabase/history()``, and choose one.
  case chooseVersion
  /// Put back what is missing of the store: ``SyncedDatabase/repair(path:configuration:dryRun:)``.
  case repair
  /// Make a store here: ``SyncedDatabase/open(_:_:_:)-(String,_,_)`` with `createIfMissing`.
  case makeStore
  /// Choose another file.
  case chooseFile
  /// Save and close the other program that has the database open.
  case closeOtherPrograms
  /// Wait until the sync service has brought all files.
  case waitForService
  /// See whether the synced folder is there, and whether the service is signed in.
  case checkFolder
  /// Make room on the disk or in the service's quota.
  case freeSpace
  /// Allow this account to read and write the file or the folder.
  case allowAccess
  /// Update the app: a newer one has written the data.
  case update
  /// Correct the program that made the call: its user cannot.
  case correctCall
}

extension Remedy {
  /// The remedies for a code if nothing more is known, the best one first.
  static func usual(
    for code: StoreError.Code, lock: StoreLock?, version: VersionID?
  ) -> [Remedy] {
    let kept: [Remedy] = version.map { [.merge($0), .restore($0)] } ?? []
    switch code.name {
    case .io, .timeLimit: return [.tryAgain]
    case .noStore: return [.checkFolder, .makeStore]
    case .traces: return [.waitForService, .repair]
    case .locked: return lock.map { $0.remedies(isOurs: false) } ?? [.tryAgain]
    case .busy: return [.closeOtherPrograms, .tryAgain]
    case .notYourLock, .inDoubt, .headMoved: return [.lookAgain]
    case .lockLost, .setAside: return kept + [.lookAgain]
    case .damaged: return [.sync, .chooseVersion]
    case .notADatabase: return [.chooseFile]
    case .newerFormat, .newerSchema: return [.update]
    case .unavailable: return [.waitForService, .tryAgain]
    case .notPermitted: return [.allowAccess, .tryAgain]
    case .otherStore: return [.checkFolder, .chooseFile]
    case .noSpace: return [.freeSpace, .tryAgain]
    case .noSuchVersion: return [.chooseVersion]
    case .notRestorable: return [.waitForService, .chooseVersion]
    case .mergeRefused, .unmerged: return kept + [.chooseVersion]
    case .copyNotWhole: return [.waitForService]
    case .brokenReferences, .nested, .usage, .noSuchProgram: return [.correctCall]
    }
  }
}

extension StoreLock {
  /// How the lock ends.
  func remedies(isOurs: Bool) -> [Remedy] {
    guard isOurs else { return [.tryAgain, .endLock(self)] }
    // The lock of a running program ends with that program.
    return endsWithProcess ? [.tryAgain] : [.unlock, .discardEdit]
  }
}
