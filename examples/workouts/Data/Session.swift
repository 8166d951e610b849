import ExampleShared
import OpenWOApp

/// A session that was done, as the list shows it.
struct Session: RowDecodable, Hashable {
  let id: Int64
  let type: String
  let date: String
  let durationSeconds: Int
  let isPartial: Bool
  let feedback: String?
  let exercises: Int
  let failed: Int

  init(row: borrowing Row) throws {
    id = try row.get("id")
    type = try row.get("sessionType")
    date = try row.get("date")
    durationSeconds = try row.get("durationSeconds")
    isPartial = try row.get("isPartial")
    feedback = try row.get("feedback")
    exercises = try row.get("exercises")
    failed = try row.get("failed")
  }

  private static let query = """
    SELECT session.id, sessionType, date, durationSeconds, isPartial, feedback,
      count(exerciseLog.id) AS exercises, coalesce(sum(failed), 0) AS failed
    FROM session LEFT JOIN exerciseLog ON sessionId = session.id
    """

  /// The sessions done, the latest first.
  static func latest(_ count: Int, in db: Connection) throws -> [Session] {
    try db.rows(
      "\(query) GROUP BY session.id ORDER BY session.id DESC LIMIT ?", count, as: Session.self)
  }

  /// Logs a session with what was done in it; runs inside one write, so that all of it is there or nothing.
  ///
  /// An exercise without an outcome of its own was done with the weight of the last time.
  static func log(
    _ plan: Plan, _ outcomes: [Outcome] = [], durationSeconds: Int = 0, feedback: String? = nil,
    in db: Connection
  ) throws -> Session {
    guard outcomes.count <= plan.entries.count else {
      throw Mistake(
        en: "'\(plan.workout.name)' has \(plan.entries.count) exercises only",
        ja: "「\(plan.workout.name)」の種目は\(plan.entries.count)個です。")
    }
    try db.execute(
      """
      INSERT INTO session (sessionType, date, startedAt, durationSeconds, isPartial, feedback)
      VALUES (?1, date('now', 'localtime'),
        strftime('%Y-%m-%dT%H:%M:%SZ', 'now', '-' || ?2 || ' seconds'), ?2, ?3, ?4)
      """, plan.workout.name, durationSeconds, outcomes.contains(.leftOut), feedback)
    let id = db.lastInsertRowID
    for (index, entry) in plan.entries.enumerated() {
      let outcome = index < outcomes.count ? outcomes[index] : .done(nil)
      try insert(outcome, of: entry, session: id, in: db)
    }
    guard let session = try db.row("\(query) WHERE session.id = ?", id, as: Session.self) else {
      throw Mistake(en: "the session was not kept", ja: "記録できませんでした。")
    }
    return session
  }

  private static func insert(
    _ outcome: Outcome, of entry: Plan.Entry, session: Int64, in db: Connection
  ) throws {
    let weight: Double?
    let hasFailed: Bool
    switch outcome {
    case .leftOut: return
    case .done(let lifted): (weight, hasFailed) = (lifted ?? entry.lastWeight, false)
    case .failed(let tried): (weight, hasFailed) = (tried ?? entry.lastWeight, true)
    }
    try db.execute(
      """
      INSERT INTO exerciseLog (sessionId, workoutExerciseId, weight, failed, achievedValue)
      VALUES (?, ?, ?, ?, ?)
      """, session, entry.id, weight, hasFailed, hasFailed ? nil : entry.target)
  }
}
