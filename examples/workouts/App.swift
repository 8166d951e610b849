import ExampleShared
import OpenWOApp

/// The app: each verb is one read or one write of the store, and something shown.
struct App {
  let app: AppStore
  let screen: Screen
  var buttons: Buttons?

  var store: SyncedDatabase { app.database }

  func perform(_ words: Words) async throws {
    // First import what this device has written without its folder; an app that stays open reports
    // it when it arrives.
    if words.verb != .run { screen.tell(await app.attachment()) }
    let earlier = await app.bringOver(LegacyStore.file) { old, new in
      try LegacyStore(old, into: new).fillIn()
    }
    screen.tell(earlier)
    switch words.verb {
    case .list, .show, .sessions: try await look(words)
    case .log: try await log(words)
    case .plan, .unplan: try await plan(words)
    case .bringIn:
      screen.line(Catalogue(screen.language).broughtIn(try await app.bringIn()))
    case .challenge:
      let date = words.rest.first
      screen.show(try await store.write { db in try Challenge.completeSet(on: date, in: db) })
    case .status: screen.show(await app.syncState)
    case .run: try await stayOpen(loggingEvery: words.every)
    case .lock:
      guard app.activeStore == .synced else {
        throw Mistake(
          en: "the folder cannot be used now, so there is no file to edit; lock when it is back",
          ja: "フォルダが使えないため、編集できるファイルがありません。使えるようになってからロックしてください。")
      }
      let note = words.rest.isEmpty ? nil : words.rest.joined(separator: " ")
      let request = LockRequest(note: note, outlivesProcess: true, program: "workouts")
      screen.show(try store.lock(request))
    case .unlock:
      guard try store.lockReport() != nil else {
        throw Mistake(en: "nobody has locked it", ja: "ロックされていません。")
      }
      screen.show(try store.unlock(UnlockRequest(discard: words.discard)))
    }
    if words.verb != .status { screen.warn(await app.syncState) }
  }

  /// Reading works at any time: while somebody holds the lock it shows the state from before.
  private func look(_ words: Words) async throws {
    if let lock = try store.lockReport()?.lock { screen.warn(of: lock) }
    switch words.verb {
    case .show:
      guard !words.rest.isEmpty else {
        throw Mistake(
          en: "name a workout, such as: show 1", ja: "ワークアウトを指定してください。例：show 1")
      }
      let name = words.rest.joined(separator: " ")
      screen.show(try await store.read { db in try Plan(named: name, in: db) })
    case .sessions: screen.show(try await store.read { db in try Session.latest(20, in: db) })
    default: screen.show(try await store.read { db in try Workout.all(in: db) })
    }
  }

  private func log(_ words: Words) async throws {
    guard let name = words.rest.first else {
      throw Mistake(en: "log what? name a workout", ja: "ワークアウトを指定してください。")
    }
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

/// The plan of a workout.
extension App {
  private func plan(_ words: Words) async throws {
    let isNew = words.verb == .plan
    guard words.rest.count == (isNew ? 3 : 2) else {
      throw Mistake(
        en: "name a workout and an exercise, such as: plan 1 Squat 3x8",
        ja: "ワークアウトと種目を指定してください。例：plan 1 Squat 3x8")
    }
    let (name, exercise, amount) = (words.rest[0], words.rest[1], words.rest.last ?? "")
    let plan = try await store.write { db in
      let workout = try Workout.named(name, in: db)
      if isNew {
        try Plan.set(exercise, amount, of: workout, in: db)
      } else {
        try Plan.remove(exercise, of: workout, in: db)
      }
      return try Plan(of: workout, in: db)
    }
    screen.show(plan)
  }
}
