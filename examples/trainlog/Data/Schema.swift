import OpenWOApp

/// The tables; ids are made on the device that makes the row, and are the same everywhere.
enum Schema {
  static let migrations = Migrations([
    .init(1) { db in
      try db.executeScript(
        """
        CREATE TABLE workout (
          id TEXT PRIMARY KEY,
          date TEXT NOT NULL,
          note TEXT NOT NULL DEFAULT '');
        CREATE TABLE exerciseSet (
          id TEXT PRIMARY KEY,
          workoutId TEXT NOT NULL REFERENCES workout (id) ON DELETE CASCADE,
          position INTEGER NOT NULL,
          exerciseId TEXT NOT NULL,
          weight REAL,
          reps INTEGER,
          durationSeconds INTEGER,
          rpe REAL,
          createdAt TEXT NOT NULL);
        CREATE INDEX exerciseSetOfWorkout ON exerciseSet (workoutId, position);
        CREATE TABLE favoriteExercise (
          exerciseId TEXT PRIMARY KEY,
          createdAt TEXT NOT NULL);
        CREATE TABLE userSettings (
          id TEXT PRIMARY KEY CHECK (id = 'singleton'),
          weightUnitRaw TEXT NOT NULL,
          updatedAt TEXT NOT NULL);
        """)
    }
  ])
}
