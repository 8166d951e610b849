import Foundation
import OpenWOSQLite
import SystemPackage

/// Workout databases: a few small tables, a long log with two indexes, as a training app has them.
///
/// They grow session by session, with the indexes in place, so pages lie as in a database that was used for years.
enum WorkoutDatabase {
  /// Changes with the data, so that old files are not taken for new ones.
  private static let edition = 1

  private static let schema = """
    CREATE TABLE exercise (
      id INTEGER PRIMARY KEY AUTOINCREMENT, name TEXT NOT NULL UNIQUE, muscle TEXT NOT NULL,
      notes TEXT);
    CREATE TABLE session (
      id INTEGER PRIMARY KEY AUTOINCREMENT, started TEXT NOT NULL, ended TEXT, weight REAL, notes TEXT);
    CREATE TABLE entry (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL REFERENCES session(id) ON DELETE CASCADE,
      exercise INTEGER NOT NULL REFERENCES exercise(id), place INTEGER NOT NULL,
      reps INTEGER NOT NULL, weight REAL NOT NULL, effort REAL, logged TEXT NOT NULL, notes TEXT);
    CREATE TABLE challenge (
      day TEXT PRIMARY KEY, exercise INTEGER NOT NULL REFERENCES exercise(id), target INTEGER NOT NULL,
      done INTEGER NOT NULL DEFAULT 0) WITHOUT ROWID;
    CREATE TABLE commits (id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL NOT NULL, note TEXT NOT NULL);
    CREATE INDEX session_started ON session(started);
    CREATE INDEX entry_session ON entry(session);
    CREATE INDEX entry_exercise ON entry(exercise, logged);
    """

  /// A database of about so many megabytes; made the first time.
  static func file(megabytes: Int, in folder: String) throws -> String {
    let path = "\(folder)/workouts-\(edition)-\(megabytes).sqlite"
    guard !FileManager.default.fileExists(atPath: path) else { return path }
    let making = path + ".making"
    try? FileManager.default.removeItem(atPath: making)
    let connection = try Connection(
      path: FilePath(making), Connection.Options(mode: .create, guardPolicy: .privateCopy))
    defer { connection.close() }
    try connection.executeScript(
      "PRAGMA journal_mode = OFF; PRAGMA synchronous = OFF; PRAGMA cache_size = -400000")
    try connection.executeScript(schema)
    try connection.executeScript("PRAGMA foreign_keys = OFF")
    try connection.transaction { try fill(connection, until: Int64(megabytes) * 1_000_000) }
    connection.close()
    try FileManager.default.moveItem(atPath: making, toPath: path)
    return path
  }

  private static func fill(_ connection: Connection, until size: Int64) throws {
    var random = SeededRandom(seed: 7)
    for number in 1...exercises {
      try connection.execute(
        "INSERT INTO exercise (name, muscle, notes) VALUES (?, ?, ?)", "Exercise \(number)",
        muscles[number % muscles.count], note(&random, 0.3))
    }
    var writer = try SessionWriter(connection)
    var minutes = 0
    while try connection.value("PRAGMA page_count", as: Int64.self) ?? 0 < size / 4096 {
      for _ in 0..<50 {
        minutes += size < 100_000_000 ? 720 : 120
        try writer.add(at: minutes + random.number(-300...300), &random)
      }
    }
  }

  static let exercises = 200
  private static let muscles = ["legs", "chest", "back", "shoulders", "arms", "core"]
  private static let words = """
    felt strong heavy slow easy grip slipped good depth pause at bottom left knee sore warm up longer next time \
    add form broke on last belt used straps tired after work great pump rest two minutes
    """.split(separator: " ").map(String.init)

  static func note(_ random: inout SeededRandom, _ part: Double) -> String? {
    guard random.chance(part) else { return nil }
    return (0..<random.number(3...14)).map { _ in words[random.number(0...words.count - 1)] }
      .joined(separator: " ")
  }

  /// A time so many minutes after the start of 1990.
  static func time(minutes: Int) -> String {
    let (days, rest) = (minutes / 1440, minutes % 1440)
    var day = days + 2_447_893 + 68_569
    let era = 4 * day / 146_097
    day -= (146_097 * era + 3) / 4
    let year = 4000 * (day + 1) / 1_461_001
    day = day - 1461 * year / 4 + 31
    let month = 80 * day / 2447
    func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let date = "\(100 * (era - 49) + year + month / 11)-\(two(month + 2 - 12 * (month / 11)))"
    return "\(date)-\(two(day - 2447 * month / 80))T\(two(rest / 60)):\(two(rest % 60)):00.000Z"
  }
}
