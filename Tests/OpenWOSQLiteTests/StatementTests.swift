import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

@Suite struct StatementTests {
  let scratch: ScratchFolder
  let db: Connection

  init() throws {
    scratch = try ScratchFolder()
    db = try scratch.open()
    try db.executeScript(
      """
      CREATE TABLE exercise(id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL);
      INSERT INTO exercise(name, weight) VALUES('squat', 60), ('plank', NULL), ('row', 42.5)
      """)
  }

  struct Exercise: RowDecodable, Equatable {
    var name: String
    var weight: Double?

    init(name: String, weight: Double?) {
      self.name = name
      self.weight = weight
    }

    init(row: borrowing Row) throws {
      name = try row.get("name")
      weight = try row.get("weight")
    }
  }

  @Test func `rows become what a closure makes of them`() throws {
    let names = try db.rows("SELECT name FROM exercise WHERE id > ?", 1) { try $0.get(0) as String }
    #expect(names == ["plank", "row"])
    #expect(try db.rows("SELECT name FROM exercise WHERE id > 9") { try $0.get(0) as String } == [])
  }

  @Test func `rows become structs, by name, in any order`() throws {
    let all = try db.rows("SELECT weight, id, name FROM exercise", as: Exercise.self)
    #expect(
      all == [
        Exercise(name: "squat", weight: 60), Exercise(name: "plank", weight: nil),
        Exercise(name: "row", weight: 42.5),
      ])
    #expect(try db.row("SELECT * FROM exercise WHERE id = ?", 3, as: Exercise.self) == all[2])
    #expect(try db.row("SELECT * FROM exercise WHERE id = ?", 4, as: Exercise.self) == nil)
  }

  @Test func `rows can be taken as they are`() throws {
    let rows: [ValueRow] = try db.rows("SELECT id, name, weight FROM exercise")
    #expect(rows.count == 3)
    #expect(rows[1].values == [.integer(2), .text("plank"), .null])
    #expect(rows[1]["name"] == .text("plank"))
    #expect(rows[1]["missing"] == nil)
    #expect(rows[1].columns == ["id", "name", "weight"])
    let first: ValueRow? = try db.row("SELECT 1 AS one")
    #expect(first?[0] == .integer(1))
  }

  @Test func `a single value is nothing for no row and for NULL`() throws {
    #expect(try db.value("SELECT max(weight) FROM exercise") == 60.0)
    #expect(try db.value("SELECT weight FROM exercise WHERE id = 2", as: Double.self) == nil)
    #expect(try db.value("SELECT weight FROM exercise WHERE id = 9", as: Double.self) == nil)
  }

  @Test func `execute tells how many rows it changed itself`() throws {
    #expect(try db.execute("UPDATE exercise SET weight = 1 WHERE id < ?", 3) == 2)
    #expect(try db.execute("CREATE TABLE other(a)") == 0)
    #expect(try db.execute("SELECT * FROM exercise") == 0)
    #expect(try db.execute("INSERT INTO exercise(name) VALUES(?)", "run") == 1)
    #expect(db.lastInsertRowID == 4)
    #expect(try db.execute("DELETE FROM exercise") == 4)
  }

  @Test func `arguments can be an array`() throws {
    let arguments: [any Bindable] = ["dip", 12, Double?.none]
    try db.execute("INSERT INTO exercise(name, id, weight) VALUES(?, ?, ?)", arguments: arguments)
    let found = try db.rows(
      "SELECT id FROM exercise WHERE name IN (?, ?)", arguments: ["dip", "row"]
    ) { try $0.get(0) as Int }
    #expect(found == [3, 12])
    var names: [String] = []
    try db.forEach("SELECT name FROM exercise WHERE id < ?", arguments: [3]) {
      names.append(try $0.get(0))
    }
    #expect(names == ["squat", "plank"])
  }

  @Test func `as many arguments as parameters`() throws {
    for wrong in [
      { _ = try db.execute("SELECT ?, ?", 1) }, { _ = try db.execute("SELECT ?", 1, 2) },
      { _ = try db.execute("SELECT 1", 1) }, { _ = try db.execute("SELECT ?", arguments: []) },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try wrong() }
      #expect(error?.code == .range)
    }
    #expect(try db.value("SELECT ?1 + ?1", 2) == 4)
  }

  @Test func `a column that is not there is an error`() throws {
    let byName = #expect(throws: SQLiteError.self) {
      try db.row("SELECT id, name FROM exercise") { try $0.get("weight") as Double }
    }
    #expect(byName?.message == "no column weight among: id, name")
    for index in [-1, 2] {
      let error = #expect(throws: SQLiteError.self) {
        try db.row("SELECT id, name FROM exercise") { try $0.get(index) as Int? }
      }
      #expect(error?.code == .range)
    }
  }

  @Test func `exactly one statement, unless it is a script`() throws {
    for sql in ["", "  -- nothing", ";", "SELECT 1; SELECT 2", "SELECT 1;; nonsense", "SELECT 1\0"]
    {
      #expect(throws: SQLiteError.self) { try db.execute(sql) }
    }
    #expect(try db.value("SELECT 1; -- one", as: Int.self) == 1)
    #expect(try db.value("/* so */ SELECT 1 ; \n", as: Int.self) == 1)
    try db.executeScript("; CREATE TABLE a(x); -- and\n CREATE TABLE b(x); /* done */")
    #expect(try db.value("SELECT count(*) FROM sqlite_schema") == 3)
  }

  @Test func `a long script takes no longer than its statements`() throws {
    let inserts = (0..<30_000).map { "INSERT INTO exercise(name) VALUES('number \($0)');" }
    try db.transaction { try db.executeScript(inserts.joined(separator: "\n")) }
    #expect(try db.value("SELECT count(*) FROM exercise") == 30_003)
  }

  @Test func `a failing script names the statement that failed`() throws {
    let script = "SELECT 1; INSERT INTO missing VALUES(';', 2); SELECT 3"
    let error = #expect(throws: SQLiteError.self) { try db.executeScript(script) }
    #expect(error?.sql == "INSERT INTO missing VALUES(';', 2)")
    #expect(error?.message == "no such table: missing")
  }

  @Test func `an error carries code, message and SQL, but no values`() throws {
    try db.execute("CREATE UNIQUE INDEX n ON exercise(name)")
    let error = #expect(throws: SQLiteError.self) {
      try db.execute("INSERT INTO exercise(name) VALUES(?)", "squat")
    }
    #expect(error?.code == .constraint)
    #expect(error?.extendedCode == .unique)
    #expect(error?.sql == "INSERT INTO exercise(name) VALUES(?)")
    #expect(
      error?.description
        == "UNIQUE constraint failed: exercise.name (SQLite code 2067)"
        + " in: INSERT INTO exercise(name) VALUES(?)")
    let isConstraint =
      switch error?.extendedCode {
      case .constraint?: true
      default: false
      }
    #expect(isConstraint)
    let wrong = #expect(throws: SQLiteError.self) { try db.executeScript("SELECT 1; SELEC 2") }
    #expect(wrong?.message == "near \"SELEC\": syntax error")
  }

  @Test func `the same text can run inside itself`() throws {
    let sql = "SELECT id FROM exercise WHERE id >= ? ORDER BY id"
    let pairs = try db.rows(sql, 2) { outer in
      let first = try outer.get(0) as Int
      return try db.rows(sql, first) { "\(first)\(try $0.get(0) as Int)" }
    }
    #expect(pairs == [["22", "23"], ["33"]])
  }

  @Test func `a statement is usable again after an error in its middle`() throws {
    struct Stop: Error {}
    let sql = "SELECT id FROM exercise"
    #expect(throws: Stop.self) { try db.forEach(sql) { _ in throw Stop() } }
    #expect(try db.rows(sql) { try $0.get(0) as Int } == [1, 2, 3])
    let statement = try db.prepare("SELECT ?")
    #expect(throws: SQLiteError.self) { try statement.row { try $0.get(0) as Int } }
    #expect(try statement.row(7) { try $0.get(0) as Int } == 7)
  }

  @Test func `more statements than the cache holds`() throws {
    for round in 1...3 {
      for number in 0..<200 {
        #expect(try db.value("SELECT \(number) + ?", round) == number + round)
      }
    }
    let long = String(repeating: " ", count: 10_000)
    for number in 0..<10 { #expect(try db.value("SELECT\(long)\(number)\(long)") == number) }
  }

  @Test func `a changed schema changes the columns of a kept statement`() throws {
    let sql = "SELECT * FROM exercise WHERE id = 1"
    let before: ValueRow? = try db.row(sql)
    try db.execute("ALTER TABLE exercise RENAME COLUMN weight TO load")
    try db.execute("ALTER TABLE exercise ADD COLUMN note TEXT DEFAULT 'new'")
    let after: ValueRow? = try db.row(sql)
    #expect(before?.columns == ["id", "name", "weight"])
    #expect(after?.columns == ["id", "name", "load", "note"])
    #expect(after?["note"] == .text("new"))
  }

  @Test func `two statements can be read at the same time`() throws {
    let up = try db.prepare("SELECT id FROM exercise ORDER BY id")
    let down = try db.prepare("SELECT id FROM exercise WHERE id <> ? ORDER BY id DESC")
    try up.start()
    try down.start(2)
    var seen: [Int] = []
    while let number = try up.next({ try $0.get(0) as Int }) {
      seen.append(number)
      if let other = try down.next({ try $0.get(0) as Int }) { seen.append(other) }
    }
    #expect(seen == [1, 3, 2, 1, 3])
    #expect(try down.next { try $0.get(0) as Int } == nil)
    #expect(try up.next { try $0.get(0) as Int } == nil)
    try up.start()
    #expect(throws: SQLiteError.self) { try up.start() }
    up.finish()
    #expect(up.isReadOnly)
    #expect(up.columnNames == ["id"])
  }

  @Test func `text bound to one run does not show in the next`() throws {
    let statement = try db.prepare("SELECT ?1 || '-' || ?2")
    let texts = ["", "a", String(repeating: "b", count: 300), String(repeating: "c", count: 3000)]
    for first in texts {
      for second in texts {
        let joined = try statement.row(first, second) { try $0.get(0) as String }
        #expect(joined == "\(first)-\(second)")
      }
    }
  }

  @Test func `a connection with virtual tables closes its file`() throws {
    try db.executeScript(
      """
      CREATE VIRTUAL TABLE note USING fts5(text); CREATE VIRTUAL TABLE old USING fts4(text);
      CREATE VIRTUAL TABLE place USING rtree(id, x0, x1);
      INSERT INTO note VALUES('squats'); INSERT INTO old VALUES('rows');
      INSERT INTO place VALUES(1, 2, 3)
      """)
    let statement = try db.prepare("SELECT count(*) FROM note WHERE text MATCH ?")
    #expect(try statement.row("squats") { try $0.get(0) as Int } == 1)
    #expect(try db.value("SELECT count(*) FROM old WHERE text MATCH 'rows'") == 1)
    #expect(try db.value("SELECT x1 FROM place") == 3.0)
    #expect(try isOpen())
    db.close()
    #expect(try !isOpen())
  }

  /// Whether this process has the file open.
  private func isOpen() throws -> Bool {
    let path = scratch("a.db").string
    return try FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd").contains {
      (try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")) == path
    }
  }

  @Test func `a closed connection fails, with all of its statements`() throws {
    let statement = try db.prepare("SELECT 1")
    try statement.start()
    db.close()
    db.close()
    for use in [
      { try statement.execute() }, { _ = try statement.next { try $0.get(0) as Int } },
      { try db.executeScript("SELECT 1") }, { _ = try db.execute("SELECT 1") },
      { _ = try db.fileSize() }, { _ = try db.header() }, { try db.transaction {} },
    ] as [() throws -> Void] {
      let error = #expect(throws: SQLiteError.self) { try use() }
      #expect(error?.message == "the connection is closed")
    }
    statement.finish()
    #expect(!db.isInTransaction)
    #expect(db.changes == 0)
  }
}
