import ExampleShared
import Foundation
import OpenWOApp

/// The app: each verb is one read or one write, and something shown.
struct App {
  let store: AppStore
  let clock: () -> Date
  var screen = Screen(language: .en)
  /// The settings of the app from before.
  var settings = EarlierSettings.path(of: TrainLog.profile.app)

  func perform(_ words: Words) async throws {
    // First import what this device has written without its folder.
    _ = await store.attachment()
    let earlier = await store.bringOver(LegacyStore.file) { old, new in
      try LegacyStore(old).fillIn(new)
    }
    screen.texts.broughtOver(earlier).map(screen.note)
    try await takeOverOnce(words)
    switch words.verb {
    case .list: try await list()
    case .log: try await log(words)
    case .edit: try await edit(words)
    case .delete: try await delete(words)
    case .favorite: try await favor(words)
    case .favorites: screen.show(favorites: try await favorites())
    case .unit: try await changeUnit(words)
    case .export: try await export(words)
    case .import: try await bringBack(words)
    case .legacy: if words.from == nil { throw screen.mistake(.noSource) }
    case .bringIn: screen.terminal.line(screen.texts.broughtIn(try await store.bringIn()))
    case .status: screen.terminal.show(await store.syncState)
    }
    if words.verb != .status { await warn() }
  }

  private func list() async throws {
    let workouts = try await log()
    screen.show(workouts, try await unit())
    shown.ids = workouts.map(\.id)
  }

  /// The workouts as the person has seen them last.
  private var shown: ShownWorkouts { ShownWorkouts(values: store.values) }

  private func log() async throws -> [Workout] {
    try await store.database.read { db in try Workout.all(in: db) }
  }

  private func unit() async throws -> WeightUnit {
    try await store.database.read { db in try SettingsStore(db).unit }
  }

  private func favorites() async throws -> [String] {
    try await store.database.read { db in try FavoriteExerciseStore(db).all }
  }

  func stamp() -> String { clock().formatted(.iso8601) }

  /// The warnings that are shown with every verb.
  private func warn() async {
    let state = await store.syncState
    if state.activeStore == .local { screen.note(screen.texts[.onlyOnThisDevice]) }
    screen.terminal.warn(state)
  }
}

/// Workouts and favourites.
extension App {
  private func log(_ words: Words) async throws {
    guard let exercise = words.rest.first else { throw screen.mistake(.noExercise) }
    let (time, note) = (stamp(), words.note ?? "")
    let sets = words.rest.dropFirst()
    guard !sets.isEmpty else { throw screen.mistake(.noSets) }
    try await store.database.write { db in
      let unit = try SettingsStore(db).unit
      let entries = try sets.map { try ExerciseSet($0, of: exercise, in: unit, at: time) }
      _ = try Workout.log(entries, note: note, at: time, in: db)
    }
    screen.line(.logged(exercise))
  }

  /// Other sets of an exercise, another note, or both.
  private func edit(_ words: Words) async throws {
    let (time, note, rest, shown) = (stamp(), words.note, words.rest, shown)
    let nothing = screen.mistake(.nothingToChange)
    guard rest.count > 1 || note != nil else { throw nothing }
    guard let word = rest.first else { throw screen.mistake(.noWorkout) }
    try await store.database.write { db in
      let workout = try shown.workout(word, in: db)
      var sets = rest.dropFirst()
      let named = sets.first.flatMap { workout.exercises.contains($0) ? sets.removeFirst() : nil }
      guard !sets.isEmpty || note != nil else { throw nothing }
      let unit = try SettingsStore(db).unit
      if !sets.isEmpty {
        let exercise = try workout.exercise(named)
        let new = try sets.map { try ExerciseSet($0, of: exercise, in: unit, at: time) }
        try workout.change(new, of: exercise, in: db)
      }
      if let note { try workout.change(note: note, in: db) }
    }
    screen.line(.changed)
  }

  private func delete(_ words: Words) async throws {
    guard let word = words.rest.first else { throw screen.mistake(.noWorkout) }
    let shown = shown
    try await store.database.write { db in
      try Workout.delete(shown.workout(word, in: db).id, in: db)
    }
    screen.line(.deleted)
  }

  private func favor(_ words: Words) async throws {
    guard let id = words.rest.first else { throw screen.mistake(.noFavoriteNamed) }
    let time = stamp()
    let isFavorite = try await store.database.write { db in
      try FavoriteExerciseStore(db).toggle(id, at: time)
    }
    screen.line(isFavorite ? .favorite(id) : .noFavorite(id))
  }

  private func changeUnit(_ words: Words) async throws {
    let (unit, time) = (try WeightUnit(named: words.rest.first ?? ""), stamp())
    try await store.database.write { db in try SettingsStore(db).update(unit, at: time) }
    screen.line(.unit(unit.rawValue))
  }
}

/// Export and import.
extension App {
  /// Writes what the open file has, whichever that is; while somebody has it locked, the state from before.
  private func export(_ words: Words) async throws {
    let state = await store.syncState
    let now = clock()
    let export = try await store.database.read { db in
      try Export(of: db, at: now, mayBeStale: state.mayBeStale)
    }
    let names = words.output.map { [$0] } ?? Export.fileNames(at: now)
    guard let path = names.first(where: { !FileManager.default.fileExists(atPath: $0) }) else {
      throw screen.mistake(.isThere(names[0]))
    }
    try export.json().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    screen.line(.exported(path))
    state.staleness.map { screen.note(screen.texts[$0]) }
  }

  /// Takes over an export; what is here already stays as it is.
  private func bringBack(_ words: Words) async throws {
    guard let path = words.rest.first else { throw screen.mistake(.noSource) }
    let time = stamp()
    guard let data = FileManager.default.contents(atPath: path) else {
      throw screen.mistake(.notThere(path))
    }
    guard let export = try? Export(json: data) else { throw screen.mistake(.noExport(path)) }
    let count = try await store.database.write { db in try export.fillIn(db, at: time) }
    screen.line(.imported(count))
  }

  /// Once: afterwards the old settings are neither read nor written.
  private func takeOverOnce(_ words: Words) async throws {
    let known = store.values["legacyMigrated"]?.bool
    guard known == nil || known == false && words.from != nil else { return }
    let path = words.from ?? settings
    let isThere = FileManager.default.fileExists(atPath: path)
    guard isThere || words.from != nil else { return }
    guard isThere, let legacy = try? Legacy(of: Data(contentsOf: URL(fileURLWithPath: path))) else {
      if words.from != nil { throw screen.mistake(.noSettings(path)) }
      // It is as it was, and nobody is kept from the log by it.
      screen.note(Line.noSettings(path).words[screen.language])
      return try store.values.set("legacyMigrated", false)
    }
    let time = stamp()
    do {
      try await store.database.write { db in try legacy.fillIn(db, at: time) }
      try store.values.set("legacyMigrated", true)
    } catch StoreError.Code.locked where words.verb != .legacy {
      // The next start tries again, and reading works meanwhile.
    }
  }
}
