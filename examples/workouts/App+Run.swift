import ExampleShared
import OpenWOApp

/// The app left open.
extension App {
  /// Tells what happens to the store, and logs a session now and then when asked, until it is interrupted.
  func stayOpen(loggingEvery seconds: Double?) async throws {
    let events = store.events()
    screen.show(try await store.read { db in try Workout.all(in: db) })
    if let lock = try store.lockReport()?.lock { screen.tell(.locked(lock)) }
    try await withThrowingTaskGroup { group in
      group.addTask { try await follow(events) }
      if let seconds { group.addTask { try await logInTurn(every: .seconds(seconds)) } }
      group.addTask { await Interruption.wait() }
      try await group.next()
      group.cancelAll()
    }
  }

  /// Shows each event, and the workouts again when their rows may have changed.
  private func follow(_ events: AsyncStream<StoreEvent>) async throws {
    for await event in events {
      screen.tell(event)
      switch event {
      case .imported, .settled, .joined, .repaired, .unlocked:
        screen.show(try await store.read { db in try Workout.all(in: db) })
      default: break
      }
    }
  }

  /// Logs one workout after the other.
  ///
  /// While somebody holds the lock nothing is written, and the turn comes again.
  private func logInTurn(every pause: Duration) async throws {
    var turn = 0
    while !Task.isCancelled {
      try await Task.sleep(for: pause)
      do {
        let workout = turn
        let session = try await store.write { db in
          let plans = try Workout.all(in: db)
          guard !plans.isEmpty else {
            throw Mistake(en: "there is no workout left to log", ja: "記録できるワークアウトがありません。")
          }
          let plan = try Plan(of: plans[workout % plans.count], in: db)
          return try Session.log(plan, in: db)
        }
        screen.show(logged: session)
        turn += 1
      } catch StoreError.Code.locked {
        continue
      }
    }
  }
}
