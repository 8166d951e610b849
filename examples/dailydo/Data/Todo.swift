import ExampleShared
import Foundation
import OpenWOApp

/// A to-do.
struct Todo: RowDecodable, Hashable {
  let id: String
  let title: String
  let isCompleted: Bool

  init(row: borrowing Row) throws {
    id = try row.get("id")
    title = try row.get("title")
    isCompleted = try row.get("isCompleted")
  }

  static func all(in db: Connection) throws -> [Todo] {
    try db.rows("SELECT * FROM todo ORDER BY title, id", as: Todo.self)
  }

  static func add(_ title: String, in db: Connection) throws {
    try db.execute("INSERT INTO todo (id, title) VALUES (?, ?)", UUID().uuidString, title)
  }

  static func toggle(_ title: String, at time: String, in db: Connection) throws {
    try one(
      db.execute(
        """
        UPDATE todo SET isCompleted = 1 - isCompleted, completedAt = iif(isCompleted, NULL, ?2)
        WHERE title = ?1
        """, title, time), title)
  }

  static func rename(_ title: String, to new: String, in db: Connection) throws {
    try one(db.execute("UPDATE todo SET title = ?2 WHERE title = ?1", title, new), title)
  }

  static func isAnyDone(before time: String, in db: Connection) throws -> Bool {
    try db.value(
      "SELECT EXISTS (SELECT 1 FROM todo WHERE isCompleted = 1 AND completedAt < ?)", time)
      ?? false
  }

  static func reopen(doneBefore time: String, in db: Connection) throws {
    try db.execute(
      "UPDATE todo SET isCompleted = 0, completedAt = NULL WHERE isCompleted = 1 AND completedAt < ?",
      time)
  }

  static func delete(_ title: String, in db: Connection) throws {
    try one(db.execute("DELETE FROM todo WHERE title = ?", title), title)
  }

  private static func one(_ count: Int, _ title: String) throws {
    if count == 0 {
      throw Mistake(en: "there is no to-do '\(title)'", ja: "「\(title)」というTODOはありません。")
    }
  }
}
