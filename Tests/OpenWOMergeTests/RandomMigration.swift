import OpenWOTestSupport

@testable import OpenWOMerge

/// A table whose columns sides add, rename and drop while they write in it, all from a seed.
///
/// Each row has a mark that is never changed, and each written value is there once.
struct RandomMigration {
  var random: SeededRandom
  /// Whether just one side renamed or dropped a column.
  private(set) var losesColumn = false
  private let schema: String
  private let shared: String
  private var values = 0

  private static let keyed = [
    "(id INTEGER PRIMARY KEY, mark, a, b)", "(mark TEXT PRIMARY KEY, a, b)",
    "(a, mark TEXT, b, PRIMARY KEY(mark)) WITHOUT ROWID", "(k, mark, a, b, PRIMARY KEY(k))",
  ]

  private static let additions = ["n", "n DEFAULT 'dd'", "n TEXT DEFAULT 5", "n REAL DEFAULT 7"]

  init(seed: Int) {
    random = SeededRandom(seed: UInt64(seed))
    schema = random.chance(percent: 40) ? "(mark, a, b)" : random.pick(Self.keyed)
    shared =
      random.chance(percent: 50) ? "ALTER TABLE t ADD COLUMN \(random.pick(Self.additions))" : ""
  }

  mutating func create(_ database: TestDatabase) throws {
    try database.script("CREATE TABLE t\(schema)")
    for index in 0..<(3 + random.below(30)) { try insert(database, "base\(index)") }
  }

  /// What one side does; the column that both add is added by each, and either may add one of its own.
  mutating func write(_ database: TestDatabase, by side: String) throws {
    if random.chance(percent: 20) { try database.script("VACUUM") }
    try database.script(shared)
    if side == "ours" {
      try alter(database)
    } else if shared.isEmpty, random.chance(percent: 40) {
      let addition = "m" + random.pick(Self.additions).dropFirst()
      try database.script("ALTER TABLE t ADD COLUMN \(addition)")
    }
    let columns = try columns(database)
    let marks = try database.cells("SELECT mark FROM t").map(\.[0])
    for index in 0..<random.below(9) {
      switch random.below(10) {
      case 0..<3: try insert(database, "\(side)\(index)")
      case 3..<8:
        try database.run(
          "UPDATE t SET \(random.pick(columns)) = ? WHERE mark = ?", value(), random.pick(marks))
      default:
        // If its number is used again, a new column's default is a cell that is left (see docs/LIMITS.md).
        let isLast = schema.hasSuffix("ROWID") ? "0" : "rowid = (SELECT max(rowid) FROM t)"
        let spared = shared.isEmpty ? "0" : isLast
        try database.run("DELETE FROM t WHERE mark = ? AND NOT \(spared)", random.pick(marks))
      }
    }
    if random.chance(percent: 40) { try database.script("VACUUM") }
  }

  private mutating func alter(_ database: TestDatabase) throws {
    guard shared.isEmpty else { return }
    switch random.below(8) {
    case 0: try database.script("ALTER TABLE t RENAME COLUMN a TO c")
    case 1: try database.script("ALTER TABLE t DROP COLUMN b")
    case 2, 3: try database.script("ALTER TABLE t ADD COLUMN \(random.pick(Self.additions))")
    default: return
    }
    losesColumn =
      try database.cells(
        "SELECT count(*) FROM pragma_table_info('t') WHERE name IN ('a', 'b')")[0][0] != .integer(2)
  }

  private mutating func insert(_ database: TestDatabase, _ mark: String) throws {
    try database.run("INSERT INTO t(mark) VALUES (?)", .text(mark))
    for column in try columns(database) where random.chance(percent: 60) {
      try database.run("UPDATE t SET \(column) = ? WHERE mark = ?", value(), .text(mark))
    }
  }

  /// The columns to write in.
  private func columns(_ database: TestDatabase) throws -> [String] {
    try database.cells("SELECT name FROM pragma_table_info('t')").compactMap(\.[0].string)
      .filter { !["id", "mark", "k"].contains($0) }
  }

  private mutating func value() -> CellValue {
    values += 1
    return .text("value \(values)")
  }
}
