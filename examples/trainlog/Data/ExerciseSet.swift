import Foundation
import OpenWOApp

/// One set of an exercise; weights are in kilograms, whatever they are shown in.
struct ExerciseSet: RowDecodable, Hashable {
  let id: String
  var workoutId = ""
  let exerciseId: String
  let weight: Double?
  let reps: Int?
  let durationSeconds: Int?
  let rpe: Double?
  let createdAt: String

  init(row: borrowing Row) throws {
    id = try row.get("id")
    workoutId = try row.get("workoutId")
    exerciseId = try row.get("exerciseId")
    weight = try row.get("weight")
    reps = try row.get("reps")
    durationSeconds = try row.get("durationSeconds")
    rpe = try row.get("rpe")
    createdAt = try row.get("createdAt")
  }

  /// Reads a word such as `80x5`, the weight being in the person's unit.
  init(_ word: String, of exercise: String, in unit: WeightUnit, at time: String) throws {
    let parts = word.split(separator: "x")
    guard parts.count == 2, let weight = Double(parts[0]), let reps = Int(parts[1]),
      weight.isFinite, weight >= 0, reps > 0
    else { throw Mistake("'\(word)' is no set, such as 80x5") }
    id = UUID().uuidString
    exerciseId = exercise
    self.weight = unit.kilograms(weight)
    self.reps = reps
    (durationSeconds, rpe, createdAt) = (nil, nil, time)
  }

  static func all(in db: Connection) throws -> [ExerciseSet] {
    try db.rows("SELECT * FROM exerciseSet ORDER BY workoutId, position, id", as: ExerciseSet.self)
  }

  func insert(into db: Connection, workout: String, position: Int) throws {
    try db.execute(
      """
      INSERT INTO exerciseSet
        (id, workoutId, position, exerciseId, weight, reps, durationSeconds, rpe, createdAt)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)
      """, id, workout, position, exerciseId, weight, reps, durationSeconds, rpe, createdAt)
  }
}

extension ExerciseSet: Encodable {
  private enum Key: String, CodingKey {
    case id, exerciseId, weight, reps, durationSeconds, rpe, createdAt
  }

  /// Every key is there, also where there is no value.
  func encode(to encoder: any Encoder) throws {
    var keyed = encoder.container(keyedBy: Key.self)
    try keyed.encode(id, forKey: .id)
    try keyed.encode(exerciseId, forKey: .exerciseId)
    try keyed.encode(weight, forKey: .weight)
    try keyed.encode(reps, forKey: .reps)
    try keyed.encode(durationSeconds, forKey: .durationSeconds)
    try keyed.encode(rpe, forKey: .rpe)
    try keyed.encode(createdAt, forKey: .createdAt)
  }
}
