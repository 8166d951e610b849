import OpenWO
import SystemPackage
import Testing

/// Queries that are observed: a value after each change that matters, and none after any other.
struct ObservationTests {
  private let observed: ObservedStore
  private var place: Place { observed.place }
  private var store: SyncedDatabase { observed.store }

  init() throws { observed = try ObservedStore() }

  @Test func `the first value comes at once, and the next one after a write`() async throws {
    var values = observed.values()
    #expect(try await values.next() == ["one"])
    try observed.run("INSERT INTO t(v) VALUES('two')")
    #expect(try await values.next() == ["one", "two"])
    #expect(observed.reads == 2)
  }

  @Test func `a write to another table does not even read the query again`() async throws {
    var values = observed.values()
    _ = try await values.next()
    for _ in 0..<3 {
      try observed.run("INSERT INTO log VALUES('x'); INSERT INTO sure VALUES(random())")
    }
    try observed.run("DELETE FROM log WHERE v = 'absent'")
    _ = try store.reconcile()
    try observed.run("UPDATE t SET v = 'ONE'")
    #expect(try await values.next() == ["ONE"])
    #expect(observed.reads == 2)
  }

  @Test func `a write that leaves the value as it is brings none`() async throws {
    var values = observed.values()
    _ = try await values.next()
    try observed.run("UPDATE t SET v = 'one'")
    try observed.run("INSERT INTO t(v) VALUES('two')")
    try observed.run("DELETE FROM t WHERE v = 'two'")
    let waiting = values
    let next = Task {
      var values = waiting
      return try await values.next()
    }
    while observed.reads < 2 { await Task.yield() }
    try observed.run("UPDATE t SET v = 'ONE'")
    #expect(try await next.value == ["ONE"])
  }

  @Test(arguments: [
    ("SELECT v FROM seen", "INSERT INTO t(v) VALUES('x')"),
    ("SELECT v FROM log", "INSERT INTO t(v) VALUES('x')"),
    ("SELECT count(*) FROM other", "DELETE FROM t WHERE id = 1"),
    ("SELECT count(*) FROM t", "DELETE FROM t"),
    ("SELECT k FROM sure", "REPLACE INTO sure VALUES('k')"),
    ("SELECT w FROM words WHERE words MATCH 'new'", "INSERT INTO words VALUES('new')"),
    ("SELECT name FROM sqlite_schema", "CREATE TABLE further(x)"),
    ("SELECT name FROM pragma_table_info('t')", "ALTER TABLE t ADD COLUMN further"),
    ("SELECT user_version FROM pragma_user_version", "PRAGMA user_version = 7"),
    (
      "WITH a AS (SELECT v FROM t) SELECT v FROM a WHERE v IN (SELECT v FROM LOG)",
      "INSERT INTO t(v) VALUES('x')"
    ),
    ("SELECT v FROM t WHERE EXISTS (SELECT 1 FROM sure)", "INSERT INTO sure VALUES('k')"),
  ])
  func `tables are known through views, triggers, cascades and modules`(
    query: String, write: String
  ) async throws {
    try observed.run("INSERT INTO other VALUES(1, 1)")
    var values = store.values { db in try db.rows(query) }.makeAsyncIterator()
    let first = try await values.next()
    try observed.run(write)
    #expect(try await values.next() != first)
  }

  @Test func `a view that was replaced is known by its new tables`() async throws {
    let query = "SELECT v FROM seen"
    var before = observed.values(query)
    _ = try await before.next()
    try observed.run("DROP VIEW seen; CREATE VIEW seen AS SELECT k AS v FROM sure")
    #expect(try await before.next() == [])
    try observed.run("INSERT INTO sure VALUES('k')")
    #expect(try await before.next() == ["k"])
  }

  @Test func `a query may read other tables each time`() async throws {
    var values = store.values { db -> [String] in
      let isEmpty = try db.value("SELECT count(*) FROM log", as: Int.self) == 0
      return try db.rows(isEmpty ? "SELECT v FROM t" : "SELECT k FROM sure") { try $0.get(0) }
    }.makeAsyncIterator()
    #expect(try await values.next() == ["one"])
    try observed.run("INSERT INTO log VALUES('x')")
    #expect(try await values.next() == [])
    try observed.run("INSERT INTO sure VALUES('k')")
    #expect(try await values.next() == ["k"])
  }

  @Test func `a write of several observers' tables wakes each of them`() async throws {
    var (rows, keys) = (observed.values(), observed.values("SELECT k FROM sure"))
    _ = (try await rows.next(), try await keys.next())
    try observed.run("INSERT INTO t(v) VALUES('two'); INSERT INTO sure VALUES('k')")
    #expect(try await rows.next() == ["one", "two"])
    #expect(try await keys.next() == ["k"])
  }

  @Test func `a slow loop gets the newest value, once`() async throws {
    var values = observed.values()
    _ = try await values.next()
    for number in 0..<10 { try observed.run("UPDATE t SET v = '\(number)'") }
    #expect(try await values.next() == ["9"])
    #expect(observed.reads == 2)
  }

  @Test func `a write that is rolled back brings no value`() async throws {
    var values = observed.values()
    _ = try await values.next()
    #expect(throws: ObservedStore.Stop.self) { try observed.runAndThrow("DELETE FROM t") }
    try observed.run("UPDATE t SET v = 'ONE'")
    #expect(try await values.next() == ["ONE"])
    #expect(observed.reads == 2)
  }

  @Test func `commits that are captured later are seen at once`() async throws {
    var configuration = place.configuration("phone", realTime: true)
    configuration.capturing = .whenIdle
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    var values = observed.values(of: store)
    _ = try await values.next()
    try observed.run("UPDATE t SET v = 'ONE'", store)
    #expect(try await values.next() == ["ONE"])
    try store.close()
  }
}
