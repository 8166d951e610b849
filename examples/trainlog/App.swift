import Foundation
import OpenWOApp

/// The app: each verb is one read or one write, and something shown.
struct App {
  let store: AppStore
  let clock: () -> Date

  func perform(_ words: Words) async throws {
    switch words.verb {
    case .list: Screen.show(try await log(), try await settings())
    case .log: try await log(words)
    case .delete:
      let id = try words.first("delete which workout?")
      try await store.database.write { db in try Workout.delete(id, in: db) }
    case .favorite:
      let (id, time) = (try words.first("favour what?"), stamp())
      let isFavorite = try await store.database.write { db in
        try FavoriteExerciseStore(db).toggle(id, at: time)
      }
      Screen.line(isFavorite ? "\(id) is a favourite" : "\(id) is no favourite any more")
    case .unit:
      let (unit, time) = (try WeightUnit(named: words.first("kg or lb?")), stamp())
      try await store.database.write { db in try SettingsStore(db).update(unit, at: time) }
    case .export: try await export(words)
    case .legacy: try await takeOver(words)
    case .status:
      for row in SyncSection(await store.syncState, TrainLog.profile, words.language).rows {
        Screen.line(row.value.map { "\(row.title): \($0)" } ?? row.title)
      }
    }
    if words.verb != .status, let warning = await warning(words.language) { Screen.note(warning) }
  }

  private func log() async throws -> [Workout] {
    try await store.database.read { db in try Workout.all(in: db) }
  }

  private func settings() async throws -> WeightUnit {
    try await store.database.read { db in try SettingsStore(db).unit }
  }

  private func log(_ words: Words) async throws {
    let exercise = try words.first("log what?")
    let (time, note) = (stamp(), words.note)
    let sets = words.rest.dropFirst()
    let workout = try await store.database.write { db in
      let unit = try SettingsStore(db).unit
      let entries = try sets.map { try ExerciseSet($0, of: exercise, in: unit, at: time) }
      return try Workout.log(entries, note: note, at: time, in: db)
    }
    Screen.line("logged \(workout.id)")
  }

  /// Writes what the open file has, whichever that is; while somebody has it locked, the state from before.
  private func export(_ words: Words) async throws {
    let state = await store.syncState
    let now = clock()
    let export = try await store.database.read { db in
      try Export(of: db, at: now, mayBeStale: state.mayBeStale)
    }
    let path = words.output ?? Export.fileName(at: now)
    try export.json().write(to: URL(fileURLWithPath: path), options: .withoutOverwriting)
    Screen.line("exported to \(path)")
    if state.mayBeStale { Screen.note(Catalogue(words.language, .iCloud)[.mayBeStale]) }
  }

  /// Once: afterwards the old settings are neither read nor written.
  private func takeOver(_ words: Words) async throws {
    guard store.values["legacyMigrated"] == nil else { return }
    guard let path = words.from else { throw Mistake("from where? name the file with --from") }
    let legacy = try JSONDecoder().decode(
      Legacy.self, from: Data(contentsOf: URL(fileURLWithPath: path)))
    let time = stamp()
    try await store.database.write { db in try legacy.fillIn(db, at: time) }
    try store.values.set("legacyMigrated", true)
  }

  /// What has to be said whatever was asked: data on this device only can be lost.
  private func warning(_ language: Language) async -> String? {
    let state = await store.syncState
    let texts = Catalogue(language, TrainLog.profile.wording)
    return state.activeStore == .local ? texts[.onlyOnThisDevice] : nil
  }

  private func stamp() -> String { clock().formatted(.iso8601) }
}

extension Words {
  func first(_ question: String) throws -> String {
    guard let word = rest.first else { throw Mistake(question) }
    return word
  }
}

/// Something that the person asked for and that cannot be.
struct Mistake: Error, CustomStringConvertible, Hashable {
  let description: String

  init(_ description: String) {
    self.description = description
  }
}
