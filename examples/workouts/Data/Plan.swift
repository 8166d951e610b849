import ExampleShared
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

/// Editing a plan; what was logged keeps its exercise.
extension Plan {
  /// Puts an exercise into a workout, as `3x8`, or changes how much of it is asked for.
  static func set(
    _ exercise: String, _ amount: String, of workout: Workout, in db: Connection
  ) throws {
    let numbers = amount.split(separator: "x").compactMap { Int($0) }
    guard numbers.count == 2, numbers.allSatisfy({ $0 > 0 }) else {
      throw Mistake(en: "'\(amount)' is no amount, such as 3x8", ja: "「\(amount)」は量ではありません。例：3x8")
    }
    let id = try self.exercise(exercise, in: db)
    let changed = try db.execute(
      "UPDATE workoutExercise SET sets = ?3, target = ?4 WHERE workoutId = ?1 AND exerciseId = ?2",
      workout.id, id, numbers[0], numbers[1])
    if changed > 0 { return }
    try db.execute(
      """
      INSERT INTO workoutExercise (workoutId, exerciseId, position, sets, target)
      SELECT ?1, ?2, coalesce(max(position), 0) + 1, ?3, ?4
      FROM workoutExercise WHERE workoutId = ?1
      """, workout.id, id, numbers[0], numbers[1])
  }

  /// Takes an exercise out of a workout in which nobody has logged it.
  static func remove(_ exercise: String, of workout: Workout, in db: Connection) throws {
    let id = try self.exercise(exercise, in: db)
    let isLogged = try db.value(
      """
      SELECT EXISTS (SELECT 1 FROM exerciseLog JOIN workoutExercise AS planned
        ON planned.id = workoutExerciseId WHERE workoutId = ? AND exerciseId = ?)
      """, workout.id, id, as: Bool.self)
    if isLogged == true {
      throw Mistake(
        en: "'\(exercise)' was logged in '\(workout.name)' and stays in its plan",
        ja: "「\(exercise)」は「\(workout.name)」で記録済みのため、計画から外せません。")
    }
    let removed = try db.execute(
      "DELETE FROM workoutExercise WHERE workoutId = ? AND exerciseId = ?", workout.id, id)
    if removed == 0 {
      throw Mistake(
        en: "'\(exercise)' is not in '\(workout.name)'",
        ja: "「\(exercise)」は「\(workout.name)」にありません。")
    }
  }

  private static func exercise(_ name: String, in db: Connection) throws -> Int64 {
    let found = try db.value(
      "SELECT id FROM exercise WHERE name = ? COLLATE NOCASE", name, as: Int64.self)
    guard let found else {
      throw Mistake(
        en: "there is no exercise called '\(name)'", ja: "「\(name)」という種目はありません。")
    }
    return found
  }
}
