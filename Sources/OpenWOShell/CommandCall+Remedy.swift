import OpenWO

/// The remedies as calls of the command; without a `default`, so that a new remedy has to have one or none.
extension CommandCall {
  func line(_ remedy: Remedy) -> String? {
    switch remedy {
    case .lookAgain: openwo("status")
    case .sync: openwo("sync")
    case .unlock: openwo("unlock")
    case .discardEdit: openwo("unlock --discard")
    case .endLock(let lock): openwo("unlock --force \(lock.id)")
    case .restore(let version): openwo("restore", version.short)
    case .merge(let version): openwo("merge", version.short)
    case .chooseVersion: openwo("history")
    case .repair: openwo("doctor --repair")
    case .makeStore: openwo("init --create")
    case .update: "openwo --version"
    case .tryAgain, .chooseFile, .closeOtherPrograms, .waitForService, .checkFolder, .freeSpace,
      .allowAccess, .correctCall:
      nil
    }
  }
}
