import OpenWOTestSupport

@testable import OpenWOMerge

/// Makes tables that point to one another, and lets devices write to them, all from a seed.
struct RandomHistory {
  var random: SeededRandom
  private(set) var tables: [String] = []
  private var marks = 0

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  /// Tables whose rows each carry a mark of their own, so that a row is known wherever it goes.
  mutating func create(_ database: TestDatabase) throws {
    let count = 2 + random.below(3)
    for index in 0..<count {
      let parent = "t\(random.below(count))"
      let action = random.pick(["", "ON DELETE CASCADE", "ON DELETE SET NULL"])
      let number = random.pick(["INTEGER PRIMARY KEY", "INTEGER PRIMARY KEY AUTOINCREMENT"])
      let clock = random.chance(percent: 30) ? ", modifiedAt INTEGER" : ""
      let unique = random.chance(percent: 40) ? ", u INTEGER UNIQUE" : ""
      try database.script(
        "CREATE TABLE t\(index)(id \(number), mark TEXT, a, b\(clock)\(unique),"
          + " up INTEGER REFERENCES \(parent) \(action))")
      tables.append("t\(index)")
    }
    try database.script(
      "CREATE TABLE pair(l INTEGER REFERENCES t0 ON DELETE CASCADE, r INTEGER REFERENCES t1 "
        + "ON DELETE CASCADE, mark TEXT, PRIMARY KEY(l, r)) WITHOUT ROWID")
    for _ in 0..<(5 + random.below(40)) { try insert(database, by: "base") }
  }

  /// Some writes by one device.
  mutating func write(_ database: TestDatabase, by device: String) throws {
    for _ in 0..<random.pick([0, 1, 3, 10, 30]) {
      let table = random.pick(tables)
      switch random.below(10) {
      case 0..<5: try insert(database, by: device)
      case 5..<8:
        let column = random.pick(["a", "b", "up"])
        try? database.run(
          "UPDATE \(table) SET \(column) = ? WHERE id = ?", .integer(Int64(random.below(8))),
          .integer(Int64(random.below(30))))
        try? database.run("UPDATE \(table) SET modifiedAt = ?", .integer(Int64(random.below(99))))
      default:
        try? database.run("DELETE FROM \(table) WHERE id = ?", .integer(Int64(random.below(30))))
      }
    }
  }

  private mutating func insert(_ database: TestDatabase, by device: String) throws {
    marks += 1
    let mark = CellValue.text("\(device)\(marks)")
    if random.chance(percent: 20) {
      try? database.run(
        "INSERT INTO pair SELECT (SELECT max(id) FROM t0), (SELECT max(id) FROM t1), ?", mark)
      return
    }
    let table = random.pick(tables)
    try? database.run(
      "INSERT INTO \(table)(mark, a, up) VALUES (?, ?, ?)", mark, .integer(Int64(random.below(5))),
      random.chance(percent: 30) ? .null : .integer(Int64(random.below(20))))
    if random.chance(percent: 50) {
      try? database.run(
        "UPDATE OR IGNORE \(table) SET u = ? WHERE mark = ?", .integer(Int64(random.below(15))),
        mark)
    }
  }
}
