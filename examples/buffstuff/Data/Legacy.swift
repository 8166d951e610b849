import ExampleShared
import Foundation
import OpenWOApp

/// The data that the app kept in `UserDefaults` before it had a database; read once, never written.
struct Legacy {
  /// An exercise as the app from before wrote it.
  struct OldExercise: Decodable {
    let id: String?
    let name: String
    let muscleGroup: String?
    let equipment: String?
    let notes: String?
    let isFavorite: Bool?
    let isDeleted: Bool?
    let defaultWeight: Double?
    let defaultReps: Int?
    let weightIncrement: Double?
    let createdAt: Moment?
    let modifiedAt: Moment?
  }

  /// A workout as the app from before wrote it.
  struct OldWorkout: Decodable {
    let id: String?
    let name: String
    let startedAt: Moment?
    let completedAt: Moment?
    let notes: String?
    let entries: [Workout.Entry]?
    let isDeleted: Bool?
    let modifiedAt: Moment?
  }

  /// A date as JSON has it: seconds since 2001, or text.
  struct Moment: Decodable {
    let text: String

    init(from decoder: any Decoder) throws {
      let value = try decoder.singleValueContainer()
      if let text = try? value.decode(String.self) {
        self.text = text
      } else {
        let date = Date(timeIntervalSinceReferenceDate: try value.decode(Double.self))
        text = date.formatted(Date.ISO8601FormatStyle(includingFractionalSeconds: true))
      }
    }
  }

  let exercises: [OldExercise]
  let workouts: [OldWorkout]
  /// The active workout.
  let active: OldWorkout?

  /// Reads what is kept as data with JSON.
  init(_ settings: EarlierSettings) throws {
    exercises = try settings.list("buff_stuff_exercises") ?? []
    workouts = try settings.list("buff_stuff_workouts") ?? []
    active = try settings.json("buff_stuff_active_workout")
  }

  /// Adds what is not here yet; an unfinished workout can be continued.
  func fillIn(_ db: Connection, on device: String, at time: String) throws {
    for old in exercises { try insert(old, at: time, into: db) }
    for old in workouts {
      try insert(old, completedAt: old.completedAt?.text ?? time, device, at: time, into: db)
    }
    let isFree = try Workout.find(on: device, in: db) == nil
    if let active, isFree { try insert(active, completedAt: nil, device, at: time, into: db) }
  }

  private func insert(_ old: OldExercise, at time: String, into db: Connection) throws {
    try db.execute(
      """
      INSERT OR IGNORE INTO exercise VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, old.id ?? UUID().uuidString, old.name, old.muscleGroup ?? "other",
      old.equipment ?? "other", old.notes ?? "", old.isFavorite ?? false, old.isDeleted ?? false,
      old.defaultWeight ?? 0, old.defaultReps ?? 8, old.weightIncrement ?? 2.5,
      old.createdAt?.text ?? time, old.modifiedAt?.text ?? time)
  }

  private func insert(
    _ old: OldWorkout, completedAt: String?, _ device: String, at time: String,
    into db: Connection
  ) throws {
    let json = String(decoding: try JSONEncoder().encode(old.entries ?? []), as: UTF8.self)
    try db.execute(
      "INSERT OR IGNORE INTO workout VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
      old.id ?? UUID().uuidString, old.name, old.startedAt?.text ?? time, completedAt,
      old.notes ?? "", json, old.isDeleted ?? false, old.modifiedAt?.text ?? time, device)
  }
}
