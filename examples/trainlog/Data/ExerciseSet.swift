import ExampleShared
import Foundation
import OpenWOApp

/// One set of an exercise; weights are in kilograms, whatever they are shown in.
struct ExerciseSet: RowDecodable, Hashable {
  let id: String
  var workoutId = ""
  let exerciseId: String
  var weight: Double?
  var reps: Int?
  var durationSeconds: Int?
  var rpe: Double?
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

  /// Reads a word such as `80x5`, `x12`, `60s` or `82,5x5@8.5`, the weight being in the person's unit.
  init(_ word: String, of exercise: String, in unit: WeightUnit, at time: String) throws {
    let mistake = Mistake(
      en: "'\(word)' is no set, such as 80x5, x12, 60s or 82.5x5@8",
      ja: "「\(word)」はセットではありません。例：80x5、x12、60s、82.5x5@8")
    (id, exerciseId, createdAt) = (UUID().uuidString, exercise, time)
    let parts = word.split(separator: "@", omittingEmptySubsequences: false)
    guard parts.count <= 2 else { throw mistake }
    if parts.count == 2 {
      guard let rpe = Self.number(parts[1]), (1...10).contains(rpe) else { throw mistake }
      self.rpe = rpe
    }
    if parts[0].hasSuffix("s") {
      guard let seconds = Int(parts[0].dropLast()), seconds > 0 else { throw mistake }
      durationSeconds = seconds
      return
    }
    let pair = parts[0].split(separator: "x", omittingEmptySubsequences: false)
    guard pair.count == 2, let reps = Int(pair[1]), reps > 0 else { throw mistake }
    self.reps = reps
    if pair[0].isEmpty { return }
    guard let weight = Self.number(pair[0]), weight.isFinite, weight >= 0 else { throw mistake }
    self.weight = unit.kilograms(weight)
  }

  /// Reads a number with a point or a comma, as people write it.
  private static func number(_ text: Substring) -> Double? {
    Double(text.replacing(",", with: "."))
  }

  /// As a person reads it, such as `82.5 kg x 5 @8.5`.
  func text(in unit: WeightUnit, _ language: Language) -> String {
    let load = weight.map { unit.text($0) }
    let done =
      durationSeconds.map { Translated(en: "\($0) s", ja: "\($0)秒")[language] } ?? "x \(reps ?? 0)"
    return [load, done, rpe.map { "@\($0.formatted(.number.locale(.init(identifier: "en_US"))))" }]
      .compactMap(\.self).joined(separator: " ")
  }

  /// Takes what was done from another set, and stays the same row.
  func change(to new: ExerciseSet, in db: Connection) throws {
    try db.execute(
      "UPDATE exerciseSet SET weight = ?2, reps = ?3, durationSeconds = ?4, rpe = ?5 WHERE id = ?1",
      id, new.weight, new.reps, new.durationSeconds, new.rpe)
  }

  func delete(in db: Connection) throws {
    try db.execute("DELETE FROM exerciseSet WHERE id = ?", id)
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

extension ExerciseSet: Codable {
  private enum Key: String, CodingKey {
    case id, exerciseId, weight, reps, durationSeconds, rpe, createdAt
  }

  init(from decoder: any Decoder) throws {
    let keyed = try decoder.container(keyedBy: Key.self)
    id = try keyed.decode(String.self, forKey: .id)
    exerciseId = try keyed.decode(String.self, forKey: .exerciseId)
    weight = try keyed.decodeIfPresent(Double.self, forKey: .weight)
    reps = try keyed.decodeIfPresent(Int.self, forKey: .reps)
    durationSeconds = try keyed.decodeIfPresent(Int.self, forKey: .durationSeconds)
    rpe = try keyed.decodeIfPresent(Double.self, forKey: .rpe)
    createdAt = try keyed.decode(String.self, forKey: .createdAt)
  }

  /// Every key is there, even if there is no value.
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
