import OpenWOSQLite
import OpenWOTestSupport
import Testing

@Suite struct MigrationsTests {
  let scratch: ScratchFolder
  let db: Connection

  init() throws {
    scratch = try ScratchFolder()
    db = try scratch.open()
  }

  private let create = Migrations.Step(1) { db in
    try db.executeScript(
      """
      CREATE TABLE workout(id INTEGER PRIMARY KEY, name TEXT);
      CREATE TABLE session(id INTEGER PRIMARY KEY,
        workout INTEGER REFERENCES workout(id) ON DELETE CASCADE);
      INSERT INTO workout VALUES(1, 'legs');
      INSERT INTO session VALUES(1, 1)
      """)
  }

  private let rebuild = Migrations.Step(3) { db in
    try db.executeScript(
      """
      CREATE TABLE renewed(id INTEGER PRIMARY KEY, name TEXT NOT NULL, note TEXT);
      INSERT INTO renewed SELECT id, name, '' FROM workout;
      DROP TABLE workout;
      ALTER TABLE renewed RENAME TO workout
      """)
  }

  @Test func `steps are taken once, in order, and remembered`() throws {
    #expect(try Migrations([rebuild, create]).run(on: db) == [1, 3])
    #expect(try db.userVersion == 3)
    #expect(try Migrations([create, rebuild]).run(on: db) == [])
    let more = Migrations([
      create, rebuild, .init(4) { try $0.execute("ALTER TABLE session ADD COLUMN at TEXT") },
    ])
    #expect(try more.pending(in: db).map(\.number) == [4])
    #expect(try more.run(on: db) == [4])
    #expect(more.latest == 4)
  }

  @Test func `rebuilding a table keeps the rows that point to it`() throws {
    try Migrations([create, rebuild]).run(on: db)
    #expect(try db.value("SELECT count(*) FROM session") == 1)
    #expect(try db.value("PRAGMA foreign_keys", as: Bool.self) == true)
  }

  @Test func `a failing step leaves what the step before has left`() throws {
    let failing = Migrations.Step(2) { db in
      try db.execute("DROP TABLE session")
      try db.execute("DROP TABLE missing")
    }
    #expect(throws: SQLiteError.self) { try Migrations([create, failing, rebuild]).run(on: db) }
    #expect(try db.userVersion == 1)
    #expect(try db.value("SELECT count(*) FROM session") == 1)
    #expect(!db.isInTransaction)
    #expect(try db.value("PRAGMA foreign_keys", as: Bool.self) == true)
  }

  @Test func `a step that breaks foreign keys is undone, older damage does not matter`() throws {
    try Migrations([create]).run(on: db)
    try db.withoutForeignKeys { try db.execute("INSERT INTO session VALUES(2, 77)") }
    #expect(try Migrations([create, rebuild]).run(on: db) == [3])
    let breaking = Migrations.Step(5) { try $0.execute("DELETE FROM workout") }
    let error = #expect(throws: MigrationError.self) {
      try Migrations([create, rebuild, breaking]).run(on: db)
    }
    guard case .brokenForeignKeys(5, let rows) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(rows.map(\.rowID) == [1])
    #expect(try db.value("SELECT count(*) FROM workout") == 1)
  }

  @Test func `a database of a newer program is left alone`() throws {
    try Migrations([create]).run(on: db)
    try db.setUserVersion(9)
    let before = try scratch.bytes("a.db")
    let error = #expect(throws: MigrationError.self) { try Migrations([create]).run(on: db) }
    #expect(error == .newer(found: 9, known: 1))
    #expect(
      error?.description
        == "the database has schema version 9, this program knows versions up to 1")
    #expect(try scratch.bytes("a.db") == before)
  }

  @Test func `a faster process is not an error`() throws {
    let path = scratch("a.db")
    let raced = Migrations.Step(1) { _ in Issue.record("taken twice") }
    let pending = try Migrations([raced]).pending(in: db)
    try Shell.run(path, "PRAGMA user_version = 1;")
    #expect(try pending.map { try $0.run(on: db) } == [false])
  }

  @Test func `wrong numbers and open transactions are refused`() throws {
    for steps in [[create, create], [.init(0) { _ in }], [.init(-1) { _ in }]] {
      #expect(throws: SQLiteError.self) { try Migrations(steps).run(on: db) }
    }
    #expect(throws: SQLiteError.self) {
      try db.transaction { try Migrations([create]).run(on: db) }
    }
    #expect(try db.userVersion == 0)
    #expect(try Migrations([]).run(on: db) == [])
  }
}
