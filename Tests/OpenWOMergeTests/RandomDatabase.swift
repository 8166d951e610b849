import OpenWOTestSupport

@testable import OpenWOMerge

/// Makes databases with odd tables and odd values, and changes them, all from a seed.
struct RandomDatabase {
  var random: SeededRandom
  private(set) var tables: [String] = []

  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  private static let shapes = [
    "(id INTEGER PRIMARY KEY, a, b REAL, c TEXT)",
    "(id INTEGER PRIMARY KEY AUTOINCREMENT, a TEXT, b BLOB, c NUMERIC)",
    "(a, b REAL, c TEXT)",
    "(a PRIMARY KEY, b, c) WITHOUT ROWID",
    "(a, b, c TEXT, d GENERATED ALWAYS AS (typeof(a)) STORED, PRIMARY KEY(c, a)) WITHOUT ROWID",
    "(a TEXT COLLATE NOCASE PRIMARY KEY, b DOUBLE, c)",
    "(a TEXT COLLATE RTRIM PRIMARY KEY DESC, b, c) WITHOUT ROWID",
    "(a TEXT, v AS (a || 'x'), b, c, PRIMARY KEY(b, a))",
    "(rowid, oid, _rowid_, a, b, c)",
    "(a INTEGER PRIMARY KEY, b ANY, c TEXT) STRICT",
    "(a PRIMARY KEY, b FLOAT, c)",
  ]

  /// A script's worth of tables and rows.
  mutating func fill(_ database: TestDatabase, pageSize: Int, encoding: String) throws {
    try database.script("PRAGMA page_size=\(pageSize); PRAGMA encoding='\(encoding)'")
    try database.script("PRAGMA journal_mode=DELETE; PRAGMA synchronous=OFF; BEGIN")
    for index in 0..<(1 + random.below(4)) {
      let name = random.pick(["plain", "with \"quotes\"", "new\nline", "t'x"]) + "\(index)"
      tables.append(name)
      try database.script("CREATE TABLE \(SQLName.quoted(name)) \(random.pick(Self.shapes))")
      for _ in 0..<random.pick([0, 3, 40, 300]) { try insert(into: name, database) }
    }
    try database.script("COMMIT")
  }

  /// Some changes, rarely to the schema or to where everything lies.
  mutating func edit(_ database: TestDatabase) throws {
    try database.script("BEGIN")
    for _ in 0..<random.pick([0, 1, 5, 40]) {
      let table = random.pick(tables)
      switch random.below(10) {
      case 0..<4: try insert(into: table, database)
      case 4..<8: try update(table, database)
      default: try delete(from: table, database)
      }
    }
    try database.script("COMMIT")
    if random.chance(percent: 10) { try database.script("VACUUM") }
    if random.chance(percent: 10) {
      try? database.script(
        "ALTER TABLE \(SQLName.quoted(random.pick(tables))) ADD COLUMN added DEFAULT 'none'")
    }
    if random.chance(percent: 5) { try database.script("DROP TABLE \(SQLName.quoted(tables[0]))") }
  }

  private mutating func insert(into table: String, _ database: TestDatabase) throws {
    try? database.run(
      "INSERT OR IGNORE INTO \(SQLName.quoted(table))(a, b, c) VALUES (?, ?, ?)", value(), value(),
      value())
  }

  private mutating func update(_ table: String, _ database: TestDatabase) throws {
    let column = random.pick(["a", "b", "c"])
    try? database.run(
      "UPDATE OR IGNORE \(SQLName.quoted(table)) SET \(column) = ? WHERE \(random.pick(["a", "b", "c"])) > ?",
      value(), value())
  }

  private mutating func delete(from table: String, _ database: TestDatabase) throws {
    try? database.run("DELETE FROM \(SQLName.quoted(table)) WHERE b = ? OR c = ?", value(), value())
  }

  mutating func value() -> CellValue {
    switch random.below(16) {
    case 0: return .null
    case 1: return .integer(Int64(random.below(20)))
    case 2: return .integer(random.pick([.min, .max, -1, 1 << 53, (1 << 53) + 1]))
    case 3:
      return .real(
        random.pick([0.0, -0.0, 1.0, 2.5, .infinity, -.infinity, 1e300, .leastNonzeroMagnitude]))
    case 4: return .real(Double(random.below(20)))
    case 5:
      return .text(random.pick(["", "a", "A", "a ", "a\0b", "a\0c", "é", "\u{10FFFF}z", "12"]))
    case 6: return .blob(random.pick([[], [0], [0x61], [0xFF, 0xFE]]))
    case 7: return .text(Array(repeating: UInt8(0x61 + random.below(3)), count: random.below(5000)))
    case 8: return .blob(Array(repeating: UInt8(random.below(3)), count: random.below(9000)))
    case 9: return .text("\(random.below(10))")
    case 10: return .real(Double(random.below(1000)) / 8)
    default: return .text("row \(random.below(2000))")
    }
  }
}
