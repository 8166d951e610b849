import OpenWOFiles
import Synchronization

@testable import OpenWO

/// A store whose queries are observed, and the number of times that they were read.
struct ObservedStore {
  let place: Place
  let store: SyncedDatabase
  private let counter = Counter()

  private final class Counter: Sendable {
    private let number = Mutex(0)
    var count: Int { number.withLock { $0 } }
    func add() { number.withLock { $0 += 1 } }
  }

  init() throws {
    place = try Place()
    try place.makeDatabase(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1,'one');
      CREATE TABLE other(id INTEGER PRIMARY KEY, t INTEGER REFERENCES t(id) ON DELETE CASCADE);
      CREATE VIEW seen AS SELECT v FROM t;
      CREATE TABLE log(v);
      CREATE TRIGGER noted AFTER INSERT ON t BEGIN INSERT INTO log VALUES (new.v); END;
      CREATE TABLE sure(k TEXT PRIMARY KEY) WITHOUT ROWID;
      CREATE VIRTUAL TABLE words USING fts5(w);
      """)
    _ = try place.initialize()
    store = try place.open()
  }

  /// How often a query was read.
  var reads: Int { counter.count }

  func values(
    _ sql: String = "SELECT v FROM t ORDER BY id", of other: SyncedDatabase? = nil
  ) -> ObservedValues<[String]>.AsyncIterator {
    (other ?? store).values { [counter] db in
      counter.add()
      return try db.rows(sql) { try $0.get(0) as String }
    }.makeAsyncIterator()
  }

  func run(_ sql: String, _ other: SyncedDatabase? = nil) throws {
    try (other ?? store).write { try $0.executeScript(sql) }
  }

  struct Stop: Error {}

  func runAndThrow(_ sql: String) throws {
    try store.write { db in
      try db.executeScript(sql)
      throw Stop()
    }
  }

  func rows(_ sql: String) throws -> [String] {
    try store.read { try $0.rows(sql) { try $0.get(0) } }
  }
}
