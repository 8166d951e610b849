import ExampleShared
import Foundation
import OpenWOApp

/// The app: each verb is one read or one write; what is whole is published at once.
struct App {
  let store: AppStore
  var terminal = Terminal("buffstuff", BuffStuff.profile, .en)
  var clock: @Sendable () -> Date = { Date() }
  /// The settings of the app from before it had a database.
  var settings = EarlierSettings.path(of: BuffStuff.profile.app)

  func perform(_ words: Words) async throws {
    // First import what this device has written without its folder.
    _ = await store.attachment()
    try await takeOverOnce()
    switch words.verb {
    case .list: try await list()
    case .add: try await addExercise(words.name(), weight: words.weight(at: 1) ?? 0)
    case .edit:
      guard let weight = try words.weight(at: 1) else {
        throw Mistake(
          en: "name the new weight, such as: edit Squat 82.5",
          ja: "新しい重量を指定してください。例：edit Squat 82.5")
      }
      let new = words.rest.count > 2 ? words.rest[2] : nil
      try await changeExercise(words.name(), weight: weight, name: new)
    case .delete: try await deleteExercise(words.name())
    case .purge: try await purge(days: words.days())
    case .start: try await startWorkout(words.name())
    case .set:
      let reps = words.rest.dropFirst().first.flatMap(Int.init)
      try await logSet(words.name(), reps: reps, weight: words.weight(at: 2))
    case .finish: try await finishWorkout(words.rest.first)
    case .sync: try await sync()
    case .bringIn: terminal.line(terminal.texts.broughtIn(try await store.bringIn()))
    case .on, .off:
      try await store.setSyncEnabled(words.verb == .on)
      terminal.show(await store.syncState)
    case .settings: terminal.show(await store.syncState)
    }
    if words.verb != .settings { terminal.warn(await store.syncState) }
  }

  /// The button; while the file of this device is open there is nothing to look at, and the section says why.
  private func sync() async throws {
    guard store.activeStore == .synced else {
      terminal.show(await store.syncState)
      throw Mistake(
        en: "this device keeps its data for itself now, so nothing was synced",
        ja: "データはこの端末内だけに保存されているため、同期していません。")
    }
    try await store.syncNow()
    terminal.show(await store.syncState)
  }

  private func list() async throws {
    let (exercises, workouts) = try await store.database.read { db in
      (try Exercise.all(in: db), try Workout.all(in: db))
    }
    if exercises.isEmpty && workouts.isEmpty {
      terminal.line(Translated(en: "no exercises yet", ja: "種目はまだありません"))
    }
    for exercise in exercises { terminal.line("\(exercise.name) \(exercise.defaultWeight) kg") }
    for workout in workouts {
      let count = workout.entries.count
      let words = Translated(en: count == 1 ? "1 set" : "\(count) sets", ja: "\(count)セット")[
        terminal.language]
      let now = Translated(en: ", now", ja: "、実施中")[terminal.language]
      terminal.line("\(workout.name): \(words)\(workout.isActive ? now : "")")
      for entry in workout.entries where workout.isActive { terminal.line("  \(entry.text)") }
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

  func changeExercise(_ name: String, weight: Double, name new: String? = nil) async throws {
    let time = stamp()
    try await store.database.write { db in
      try Exercise.change(name, weight: weight, name: new, at: time, in: db)
    }
    try publish()
  }

  private func purge(days: Int) async throws {
    let time = text(of: clock().addingTimeInterval(-Double(days) * 86_400))
    let count = try await store.database.write { db in
      try Exercise.purge(deletedBefore: time, in: db)
    }
    terminal.line(Translated(en: "\(count) removed", ja: "\(count)件を完全に削除しました"))
  }

  /// Once: what the app kept in its settings before it had a database.
  private func takeOverOnce() async throws {
    guard store.values["legacyMigrated"] == nil,
      FileManager.default.fileExists(atPath: settings)
    else { return }
    do {
      let legacy = try Legacy(EarlierSettings(readable: settings))
      let (time, device) = (stamp(), try thisDevice())
      try await store.database.write { db in try legacy.fillIn(db, on: device, at: time) }
      try store.values.set("legacyMigrated", true)
      try publish()
    } catch  where error is DecodingError || error is EarlierSettings.Unreadable {
      // It is as it was, for a version of the app that can read it.
      terminal.note(terminal.texts.broughtOver(.unknown(settings)) ?? settings)
      try store.values.set("legacyMigrated", false)
    } catch StoreError.Code.locked {
      // The next start tries again, and reading works meanwhile.
    }
  }
}

/// The active workout: its sets are published together, its end at once.
extension App {
  func startWorkout(_ name: String) async throws {
    let (time, device) = (stamp(), try thisDevice())
    try await store.database.write { db in
      try Workout.start(name, on: device, at: time, in: db)
    }
  }

  func logSet(_ exercise: String, reps: Int?, weight: Double? = nil) async throws {
    guard let reps, reps > 0 else {
      throw Mistake(en: "how many? such as: set Squat 5", ja: "回数を指定してください。例：set Squat 5")
    }
    let (time, device) = (stamp(), try thisDevice())
    try await store.database.write { db in
      var workout = try Workout.active(on: device, in: db)
      let known = try Exercise.named(exercise, in: db)
      workout.entries.append(
        .init(exercise: exercise, reps: reps, weight: weight ?? known.defaultWeight))
      try workout.update(at: time, in: db)
    }
  }

  /// Ends the workout of this device; with a name one of any device, as after a reinstallation.
  func finishWorkout(_ name: String? = nil) async throws {
    let (time, device) = (stamp(), try thisDevice())
    try await store.database.write { db in
      var workout =
        try name.map { try Workout.active(named: $0, in: db) }
        ?? Workout.active(on: device, in: db)
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

  private func stamp() -> String { text(of: clock()) }

  private func text(of time: Date) -> String {
    time.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
  }
}
