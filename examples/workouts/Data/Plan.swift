import OpenWOApp

/// A workout with its exercises, in their order.
struct Plan: Hashable {
  /// An exercise as a workout asks for it.
  struct Entry: RowDecodable, Hashable {
    /// The row of `workoutExercise`.
    let id: Int64
    let name: String
    let measure: String
    let isWeighted: Bool
    let sets: Int
    let target: Int
    let lastWeight: Double?

    init(row: borrowing Row) throws {
      id = try row.get("id")
      name = try row.get("name")
      measure = try row.get("measure")
      isWeighted = try row.get("isWeighted")
      sets = try row.get("sets")
      target = try row.get("target")
      lastWeight = try row.get("lastWeight")
    }
  }

  let workout: Workout
  let entries: [Entry]

  init(of workout: Workout, in db: Connection) throws {
    self.workout = workout
    entries = try db.rows(
      """
      SELECT planned.id, name, measure, isWeighted, sets, target,
        (SELECT weight FROM exerciseLog
          WHERE workoutExerciseId = planned.id AND weight IS NOT NULL
          ORDER BY exerciseLog.id DESC LIMIT 1) AS lastWeight
      FROM workoutExercise AS planned JOIN exercise ON exercise.id = exerciseId
      WHERE workoutId = ? ORDER BY position, planned.id
      """, workout.id, as: Entry.self)
  }

  /// The workout with this name or number.
  init(named name: String, in db: Connection) throws {
    try self.init(of: Workout.named(name, in: db), in: db)
  }
}
