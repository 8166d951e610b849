import OpenWOApp

/// The app: each verb is one read or one write of the store, and something shown.
struct App {
  let app: AppStore
  let screen: Screen

  var store: SyncedDatabase { app.database }

  func perform(_ words: Words) async throws {
    switch words.verb {
    case .list, .show, .sessions: try await look(words)
    case .log: try await log(words)
    case .challenge:
      let date = words.rest.first
      screen.show(try await store.write { db in try Challenge.completeSet(on: date, in: db) })
    case .status: screen.show(await app.syncState, words.language)
    case .run: try await stayOpen(loggingEvery: words.every)
    case .lock:
      let note = words.rest.isEmpty ? nil : words.rest.joined(separator: " ")
      let request = LockRequest(note: note, outlivesProcess: true, program: "workouts")
      screen.show(try store.lock(request))
    case .unlock: screen.show(try store.unlock(UnlockRequest(discard: words.discard)))
    }
  }

  /// Reading works at any time: while somebody holds the lock it shows the state from before.
  private func look(_ words: Words) async throws {
    if let lock = try store.lockReport()?.lock { screen.warn(of: lock) }
    switch words.verb {
    case .show:
      let name = words.rest.joined(separator: " ")
      screen.show(try await store.read { db in try Plan(named: name, in: db) })
    case .sessions: screen.show(try await store.read { db in try Session.latest(20, in: db) })
    default: screen.show(try await store.read { db in try Workout.all(in: db) })
    }
  }

  private func log(_ words: Words) async throws {
    guard let name = words.rest.first else { throw Mistake("log what? name a workout") }
    let outcomes = try words.rest.dropFirst().map(Outcome.init)
    let seconds = words.minutes * 60
    let feedback = words.feedback
    let session = try await store.write { db in
      try Session.log(
        Plan(named: name, in: db), outcomes, durationSeconds: seconds, feedback: feedback, in: db)
    }
    screen.show(logged: session)
  }
}

/// Something that the person asked for and that cannot be.
struct Mistake: Error, CustomStringConvertible, Hashable {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
