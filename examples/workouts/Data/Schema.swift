import OpenWOApp

/// The tables, step by step as the app grew.
///
/// A new step goes to the end; one that users have is never changed.
enum Schema {
  static let migrations = Migrations([
    .init(1) { db in
      try db.executeScript(templates)
      // Only when the tables are made: afterwards the templates are the user's, to edit and to
      // delete.
      try Seeds.bundled().insert(into: db)
    },
    .init(2) { db in try db.executeScript(sessions) },
    .init(3) { db in try db.executeScript(dailyChallenge) },
    .init(4) { db in
      try db.execute("ALTER TABLE session ADD COLUMN isPartial INTEGER NOT NULL DEFAULT 0")
      try db.execute("ALTER TABLE session ADD COLUMN feedback TEXT")
    },
    .init(5) { db in
      try db.execute("ALTER TABLE exerciseLog ADD COLUMN failed INTEGER NOT NULL DEFAULT 0")
      try db.execute("ALTER TABLE exerciseLog ADD COLUMN achievedValue INTEGER")
    },
    .init(6) { db in try db.executeScript(once) },
  ])

  private static let templates = """
    CREATE TABLE exercise (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      measure TEXT NOT NULL CHECK (measure IN ('repetitions', 'seconds')),
      isWeighted INTEGER NOT NULL);
    CREATE TABLE workout (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      name TEXT NOT NULL UNIQUE,
      description TEXT NOT NULL DEFAULT '');
    CREATE TABLE workoutExercise (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      workoutId INTEGER NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
      exerciseId INTEGER NOT NULL REFERENCES exercise (id),
      position INTEGER NOT NULL,
      sets INTEGER NOT NULL,
      target INTEGER NOT NULL);
    CREATE INDEX workoutExerciseOfWorkout ON workoutExercise (workoutId, position);
    """

  private static let sessions = """
    CREATE TABLE session (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sessionType TEXT NOT NULL,
      date TEXT NOT NULL,
      startedAt TEXT NOT NULL,
      durationSeconds INTEGER NOT NULL);
    CREATE TABLE exerciseLog (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      sessionId INTEGER NOT NULL REFERENCES session (id) ON DELETE CASCADE,
      workoutExerciseId INTEGER NOT NULL REFERENCES workoutExercise (id),
      weight REAL);
    CREATE INDEX exerciseLogOfSession ON exerciseLog (sessionId);
    CREATE INDEX exerciseLogOfExercise ON exerciseLog (workoutExerciseId);
    """

  private static let dailyChallenge = """
    CREATE TABLE dailyChallenge (
      id INTEGER PRIMARY KEY AUTOINCREMENT,
      date TEXT NOT NULL UNIQUE,
      setsCompleted INTEGER NOT NULL);
    """

  /// A workout asks for an exercise once, so what was logged finds it again after the plan was rewritten on another device.
  private static let once = """
    UPDATE exerciseLog SET workoutExerciseId = (
      SELECT min(twin.id) FROM workoutExercise AS own JOIN workoutExercise AS twin
        ON twin.workoutId = own.workoutId AND twin.exerciseId = own.exerciseId
      WHERE own.id = workoutExerciseId)
    WHERE workoutExerciseId IN (SELECT id FROM workoutExercise);
    DELETE FROM workoutExercise WHERE id NOT IN (
      SELECT min(id) FROM workoutExercise GROUP BY workoutId, exerciseId);
    CREATE UNIQUE INDEX workoutExerciseOnce ON workoutExercise (workoutId, exerciseId);
    """
}
