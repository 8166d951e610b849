import ExampleShared
import Foundation
import OpenWOApp

/// A workout that was done, with its sets.
struct Workout: Codable, Hashable {
  let id: String
  let date: String
  let note: String
  let sets: [ExerciseSet]

  /// The log, the latest first.
  static func all(in db: Connection) throws -> [Workout] {
    let sets = Dictionary(grouping: try ExerciseSet.all(in: db), by: \.workoutId)
    return try db.rows("SELECT id, date, note FROM workout ORDER BY date DESC, id") { row in
      let id: String = try row.get(0)
      return Workout(id: id, date: try row.get(1), note: try row.get(2), sets: sets[id] ?? [])
    }
  }

  static func log(
    _ sets: [ExerciseSet], note: String, at time: String, in db: Connection
  ) throws -> Workout {
    guard !sets.isEmpty else {
      throw Mistake(
        en: "a workout has one set at least, such as 80x5", ja: "セットを1つ以上指定してください。例：80x5")
    }
    let workout = Workout(id: UUID().uuidString, date: time, note: note, sets: sets)
    try workout.insert(into: db)
    return workout
  }

  func insert(into db: Connection) throws {
    try db.execute("INSERT INTO workout (id, date, note) VALUES (?, ?, ?)", id, date, note)
    for (position, set) in sets.enumerated() {
      try set.insert(into: db, workout: id, position: position)
    }
  }

  /// The exercises done, each once, in their order.
  var exercises: [String] {
    sets.map(\.exerciseId).reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
  }

  /// The exercise that is meant: the one of a name, or the only one.
  func exercise(_ name: String?) throws -> String {
    if let name { return name }
    guard exercises.count == 1, let only = exercises.first else {
      throw Mistake(
        en: "name the exercise, too: \(exercises.joined(separator: ", "))",
        ja: "種目も指定してください：\(exercises.joined(separator: "、"))")
    }
    return only
  }

  /// Puts other sets of one exercise in the place of those that it had.
  ///
  /// A set keeps its id: of two devices that change it the later one counts, and it is not there twice.
  func change(_ new: [ExerciseSet], of exercise: String, in db: Connection) throws {
    let old = sets.filter { $0.exerciseId == exercise }
    for (old, new) in zip(old, new) { try old.change(to: new, in: db) }
    for set in old.dropFirst(new.count) { try set.delete(in: db) }
    for (position, set) in new.enumerated().dropFirst(old.count) {
      try set.insert(into: db, workout: id, position: sets.count + position)
    }
  }

  func change(note: String, in db: Connection) throws {
    try db.execute("UPDATE workout SET note = ? WHERE id = ?", note, id)
  }

  static func delete(_ id: String, in db: Connection) throws {
    guard try db.execute("DELETE FROM workout WHERE id = ?", id) == 1 else {
      throw Mistake(en: "there is no workout \(id)", ja: "ワークアウト\(id)はありません。")
    }
  }
}
