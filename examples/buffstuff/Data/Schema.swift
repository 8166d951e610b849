import OpenWOApp

/// The tables of the design, column by column; `device` is this app's own, for the active workout.
enum Schema {
  static let migrations = Migrations([
    .init(1) { db in
      try db.executeScript(
        """
        CREATE TABLE exercise (
          id TEXT PRIMARY KEY,
          name TEXT NOT NULL,
          muscleGroup TEXT NOT NULL DEFAULT 'other',
          equipment TEXT NOT NULL DEFAULT 'other',
          notes TEXT NOT NULL DEFAULT '',
          isFavorite INTEGER NOT NULL DEFAULT 0 CHECK (isFavorite IN (0, 1)),
          isDeleted INTEGER NOT NULL DEFAULT 0 CHECK (isDeleted IN (0, 1)),
          defaultWeight REAL NOT NULL DEFAULT 0,
          defaultReps INTEGER NOT NULL DEFAULT 8,
          weightIncrement REAL NOT NULL DEFAULT 2.5,
          createdAt TEXT NOT NULL,
          modifiedAt TEXT NOT NULL);
        CREATE TABLE workout (
          id TEXT PRIMARY KEY,
          name TEXT NOT NULL,
          startedAt TEXT NOT NULL,
          completedAt TEXT,
          notes TEXT NOT NULL DEFAULT '',
          entriesJSON TEXT NOT NULL DEFAULT '[]',
          isDeleted INTEGER NOT NULL DEFAULT 0 CHECK (isDeleted IN (0, 1)),
          modifiedAt TEXT NOT NULL,
          device TEXT NOT NULL);
        """)
    }
  ])
}
