import Foundation
import OpenWOApp

/// What the app kept in `UserDefaults` before it had a database; read once, never written.
struct Legacy {
  /// An exercise as the app from before wrote it.
  struct OldExercise: Decodable {
    let id: String?
    let name: String
    let defaultWeight: Double?
  }

  /// A workout as the app from before wrote it.
  struct OldWorkout: Decodable {
    let id: String?
    let name: String
    let startedAt: String?
    let completedAt: String?
    let entries: [Workout.Entry]?
  }

  let exercises: [OldExercise]
  let workouts: [OldWorkout]

  /// Reads a property list in which both are data with JSON; nil when there is none.
  init?(at path: String) throws {
    guard let file = FileManager.default.contents(atPath: path),
      let list = try PropertyListSerialization.propertyList(from: file, format: nil)
        as? [String: Any]
    else { return nil }
    func read<Old: Decodable>(_ key: String) throws -> [Old] {
      guard let data = list[key] as? Data else { return [] }
      return try JSONDecoder().decode([Old].self, from: data)
    }
    exercises = try read("buff_stuff_exercises")
    workouts = try read("buff_stuff_workouts")
  }

  /// Where the app from before has them.
  static var usualPath: String {
    let name = "\(BuffStuff.profile.app).plist"
    #if os(Linux)
      let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
      return "\(home)/.config/\(name)"
    #else
      return NSString("~/Library/Preferences/\(name)").expandingTildeInPath
    #endif
  }

  /// Adds what is not here yet.
  func fillIn(_ db: Connection, on device: String, at time: String) throws {
    for old in exercises {
      try db.execute(
        """
        INSERT OR IGNORE INTO exercise (id, name, defaultWeight, createdAt, modifiedAt)
        VALUES (?1, ?2, ?3, ?4, ?4)
        """, old.id ?? UUID().uuidString, old.name, old.defaultWeight ?? 0, time)
    }
    for old in workouts {
      let json = String(decoding: try JSONEncoder().encode(old.entries ?? []), as: UTF8.self)
      try db.execute(
        """
        INSERT OR IGNORE INTO workout (id, name, startedAt, completedAt, entriesJSON, modifiedAt, device)
        VALUES (?, ?, ?, ?, ?, ?, ?)
        """, old.id ?? UUID().uuidString, old.name, old.startedAt ?? time, old.completedAt ?? time,
        json, time, device)
    }
  }
}
