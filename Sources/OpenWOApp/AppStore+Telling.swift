import OpenWO
import SystemPackage

/// What the app tells its user, and what the user can do about it.
extension AppStore {
  /// What to show when a call of the store has failed: what happened, and whether a new start helps.
  ///
  /// Looks whether the folder is still there, no longer than the limit of the places.
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

  /// Brings the rows in that were set aside, by a merge that keeps both sides; gives how many sides there were.
  ///
  /// - Throws: ``StoreError`` with `mergeRefused` where the rows cannot be brought together, `locked` while somebody has the lock.
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
      while !Task.isCancelled, self?.isToBeTriedAgain == true {
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
