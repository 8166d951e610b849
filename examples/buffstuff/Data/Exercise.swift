import ExampleShared
import Foundation
import OpenWOApp

/// An exercise; one that is done no more stays as a row that says so, until nobody can bring it back.
struct Exercise: RowDecodable, Hashable {
  let id: String
  let name: String
  let defaultWeight: Double
  let modifiedAt: String

  init(row: borrowing Row) throws {
    id = try row.get("id")
    name = try row.get("name")
    defaultWeight = try row.get("defaultWeight")
    modifiedAt = try row.get("modifiedAt")
  }

  init(name: String, weight: Double, at time: String) {
    (id, self.name, defaultWeight, modifiedAt) = (UUID().uuidString, name, weight, time)
  }

  static func all(in db: Connection) throws -> [Exercise] {
    try db.rows("SELECT * FROM exercise WHERE isDeleted = 0 ORDER BY name, id", as: Exercise.self)
  }

  func insert(into db: Connection) throws {
    try db.execute(
      """
      INSERT INTO exercise (id, name, defaultWeight, createdAt, modifiedAt)
      VALUES (?1, ?2, ?3, ?4, ?4)
      """, id, name, defaultWeight, modifiedAt)
  }

  static func change(
    _ name: String, weight: Double, name new: String? = nil, at time: String, in db: Connection
  ) throws {
    try one(
      db.execute(
        """
        UPDATE exercise SET defaultWeight = ?2, name = ?4, modifiedAt = ?3
        WHERE name = ?1 AND isDeleted = 0
        """, name, weight, time, new ?? name), name)
  }

  static func delete(_ name: String, at time: String, in db: Connection) throws {
    try one(
      db.execute(
        "UPDATE exercise SET isDeleted = 1, modifiedAt = ?2 WHERE name = ?1 AND isDeleted = 0",
        name, time), name)
  }

  /// Removes for good what was deleted before a moment; every device has heard of it by then.
  static func purge(deletedBefore time: String, in db: Connection) throws -> Int {
    try db.execute("DELETE FROM exercise WHERE isDeleted = 1 AND modifiedAt < ?", time)
  }

  static func named(_ name: String, in db: Connection) throws -> Exercise {
    let found = try db.row(
      "SELECT * FROM exercise WHERE name = ? AND isDeleted = 0 ORDER BY id", name, as: Exercise.self
    )
    guard let found else { throw missing(name) }
    return found
  }

  private static func missing(_ name: String) -> Mistake {
    Mistake(
      en: "there is no exercise called '\(name)': add it first",
      ja: "「\(name)」という種目はありません。先に追加してください。")
  }

  private static func one(_ count: Int, _ name: String) throws {
    if count == 0 { throw missing(name) }
  }
}
