import ExampleShared
import OpenWOApp

/// The daily challenge: sets done on a day, and how many days in a row had one.
struct Challenge: RowDecodable, Hashable {
  let date: String
  let setsCompleted: Int
  let streak: Int

  init(row: borrowing Row) throws {
    date = try row.get("date")
    setsCompleted = try row.get("setsCompleted")
    streak = try row.get("streak")
  }

  /// Counts one more set on a day, today unless another is named.
  static func completeSet(on date: String?, in db: Connection) throws -> Challenge {
    let today = try db.value("SELECT date('now', 'localtime')", as: String.self)
    guard let day = date ?? today,
      try db.value("SELECT date(?1, '+0 days') IS ?1", day, as: Bool.self) == true
    else {
      throw Mistake(
        en: "'\(date ?? "")' is no date, such as 2026-11-21",
        ja: "「\(date ?? "")」は日付ではありません。例：2026-11-21")
    }
    try db.execute(
      """
      INSERT INTO dailyChallenge (date, setsCompleted) VALUES (?, 1)
      ON CONFLICT (date) DO UPDATE SET setsCompleted = setsCompleted + 1
      """, day)
    guard let challenge = try db.row(query, day, as: Challenge.self) else {
      throw Mistake(en: "the set was not kept", ja: "保存できませんでした。")
    }
    return challenge
  }

  /// Walks back from a day as long as the day before has sets too.
  private static let query = """
    WITH RECURSIVE streak (day) AS (
      VALUES (?1)
      UNION ALL
      SELECT date(day, '-1 day') FROM streak
      WHERE EXISTS (SELECT 1 FROM dailyChallenge WHERE date = date(day, '-1 day')))
    SELECT date, setsCompleted, (SELECT count(*) FROM streak) AS streak
    FROM dailyChallenge WHERE date = ?1
    """
}
