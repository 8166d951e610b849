import OpenWOApp

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

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

  /// Whether a database has these templates, and nothing else.
  func areUntouched(in db: Connection) throws -> Bool {
    let found = try db.rows(
      """
      SELECT exercise.name, measure, isWeighted, NULL, NULL FROM exercise UNION ALL
      SELECT name, description, 0, NULL, NULL FROM workout UNION ALL
      SELECT workout.name, exercise.name, position, sets, target FROM workoutExercise
        JOIN workout ON workout.id = workoutId JOIN exercise ON exercise.id = exerciseId
      UNION ALL SELECT 'session', date, 0, NULL, NULL FROM session
      UNION ALL SELECT 'challenge', date, 0, NULL, NULL FROM dailyChallenge
      """
    ).map(\.values)
    var made = exercises.map { exercise -> [Value] in
      [.text(exercise.name), .text(exercise.measure), .integer(exercise.isWeighted ? 1 : 0)]
        + [.null, .null]
    }
    made += workouts.map { [.text($0.name), .text($0.description), .integer(0), .null, .null] }
    for workout in workouts {
      for (index, entry) in workout.exercises.enumerated() {
        let numbers = [index + 1, entry.sets, entry.target].map { Value.integer(Int64($0)) }
        made.append([.text(workout.name), .text(entry.exercise)] + numbers)
      }
    }
    return Set(found) == Set(made) && found.count == made.count
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
