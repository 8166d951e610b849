import OpenWOApp

/// The tables.
enum Schema {
  static let migrations = Migrations([
    .init(1) { db in
      try db.executeScript(
        """
        CREATE TABLE todo (
          id TEXT PRIMARY KEY,
          title TEXT NOT NULL,
          isCompleted INTEGER NOT NULL DEFAULT 0 CHECK (isCompleted IN (0, 1)));
        CREATE TABLE settings (
          id TEXT PRIMARY KEY,
          resetTime INTEGER NOT NULL DEFAULT 0,
          updatedAt TEXT NOT NULL);
        """)
    },
    // Done items are to be done again on another day.
    .init(2) { db in try db.execute("ALTER TABLE todo ADD COLUMN completedAt TEXT") },
  ])
}
