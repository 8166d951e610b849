import FoundationEssentials
import OpenWOApp

/// The templates that a new database begins with, from the JSON files that are built into the app.
struct Seeds {
  struct Exercise: Decodable {
    let name: String
    let measure: String
    let isWeighted: Bool
  }

  struct Workout: Decodable {
    let name: String
    let description: String
    let exercises: [Entry]
  }

  struct Entry: Decodable {
    let exercise: String
    let sets: Int
    let target: Int
  }

  let exercises: [Exercise]
  let workouts: [Workout]

  static func bundled() throws -> Seeds {
    let decoder = JSONDecoder()
    return Seeds(
      exercises: try decoder.decode([Exercise].self, from: Data(PackageResources.exercises_json)),
      workouts: try decoder.decode([Workout].self, from: Data(PackageResources.workouts_json)))
  }

  func insert(into db: Connection) throws {
    for exercise in exercises {
      try db.execute(
        "INSERT INTO exercise (name, measure, isWeighted) VALUES (?, ?, ?)", exercise.name,
        exercise.measure, exercise.isWeighted)
    }
    for workout in workouts {
      try db.execute(
        "INSERT INTO workout (name, description) VALUES (?, ?)", workout.name, workout.description)
      try insert(workout.exercises, of: db.lastInsertRowID, into: db)
    }
  }

  private func insert(_ entries: [Entry], of workout: Int64, into db: Connection) throws {
    for (index, entry) in entries.enumerated() {
      try db.execute(
        """
        INSERT INTO workoutExercise (workoutId, exerciseId, position, sets, target)
        VALUES (?, (SELECT id FROM exercise WHERE name = ?), ?, ?, ?)
        """, workout, entry.exercise, index + 1, entry.sets, entry.target)
    }
  }
}
