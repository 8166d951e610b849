import Foundation
import OpenWOApp

/// The app: each verb is one read or one write; what is whole is published at once.
struct App {
  let store: AppStore
  var clock: @Sendable () -> Date = { Date() }

  func perform(_ words: Words) async throws {
    switch words.verb {
    case .list: try await list()
    case .add:
      let weight = words.rest.dropFirst().first.flatMap(Double.init) ?? 0
      try await addExercise(words.first("add what?"), weight: weight)
    case .delete: try await deleteExercise(words.first("delete what?"))
    case .start: try await startWorkout(words.first("start what?"))
    case .set:
      try await logSet(words.first("which exercise?"), reps: words.rest.last.flatMap(Int.init))
    case .finish: try await finishWorkout()
    case .sync: try await store.syncNow()
    case .on, .off:
      try await store.setSyncEnabled(words.verb == .on)
      try await settings(words.language)
    case .settings: try await settings(words.language)
    }
  }

  private func list() async throws {
    let shown = try await store.database.read { db in
      try Exercise.all(in: db).map { "\($0.name) \($0.defaultWeight) kg" }
        + Workout.all(in: db).map {
          "\($0.name): \($0.entries.count) sets\($0.isActive ? ", now" : "")"
        }
    }
    for line in shown { print(line) }
  }

  private func settings(_ language: Language) async throws {
    for row in SyncSection(await store.syncState, BuffStuff.profile, language).rows {
      print(row.value.map { "\(row.title): \($0)" } ?? row.title)
    }
  }
}

/// Exercises: every change goes out at once.
extension App {
  func addExercise(_ name: String, weight: Double) async throws {
    let time = stamp()
    try await store.database.write { db in
      try Exercise(name: name, weight: weight, at: time).insert(into: db)
    }
    try publish()
  }

  func deleteExercise(_ name: String) async throws {
    let time = stamp()
    try await store.database.write { db in try Exercise.delete(name, at: time, in: db) }
    try publish()
  }

  func changeExercise(_ name: String, weight: Double) async throws {
    let time = stamp()
    try await store.database.write { db in
      try Exercise.change(name, weight: weight, at: time, in: db)
    }
    try publish()
  }
}

/// The workout that is going on: sets wait for each other, its end goes out at once.
extension App {
  func startWorkout(_ name: String) async throws {
    let (time, device) = (stamp(), try thisDevice())
    try await store.database.write { db in
      try Workout.start(name, on: device, at: time, in: db)
    }
  }

  func logSet(_ exercise: String, reps: Int?) async throws {
    guard let reps, reps > 0 else { throw Mistake("how many? such as: set Squat 5") }
    let (time, device) = (stamp(), try thisDevice())
    try await store.database.write { db in
      var workout = try Workout.active(on: device, in: db)
      workout.entries.append(.init(exercise: exercise, reps: reps))
      try workout.update(at: time, in: db)
    }
  }

  func finishWorkout() async throws {
    let (time, device) = (stamp(), try thisDevice())
    try await store.database.write { db in
      var workout = try Workout.active(on: device, in: db)
      workout.completedAt = time
      try workout.update(at: time, in: db)
    }
    try publish()
  }

  private func publish() throws { try store.database.publish() }

  private func thisDevice() throws -> String {
    if let known = store.values["deviceID"]?.text { return known }
    let made = UUID().uuidString
    try store.values.set("deviceID", made)
    return made
  }

  private func stamp() -> String {
    clock().formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
