import OpenWOApp

/// The database that the app from before kept with GRDB; read once, never written.
///
/// Its numbers are its own: a row is found by what it says, and an entry of a plan by workout and exercise.
struct LegacyStore {
  static let file = EarlierDatabase(
    "OpenWO/openwo.sqlite", tables: ["grdb_migrations", "exercise", "workout", "workoutExercise"])

  private let old: Connection
  private let db: Connection
  /// Whether nobody has used the new database: then the templates of before take the place of its own, under their numbers.
  private let isNew: Bool

  init(_ old: Connection, into db: Connection) throws {
    (self.old, self.db) = (old, db)
    isNew = try Seeds.bundled().areUntouched(in: db)
  }

  /// Adds what is not here yet; gives how many sessions, workouts and days of the challenge.
  func fillIn() throws -> Int {
    if isNew { try db.executeScript("DELETE FROM workout; DELETE FROM exercise;") }
    let exercises = try fillInExercises()
    let workouts = try fillInWorkouts()
    let plan = try fillInPlans(workouts, exercises)
    return try workouts.new.count + fillInSessions(plan) + fillInChallenge()
  }

  private func fillInExercises() throws -> [Int64: Int64] {
    var numbers: [Int64: Int64] = [:]
    try old.forEach("SELECT id, name, measure, isWeighted FROM exercise ORDER BY id") { row in
      let name: String = try row.get("name")
      try db.execute(
        "INSERT OR IGNORE INTO exercise (id, name, measure, isWeighted) VALUES (?, ?, ?, ?)",
        number(row), name, row.get("measure") as String, row.get("isWeighted") as Bool)
      numbers[try row.get("id")] = try db.value("SELECT id FROM exercise WHERE name = ?", name)
    }
    return numbers
  }

  /// The workouts' numbers here by their numbers there, and those of the new ones.
  private func fillInWorkouts() throws -> (numbers: [Int64: Int64], new: Set<Int64>) {
    var numbers: [Int64: Int64] = [:]
    var new: Set<Int64> = []
    try old.forEach("SELECT id, name, description FROM workout ORDER BY id") { row in
      let name: String = try row.get("name")
      let added = try db.execute(
        "INSERT OR IGNORE INTO workout (id, name, description) VALUES (?, ?, ?)", number(row),
        name, row.get("description") as String)
      let number = try db.value("SELECT id FROM workout WHERE name = ?", name, as: Int64.self)
      numbers[try row.get("id")] = number
      if added > 0, let number { new.insert(number) }
    }
    return (numbers, new)
  }

  /// The plans' entries by their numbers there.
  ///
  /// A workout that was here already keeps its plan, but for what was logged.
  private func fillInPlans(
    _ workouts: (numbers: [Int64: Int64], new: Set<Int64>), _ exercises: [Int64: Int64]
  ) throws -> [Int64: Int64] {
    var numbers: [Int64: Int64] = [:]
    let isLogged =
      try has("exerciseLog", "id")
      ? "id IN (SELECT workoutExerciseId FROM exerciseLog)" : "0"
    try old.forEach(
      """
      SELECT id, workoutId, exerciseId, position, sets, target, \(isLogged) AS isLogged
      FROM workoutExercise ORDER BY workoutId, position, id
      """
    ) { row in
      guard let workout = workouts.numbers[try row.get("workoutId")],
        let exercise = exercises[try row.get("exerciseId")]
      else { return }
      if try workouts.new.contains(workout) || row.get("isLogged") {
        try db.execute(
          """
          INSERT OR IGNORE INTO workoutExercise
            (id, workoutId, exerciseId, position, sets, target)
          VALUES (?, ?, ?, ?, ?, ?)
          """, number(row), workout, exercise, row.get("position") as Int, row.get("sets") as Int,
          row.get("target") as Int)
      }
      numbers[try row.get("id")] = try db.value(
        "SELECT id FROM workoutExercise WHERE workoutId = ? AND exerciseId = ?", workout, exercise)
    }
    return numbers
  }

  /// The number that a row is to have; nil for the next one.
  private func number(_ row: borrowing Row) throws -> Int64? { try isNew ? row.get("id") : nil }

  private func has(_ table: String, _ column: String) throws -> Bool {
    try old.value(
      "SELECT EXISTS (SELECT 1 FROM pragma_table_info(?) WHERE name = ?)", table, column) ?? false
  }
}

/// The training data; a file of an earlier app version lacks some tables and columns.
extension LegacyStore {
  /// A moment as GRDB writes it, or as we do; a day stays one.
  private static let startedAt = "coalesce(strftime('%Y-%m-%dT%H:%M:%SZ', startedAt), startedAt)"
  private static let day = "iif(length(date) = 10, date, date(date, 'localtime'))"

  private func fillInSessions(_ plan: [Int64: Int64]) throws -> Int {
    guard try has("session", "id") else { return 0 }
    let isPartial = try has("session", "isPartial") ? "isPartial" : "0"
    let feedback = try has("session", "feedback") ? "feedback" : "NULL"
    let sessions = try old.rows(
      """
      SELECT id, sessionType, \(Self.day), \(Self.startedAt), durationSeconds, \(isPartial),
        \(feedback)
      FROM session ORDER BY id
      """)
    var count = 0
    for row in sessions {
      let isKnown = try db.value(
        "SELECT EXISTS (SELECT 1 FROM session WHERE sessionType = ? AND startedAt = ?)", row[1],
        row[3], as: Bool.self)
      if isKnown == true { continue }
      try db.execute(
        """
        INSERT INTO session (sessionType, date, startedAt, durationSeconds, isPartial, feedback)
        VALUES (?, ?, ?, ?, ?, ?)
        """, row[1], row[2], row[3], row[4], row[5], row[6])
      try fillInLogs(of: row[0], session: db.lastInsertRowID, plan)
      count += 1
    }
    return count
  }

  private func fillInLogs(of old: Value, session: Int64, _ plan: [Int64: Int64]) throws {
    let hasOutcome = try has("exerciseLog", "failed")
    let outcome = hasOutcome ? "failed, achievedValue" : "0, NULL"
    let logs = try self.old.rows(
      "SELECT workoutExerciseId, weight, \(outcome) FROM exerciseLog WHERE sessionId = ? ORDER BY id",
      old)
    for log in logs {
      guard case .integer(let number) = log[0], let entry = plan[number] else { continue }
      try db.execute(
        """
        INSERT INTO exerciseLog (sessionId, workoutExerciseId, weight, failed, achievedValue)
        VALUES (?, ?, ?, ?, ?)
        """, session, entry, log[1], log[2], log[3])
    }
  }

  private func fillInChallenge() throws -> Int {
    guard try has("dailyChallenge", "id") else { return 0 }
    var count = 0
    try old.forEach("SELECT \(Self.day), setsCompleted FROM dailyChallenge ORDER BY date") { row in
      count += try db.execute(
        "INSERT OR IGNORE INTO dailyChallenge (date, setsCompleted) VALUES (?, ?)",
        row.get(0) as String, row.get(1) as Int)
    }
    return count
  }
}
