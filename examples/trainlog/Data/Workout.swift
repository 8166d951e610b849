import Foundation
import OpenWOApp

/// A workout that was done, with its sets.
struct Workout: Encodable, Hashable {
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
    guard !sets.isEmpty else { throw Mistake("a workout has one set at least, such as 80x5") }
    let id = UUID().uuidString
    try db.execute("INSERT INTO workout (id, date, note) VALUES (?, ?, ?)", id, time, note)
    for (position, set) in sets.enumerated() {
      try set.insert(into: db, workout: id, position: position)
    }
    return Workout(id: id, date: time, note: note, sets: sets)
  }

  static func delete(_ id: String, in db: Connection) throws {
    guard try db.execute("DELETE FROM workout WHERE id = ?", id) == 1 else {
      throw Mistake("there is no workout \(id)")
    }
  }
}
