import ExampleShared
import Foundation
import OpenWOApp

/// A workout; while it is active it belongs to the device that began it.
struct Workout: RowDecodable, Hashable {
  /// One set.
  struct Entry: Codable, Hashable {
    let exercise: String
    let reps: Int
    /// In kilograms; sets of before have none.
    var weight: Double?

    var text: String {
      weight.map { "\(exercise) \($0) kg x \(reps)" } ?? "\(exercise) x \(reps)"
    }
  }

  let id: String
  let name: String
  var completedAt: String?
  var entries: [Entry]

  var isActive: Bool { completedAt == nil }

  init(row: borrowing Row) throws {
    id = try row.get("id")
    name = try row.get("name")
    completedAt = try row.get("completedAt")
    let json: String = try row.get("entriesJSON")
    entries = try JSONDecoder().decode([Entry].self, from: Data(json.utf8))
  }

  static func all(in db: Connection) throws -> [Workout] {
    try db.rows(
      "SELECT * FROM workout WHERE isDeleted = 0 ORDER BY startedAt, id", as: Workout.self)
  }

  static func start(
    _ name: String, on device: String, at time: String, in db: Connection
  ) throws {
    if let active = try find(on: device, in: db) {
      throw Mistake(
        en: "'\(active.name)' is still going on: finish it first",
        ja: "「\(active.name)」がまだ実施中です。先に終了してください。")
    }
    try db.execute(
      "INSERT INTO workout (id, name, startedAt, modifiedAt, device) VALUES (?1, ?2, ?3, ?3, ?4)",
      UUID().uuidString, name, time, device)
  }

  /// The workout that is active here.
  static func active(on device: String, in db: Connection) throws -> Workout {
    guard let active = try find(on: device, in: db) else {
      throw Mistake(
        en: "no workout is going on here: start one, or name the one to finish",
        ja: "この端末で実施中のワークアウトはありません。開始するか、終了するワークアウトの名前を指定してください。")
    }
    return active
  }

  /// The workout of a name that is active on any device.
  static func active(named name: String, in db: Connection) throws -> Workout {
    let found = try db.row(
      "SELECT * FROM workout WHERE completedAt IS NULL AND isDeleted = 0 AND name = ? ORDER BY id",
      name, as: Workout.self)
    guard let found else {
      throw Mistake(en: "no workout '\(name)' is going on", ja: "「\(name)」は実施中ではありません。")
    }
    return found
  }

  static func find(on device: String, in db: Connection) throws -> Workout? {
    try db.row(
      "SELECT * FROM workout WHERE completedAt IS NULL AND isDeleted = 0 AND device = ?", device,
      as: Workout.self)
  }

  func update(at time: String, in db: Connection) throws {
    let json = String(decoding: try JSONEncoder().encode(entries), as: UTF8.self)
    try db.execute(
      "UPDATE workout SET entriesJSON = ?2, completedAt = ?3, modifiedAt = ?4 WHERE id = ?1", id,
      json, completedAt, time)
  }
}
