import Testing

@testable import OpenWOMerge

/// A list that one side rewrote, deleting all of it and making it once more, while the other side used it.
struct ReplacedRowsTests {
  private static let schema = """
    CREATE TABLE plan(id INTEGER PRIMARY KEY AUTOINCREMENT, what TEXT, place INTEGER, sets INTEGER,
      UNIQUE (what));
    CREATE TABLE log(id INTEGER PRIMARY KEY AUTOINCREMENT,
      plan INTEGER NOT NULL REFERENCES plan (id), weight INTEGER);
    INSERT INTO plan VALUES (1, 'squat', 1, 5), (2, 'bench', 2, 5), (3, 'row', 3, 5);
    """
  private static let rewriting = """
    DELETE FROM plan;
    INSERT INTO plan (what, place, sets) VALUES ('row', 1, 3), ('squat', 2, 3), ('bench', 3, 3);
    """
  private static let shown = """
    SELECT what, place, sets, (SELECT group_concat(weight) FROM log WHERE plan = plan.id)
    FROM plan ORDER BY place
    """

  @Test func `references to the rows of a rewritten list follow the rows`() throws {
    let scene = try MergeScene(
      Self.schema, ours: Self.rewriting,
      theirs: "INSERT INTO log (plan, weight) VALUES (1, 99), (2, 88), (3, 77)")
    #expect(try scene.outcome(Self.shown) == ["row|1|3|77", "squat|2|3|99", "bench|3|3|88"])
    #expect(try scene.outcome("PRAGMA foreign_key_check") == [])
  }

  @Test func `both sides may point to the rows, each under its own numbers`() throws {
    let scene = try MergeScene(
      Self.schema,
      ours: Self.rewriting
        + "INSERT INTO log (plan, weight) SELECT id, 50 FROM plan WHERE what = 'squat'",
      theirs: "INSERT INTO log (plan, weight) VALUES (1, 99), (1, 98)")
    #expect(
      try scene.outcome(
        "SELECT what, weight FROM log JOIN plan ON plan.id = log.plan ORDER BY weight") == [
          "squat|50", "squat|98", "squat|99",
        ])
    #expect(try scene.outcome("SELECT count(*) FROM plan") == ["3"])
  }

  @Test func `a row that the other side changed and points to has the changes of both`() throws {
    let scene = try MergeScene(
      Self.schema, ours: Self.rewriting,
      theirs: "UPDATE plan SET what = 'front squat' WHERE id = 1; "
        + "INSERT INTO log (plan, weight) VALUES (1, 99)")
    #expect(
      try scene.outcome(Self.shown) == ["row|1|3|NULL", "front squat|2|3|99", "bench|3|3|NULL"])
  }

  @Test func `rows without references keep the numbers of the new list`() throws {
    let scene = try MergeScene(
      Self.schema, ours: Self.rewriting, theirs: "INSERT INTO log (plan, weight) VALUES (1, 99)")
    #expect(
      try scene.outcome("SELECT what, id FROM plan ORDER BY place") == [
        "row|4", "squat|1", "bench|6",
      ])
  }

  @Test func `a row that was removed from a list stays if rows refer to it`() throws {
    let scene = try MergeScene(
      Self.schema,
      ours: "DELETE FROM plan; INSERT INTO plan (what, place, sets) VALUES ('squat', 1, 3)",
      theirs: "INSERT INTO log (plan, weight) VALUES (1, 99), (2, 88)")
    #expect(try scene.outcome(Self.shown) == ["squat|1|3|99", "bench|2|5|88"])
  }

  @Test func `keys that an app makes itself follow, too`() throws {
    let scene = try MergeScene(
      """
      CREATE TABLE plan(id TEXT PRIMARY KEY, what TEXT UNIQUE, sets INTEGER);
      CREATE TABLE log(id TEXT PRIMARY KEY, plan TEXT NOT NULL REFERENCES plan (id));
      INSERT INTO plan VALUES ('a', 'squat', 5), ('b', 'bench', 5);
      """,
      ours: """
        DELETE FROM plan; INSERT INTO plan VALUES ('c', 'squat', 3), ('d', 'bench', 3);
        INSERT INTO log VALUES ('mine', 'c');
        """, theirs: "INSERT INTO log VALUES ('theirs', 'a')")
    #expect(
      try scene.outcome(
        "SELECT log.id, what, sets FROM log JOIN plan ON plan.id = log.plan ORDER BY log.id") == [
          "mine|squat|3", "theirs|squat|3",
        ])
    #expect(try scene.outcome("SELECT what FROM plan ORDER BY what") == ["bench", "squat"])
  }

  @Test func `a list that both sides rewrote is there once`() throws {
    let scene = try MergeScene(
      Self.schema, ours: Self.rewriting,
      theirs: "DELETE FROM plan; INSERT INTO plan (what, place, sets) VALUES ('squat', 1, 8)")
    #expect(
      try scene.outcome("SELECT what, count(*) FROM plan GROUP BY what ORDER BY what") == [
        "bench|1", "row|1", "squat|1",
      ])
  }
}
