import GRDB

/// GRDB, used as its documentation recommends: a queue, cached statements, records where comfort is compared.
enum GRDBPeer {
  static let schema = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight REAL NOT NULL, note TEXT NOT NULL)
    """

  struct Entry: Codable, FetchableRecord, PersistableRecord {
    static let databaseTableName = "t"
    var id: Int64
    var name: String
    var weight: Double
    var note: String

    var sum: Int64 { id + Int64(name.utf8.count) + Int64(note.utf8.count) + Int64(weight) }
  }

  struct ByIndex: FetchableRecord {
    let entry: Entry
    init(row: GRDB.Row) { entry = Entry(id: row[0], name: row[1], weight: row[2], note: row[3]) }
  }

  struct ByName: FetchableRecord {
    let entry: Entry
    init(row: GRDB.Row) {
      entry = Entry(id: row["id"], name: row["name"], weight: row["weight"], note: row["note"])
    }
  }

  private static let all = "SELECT id, name, weight, note FROM t"
  private static let one = all + " WHERE id = ?"

  static func queue(_ path: String) throws -> DatabaseQueue {
    var configuration = GRDB.Configuration()
    configuration.prepareDatabase { try $0.execute(sql: "PRAGMA synchronous = OFF") }
    return try DatabaseQueue(path: path, configuration: configuration)
  }

  static func fetchByIndex(_ queue: DatabaseQueue) throws -> Int64 {
    try queue.read { try ByIndex.fetchAll($0, sql: all) }.reduce(0) { $0 + $1.entry.sum }
  }

  static func fetchByName(_ queue: DatabaseQueue) throws -> Int64 {
    try queue.read { try ByName.fetchAll($0, sql: all) }.reduce(0) { $0 + $1.entry.sum }
  }

  static func fetchCodable(_ queue: DatabaseQueue) throws -> Int64 {
    try queue.read { try Entry.fetchAll($0, sql: all) }.reduce(0) { $0 + $1.sum }
  }

  static func insert(_ path: String, _ rows: [CommitsGroup.Row]) throws {
    let queue = try queue(path)
    try queue.write { db in
      try db.execute(sql: schema)
      let insert = try db.makeStatement(
        sql: "INSERT INTO t(id, name, weight, note) VALUES (?, ?, ?, ?)")
      for (place, row) in rows.enumerated() {
        try insert.execute(arguments: [place + 1, row.name, row.weight, row.note])
      }
    }
    try queue.close()
  }

  static func insertRecords(_ path: String, _ rows: [CommitsGroup.Row]) throws {
    let queue = try queue(path)
    try queue.write { db in
      try db.execute(sql: schema)
      for (place, row) in rows.enumerated() {
        try Entry(id: Int64(place) + 1, name: row.name, weight: row.weight, note: row.note).insert(
          db)
      }
    }
    try queue.close()
  }

  static func lookUp(_ queue: DatabaseQueue, _ count: Int) throws -> Int64 {
    try queue.read { db in
      var (ids, sum) = (WrapperGroup.Ids(), Int64(0))
      let statement = try db.cachedStatement(sql: one)
      for _ in 0..<count {
        sum += try ByIndex.fetchOne(statement, arguments: [ids.next()])?.entry.sum ?? 0
      }
      return sum
    }
  }

  static func lookUpEach(_ queue: DatabaseQueue, _ count: Int) throws -> Int64 {
    var (ids, sum) = (WrapperGroup.Ids(), Int64(0))
    for _ in 0..<count {
      let id = ids.next()
      sum += try queue.read { db in
        try ByIndex.fetchOne(db.cachedStatement(sql: one), arguments: [id])?.entry.sum ?? 0
      }
    }
    return sum
  }
}
