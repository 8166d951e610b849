import Foundation
import Household
import Testing

@testable import workouts

/// The database of an app from before, which GRDB kept.
struct EarlierDatabaseTests {
  private let desk: Desk

  init() throws { desk = try Desk() }

  /// The tables of the app's five steps as GRDB makes them: `old` leaves out what came last.
  private static func sql(old: Bool = false) -> String {
    """
    CREATE TABLE grdb_migrations (identifier TEXT NOT NULL PRIMARY KEY);
    INSERT INTO grdb_migrations VALUES ('v1'), ('v2'), ('v3')\(old ? "" : ", ('v4'), ('v5')");
    CREATE TABLE "exercise" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL UNIQUE,
      "measure" TEXT NOT NULL, "isWeighted" BOOLEAN NOT NULL);
    CREATE TABLE "workout" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "name" TEXT NOT NULL UNIQUE,
      "description" TEXT NOT NULL DEFAULT '');
    CREATE TABLE "workoutExercise" ("id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "workoutId" INTEGER NOT NULL REFERENCES "workout" ("id") ON DELETE CASCADE,
      "exerciseId" INTEGER NOT NULL REFERENCES "exercise" ("id"), "position" INTEGER NOT NULL,
      "sets" INTEGER NOT NULL, "target" INTEGER NOT NULL);
    CREATE TABLE "session" ("id" INTEGER PRIMARY KEY AUTOINCREMENT, "sessionType" TEXT NOT NULL,
      "date" DATETIME NOT NULL, "startedAt" DATETIME NOT NULL, "durationSeconds" INTEGER NOT NULL
      \(old ? "" : ", \"isPartial\" BOOLEAN NOT NULL DEFAULT 0, \"feedback\" TEXT"));
    CREATE TABLE "exerciseLog" ("id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "sessionId" INTEGER NOT NULL REFERENCES "session" ("id") ON DELETE CASCADE,
      "workoutExerciseId" INTEGER NOT NULL REFERENCES "workoutExercise" ("id"), "weight" DOUBLE
      \(old ? "" : ", \"failed\" BOOLEAN NOT NULL DEFAULT 0, \"achievedValue\" INTEGER"));
    CREATE TABLE "dailyChallenge" ("id" INTEGER PRIMARY KEY AUTOINCREMENT,
      "date" TEXT NOT NULL UNIQUE, "setsCompleted" INTEGER NOT NULL);
    INSERT INTO exercise VALUES (3, 'Squat', 'repetitions', 1), (5, 'Bench press', 'repetitions', 1);
    INSERT INTO workout VALUES (4, 'Mine', 'my own plan');
    INSERT INTO workoutExercise VALUES (7, 4, 5, 1, 5, 5), (9, 4, 3, 2, 3, 8);
    INSERT INTO session (id, sessionType, date, startedAt, durationSeconds)
      VALUES (2, 'Mine', '2025-11-20 00:00:00.000', '2025-11-20 17:30:00.000', 1800);
    INSERT INTO exerciseLog (id, sessionId, workoutExerciseId, weight) VALUES (1, 2, 9, 77.5);
    INSERT INTO dailyChallenge VALUES (1, '2025-11-20', 3);
    """
  }

  private static let late = """
    INSERT INTO session (id, sessionType, date, startedAt, durationSeconds)
      VALUES (3, 'Mine', '2025-11-22 00:00:00.000', '2025-11-22 17:30:00.000', 900);
    INSERT INTO exerciseLog (id, sessionId, workoutExerciseId, weight) VALUES (2, 3, 7, 60), (3, 3, 9, 80);
    """

  private var url: URL { desk.root.appending(path: "data/OpenWO/openwo.sqlite") }

  private func app(_ words: String...) throws -> String {
    let process = try RunningApp("workouts", [desk.database] + words, desk.environment)
    let status = try process.ended()
    let text = process.lines.joined(separator: "\n")
    #expect(status == 0, "\(text)")
    return text
  }

  @Test(arguments: EarlierFile.Left.allCases, [false, true])
  func `the database of GRDB is here at the first start, and its file is as it was`(
    left: EarlierFile.Left, isOld: Bool
  ) throws {
    let old = try EarlierFile(url, left, Self.sql(old: isOld), late: Self.late)
    let bytes = old.bytes
    let list = try app("list")
    #expect(list.contains("brought over from the earlier app: 4; its file is unchanged"))
    // The user's templates, and none of those that a new database begins with.
    #expect(list.contains("4  Mine (2 exercises, last done 2025-11-22)") && !list.contains("Core"))
    let plan = try app("show", "mine")
    #expect(plan.contains("1. Bench press  5 x 5, last time 60 kg"), "\(plan)")
    #expect(plan.contains("2. Squat  3 x 8, last time 80 kg"), "\(plan)")
    #expect(!plan.contains("brought over"))
    let sessions = try app("sessions")
    #expect(sessions.split(separator: "\n").count == 2, "\(sessions)")
    #expect(
      try desk.sqlite3("SELECT startedAt FROM session ORDER BY id")
        == "2025-11-20T17:30:00Z\n2025-11-22T17:30:00Z\n")
    #expect(try desk.sqlite3("SELECT * FROM dailyChallenge") == "1|2025-11-20|3\n")
    #expect(try desk.sqlite3("PRAGMA foreign_key_check; PRAGMA integrity_check") == "ok\n")
    #expect(old.bytes == bytes)
  }

  @Test func `earlier sessions are added to existing ones, under their exercises`()
    throws
  {
    _ = try app("log", "1", "100", "50")
    // The earlier app was restored from a backup later on.
    let mine = Self.sql().replacing("(4, 'Mine', 'my own plan')", with: "(4, 'Full body A', '')")
      .replacing("'Mine'", with: "'Full body A'")
    _ = try EarlierFile(
      url, .closed, mine, late: Self.late.replacing("'Mine'", with: "'Full body A'"))
    #expect(try app("list").contains("brought over from the earlier app: 3"))
    #expect(try app("sessions").split(separator: "\n").count == 3)
    #expect(
      try desk.sqlite3(
        """
        SELECT exercise.name, weight FROM exerciseLog
          JOIN workoutExercise AS planned ON planned.id = workoutExerciseId
          JOIN exercise ON exercise.id = exerciseId WHERE weight IS NOT NULL ORDER BY weight
        """) == "Bench press|50.0\nBench press|60.0\nSquat|77.5\nSquat|80.0\nSquat|100.0\n")
    #expect(try app("show", "1").split(separator: "\n").count == 4)
  }

  @Test func `nothing is imported while somebody has the lock, but afterwards it is`() throws {
    _ = try app("lock")
    _ = try EarlierFile(url, .closed, Self.sql(), late: Self.late)
    #expect(!(try app("list").contains("brought over")))
    _ = try app("unlock")
    #expect(try app("list").contains("brought over"))
  }

  @Test func `a file that cannot be read is named, and the app starts`() throws {
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data("no database".utf8).write(to: url)
    #expect(try app("list").contains("is damaged and was left alone"))
    #expect(try app("list").contains("1  Full body A"))
    #expect(try String(contentsOf: url, encoding: .utf8) == "no database")
  }
}
