import ExampleShared
import OpenWOApp

/// A workout template, as the list shows it.
struct Workout: RowDecodable, Hashable {
  let id: Int64
  let name: String
  let description: String
  let exercises: Int
  let lastDone: String?

  init(row: borrowing Row) throws {
    id = try row.get("id")
    name = try row.get("name")
    description = try row.get("description")
    exercises = try row.get("exercises")
    lastDone = try row.get("lastDone")
  }

  private static let query = """
    SELECT id, name, description,
      (SELECT count(*) FROM workoutExercise WHERE workoutId = workout.id) AS exercises,
      (SELECT max(date) FROM session WHERE sessionType = workout.name) AS lastDone
    FROM workout
    """

  static func all(in db: Connection) throws -> [Workout] {
    try db.rows("\(query) ORDER BY id", as: Workout.self)
  }

  /// The workout with this name or number.
  static func named(_ name: String, in db: Connection) throws -> Workout {
    let sql = "\(query) WHERE name = ?1 COLLATE NOCASE OR CAST(id AS TEXT) = ?1"
    guard let found = try db.row(sql, name, as: Workout.self) else {
      throw Mistake(
        en: "there is no workout called '\(name)'", ja: "「\(name)」というワークアウトはありません。")
    }
    return found
  }
}
