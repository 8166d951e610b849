import Foundation
import OpenWO
import Testing

@testable import workouts

/// The tables, their migrations, and the templates that a new database begins with.
struct SchemaTests {
  static let tables = [
    "exercise", "workout", "workoutExercise", "session", "exerciseLog", "dailyChallenge",
  ]

  private func counts(_ store: SyncedDatabase) throws -> [Int] {
    try store.read { db in
      try Self.tables.map { try db.value("SELECT count(*) FROM \($0)", as: Int.self) ?? -1 }
    }
  }

  @Test func `a new database has templates and no sessions`() throws {
    let desk = try Desk()
    #expect(try counts(desk.open()) == [12, 4, 12, 0, 0, 0])
    #expect(try desk.sqlite3("PRAGMA user_version") == "6\n")
    #expect(try desk.sqlite3("PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok\n")
  }

  @Test func `opening again seeds nothing`() throws {
    let desk = try Desk()
    let before = try counts(desk.open())
    for _ in 1...3 { #expect(try counts(desk.open()) == before) }
    #expect(try desk.open().history().map(\.version.reason) == [.create])
  }

  @Test func `a template that was deleted or renamed stays so`() throws {
    let desk = try Desk()
    let store = try desk.open()
    try store.write { db in
      try db.execute("DELETE FROM workout WHERE name = 'Core'")
      try db.execute("DELETE FROM exercise WHERE name = 'Plank'")
      try db.execute("UPDATE exercise SET name = 'Front squat' WHERE name = 'Squat'")
    }
    try store.close()
    for _ in 1...3 {
      let again = try desk.open()
      #expect(try counts(again) == [11, 3, 9, 0, 0, 0])
      try again.close()
    }
    #expect(try desk.sqlite3("SELECT name FROM exercise WHERE id = 1") == "Front squat\n")
  }

  @Test func `the templates stay in the app and are not synced`() throws {
    let desk = try Desk()
    try desk.open().close()
    let files = FileManager.default.enumerator(atPath: desk.folder.path)?.allObjects ?? []
    let names = files.compactMap { ($0 as? String)?.split(separator: "/").last.map(String.init) }
    #expect(names.contains("openwo.sqlite"))
    #expect(!names.contains("exercises.json") && !names.contains("workouts.json"))
  }

  @Test(arguments: tables) func `numbers of rows are never used twice`(table: String) throws {
    let desk = try Desk()
    let sql = "SELECT sql FROM sqlite_schema WHERE name = ?"
    let made = try desk.open().read { db in try db.value(sql, table, as: String.self) }
    #expect(made?.contains("id INTEGER PRIMARY KEY AUTOINCREMENT") == true)
  }

  @Test func `the columns are those of the app's records`() throws {
    let desk = try Desk()
    let columns = try desk.open().read { db in
      try Self.tables.map { table in
        try db.rows("SELECT name FROM pragma_table_info(?)", table) { try $0.get(0) as String }
      }
    }
    #expect(
      columns == [
        ["id", "name", "measure", "isWeighted"],
        ["id", "name", "description"],
        ["id", "workoutId", "exerciseId", "position", "sets", "target"],
        [
          "id", "sessionType", "date", "startedAt", "durationSeconds", "isPartial", "feedback",
        ],
        ["id", "sessionId", "workoutExerciseId", "weight", "failed", "achievedValue"],
        ["id", "date", "setsCompleted"],
      ])
  }

  @Test(arguments: [
    "INSERT INTO workoutExercise VALUES (NULL, 99, 1, 1, 1, 1)",
    "INSERT INTO workoutExercise VALUES (NULL, 1, 99, 1, 1, 1)",
    "INSERT INTO exerciseLog VALUES (NULL, 99, 1, 1, 0, 1)",
    "DELETE FROM exercise WHERE id = 1",
  ]) func `a row with a broken reference is refused`(sql: String) throws {
    let desk = try Desk()
    let store = try desk.open()
    let error = #expect(throws: SQLiteError.self) { try store.write { db in try db.execute(sql) } }
    #expect(error?.extendedCode == .foreignKey)
  }

  @Test func `a day has one row of the challenge`() throws {
    let desk = try Desk()
    let store = try desk.open()
    let sql = "INSERT INTO dailyChallenge (date, setsCompleted) VALUES ('2026-11-21', 1)"
    try store.write { db in try db.execute(sql) }
    let error = #expect(throws: SQLiteError.self) { try store.write { db in try db.execute(sql) } }
    #expect(error?.extendedCode == .unique)
  }

  @Test(arguments: 1...5) func `an older database gets the later steps and keeps its rows`(
    version: Int
  ) throws {
    let desk = try Desk()
    var old = desk.configuration
    old.migrations = Migrations(Schema.migrations.steps.filter { $0.number <= version })
    _ = try SyncedDatabase.initialize(path: desk.database, create: true, configuration: old)
    try desk.sqlite3("UPDATE workout SET name = 'Mine' WHERE id = 1")
    let store = try desk.open()
    #expect(try counts(store) == [12, 4, 12, 0, 0, 0])
    #expect(try store.read { db in try Workout.named("1", in: db).name } == "Mine")
    #expect(try store.read { db in try db.userVersion } == 6)
    #expect(try store.history().first?.version.reason == .migrate)
  }
}
