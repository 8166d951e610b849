import OpenWOSQLite

/// Adds whole training sessions to a workout database.
struct SessionWriter {
  private let connection: Connection
  private let session, entry: Statement

  init(_ connection: Connection) throws {
    self.connection = connection
    session = try connection.prepare(
      "INSERT INTO session (started, ended, weight, notes) VALUES (?, ?, ?, ?)")
    entry = try connection.prepare(
      """
      INSERT INTO entry (session, exercise, place, reps, weight, effort, logged, notes)
      VALUES (?, ?, ?, ?, ?, ?, ?, ?)
      """)
  }

  /// Adds one session of about a dozen sets; returns how many rows that is.
  @discardableResult
  mutating func add(at minutes: Int, _ random: inout SeededRandom) throws -> Int {
    let start = max(0, minutes)
    try session.execute(
      WorkoutDatabase.time(minutes: start),
      WorkoutDatabase.time(minutes: start + random.number(35...90)),
      Double(random.number(700...950)) / 10, WorkoutDatabase.note(&random, 0.4))
    let id = connection.lastInsertRowID
    var (rows, moment) = (1, start)
    for _ in 0..<random.number(3...5) {
      let exercise = random.number(1...WorkoutDatabase.exercises)
      let weight = Double(random.number(8...56)) * 2.5
      for place in 1...random.number(3...4) {
        moment += random.number(1...4)
        try entry.execute(
          id, exercise, place, random.number(3...12), weight,
          random.chance(0.2) ? nil : Double(random.number(14...18)) / 2,
          WorkoutDatabase.time(minutes: moment), WorkoutDatabase.note(&random, 0.15))
        rows += 1
      }
    }
    return rows
  }
}

/// Changes such as an app or a person makes.
enum WorkoutEdit {
  /// One day's training, about twenty rows: a session, three updates, a deletion, a challenge.
  static func day(_ number: Int, on connection: Connection) throws {
    var random = SeededRandom(seed: 1000 + UInt64(number))
    var writer = try SessionWriter(connection)
    let count = try connection.value("SELECT max(id) FROM session", as: Int.self) ?? 0
    try writer.add(at: 13_000_000 + count * 1200, &random)
    let last = try connection.value("SELECT max(id) FROM entry", as: Int.self) ?? 1
    for _ in 0..<2 {
      try connection.execute(
        "UPDATE entry SET notes = ?, reps = reps + 1 WHERE id = ?",
        WorkoutDatabase.note(&random, 1),
        random.number(max(1, last - 400)...last))
    }
    try connection.execute(
      "UPDATE entry SET effort = 8 WHERE id = ?", random.number(1...last))
    try connection.execute(
      "DELETE FROM entry WHERE id = ?", random.number(max(1, last - 200)...max(1, last - 30)))
    try connection.execute(
      "INSERT OR REPLACE INTO challenge (day, exercise, target) VALUES (?, ?, ?)",
      WorkoutDatabase.time(minutes: 13_000_000 + count * 1200), random.number(1...200),
      random.number(10...100))
  }

  /// So many rows spread over the log: six of ten updated, three inserted, one deleted.
  static func spread(_ rows: Int, seed: UInt64, on connection: Connection) throws {
    var random = SeededRandom(seed: seed)
    let last = try connection.value("SELECT max(id) FROM entry", as: Int.self) ?? 1
    let sessions = try connection.value("SELECT max(id) FROM session", as: Int.self) ?? 1
    for row in 0..<rows {
      switch row % 10 {
      case 0..<6:
        try connection.execute(
          "UPDATE entry SET notes = ?, weight = weight + 2.5 WHERE id = ?",
          WorkoutDatabase.note(&random, 1), random.number(1...last))
      case 6:
        try connection.execute("DELETE FROM entry WHERE id = ?", random.number(1...last))
      default:
        try connection.execute(
          """
          INSERT INTO entry (session, exercise, place, reps, weight, effort, logged, notes)
          VALUES (?, ?, 1, 8, 60, 8, ?, ?)
          """, random.number(1...sessions), random.number(1...200),
          WorkoutDatabase.time(minutes: random.number(0...12_000_000)),
          WorkoutDatabase.note(&random, 0.3))
      }
    }
  }
}
