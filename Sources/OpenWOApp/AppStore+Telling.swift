import OpenWO
import SystemPackage

/// Texts for the app's user, and what the user can do.
extension AppStore {
  /// The text to show after a failed call of the store: what happened, and whether a restart helps.
  ///
  /// It checks whether the folder is still there, within the limit of the places.
  public func explain(_ error: any Error, _ language: Language) async -> String {
    let texts = Catalogue(language, profile.wording)
    guard let error = error as? StoreError else { return texts[.failed] }
    guard let kind = SyncErrorKind(error.code) else { return texts.message(for: error) }
    if activeStore == .synced, [.serviceUnavailable, .notAuthenticated].contains(kind) {
      board.found(
        await TimedLook.look(
          at: places.folder?.string, places.folderProbe, limit: places.probeLimit
        ) { [board] in board.found($0) })
    }
    note(error)
    let state = await syncState
    return state.restartReason == .folderGone ? texts[.folderGone] : texts.message(for: error)
  }

  /// Merges the sides that were set aside, keeping the rows of both; returns the number of sides.
  ///
  /// - Throws: ``/OpenWO/StoreError`` with `mergeRefused` if the rows cannot be merged, `locked` while
  ///   somebody has the lock.
  @discardableResult
  public func bringIn() async throws -> Int {
    try await Self.offCaller { [self] in
      defer {
        countSetAside()
        board.refresh()
      }
      let sides = try database.setAside()
      for side in sides {
        _ = try database.merge(.version(side.version), MergeRequest(rules: profile.mergeRules))
      }
      lookIfUnsettled()
      return sides.count
    }
  }

  /// Counts the rows of the sides that lost to a later writer.
  func countSetAside() {
    guard activeStore == .synced, let sides = try? database.setAside() else { return }
    board.note(setAside: sides.changeCount)
  }

  /// Tries again every few seconds what a busy file prevented at launch.
  func tryAgainLater() {
    let task = Task { [weak self] in
      while !Task.isCancelled, self?.isBusyFolder == true {
        try? await Task.sleep(for: .seconds(5))
        guard !Task.isCancelled, let self else { return }
        try? await Self.offCaller {
          self.tryAgain()
          self.board.refresh()
        }
      }
    }
    follow(task)
  }
}
