import ExampleShared
import OpenWOApp

/// What a person sees when a verb fails, and the ways out.
extension App {
  /// Does what was asked for, again after each error that the person finds a way out of; returns the
  /// status of the program.
  func status(of words: Words) async -> Int32 {
    while true {
      do {
        try await perform(words)
        return 0
      } catch let mistake as Mistake {
        screen.note(mistake.words[screen.language])
        return 1
      } catch {
        let status = await tell(error)
        guard await isToBeginAgain(after: error) else { return status }
      }
    }
  }

  private func tell(_ error: any Error) async -> Int32 {
    if let error = error as? StoreError, error.code == .locked, let lock = error.lock {
      // While somebody holds the lock nothing is written, but reading works.
      screen.offerReading(lock)
      return 11
    }
    screen.tell(error, await app.explain(error, screen.language))
    return 1
  }

  private func isToBeginAgain(after error: any Error) async -> Bool {
    let texts = Catalogue(screen.language, Workouts.profile(screen.path).wording)
    let buttons = buttons ?? Buttons(screen.language)
    do {
      return try await buttons.offer(after: error, texts, app, say: screen.note)
    } catch {
      screen.tell(error, await app.explain(error, screen.language))
      return false
    }
  }
}
