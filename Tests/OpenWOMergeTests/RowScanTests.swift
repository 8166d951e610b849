import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// Tables with more rows than are fetched at once.
struct RowScanTests {
  /// 1,300 rows are three fetches.
  private static let numbers =
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 1300) "

  static let tables: [(String, String)] = [
    (
      "by rowid, some below zero",
      "CREATE TABLE t(v); INSERT INTO t(rowid, v) \(numbers)SELECT i * 7 - 4000, i FROM n"
    ),
    (
      "by a key of two columns",
      "CREATE TABLE t(a TEXT COLLATE NOCASE, b, v, PRIMARY KEY(a, b DESC)) WITHOUT ROWID; "
        + "INSERT INTO t \(numbers)SELECT CASE i % 3 WHEN 0 THEN 'a' WHEN 1 THEN 'B' ELSE x'61' END, "
        + "CASE i % 4 WHEN 0 THEN i WHEN 1 THEN i + 0.5 WHEN 2 THEN 'k' || i ELSE CAST(i AS BLOB) END, i "
        + "FROM n"
    ),
    (
      "by a key with spaces at its end",
      "CREATE TABLE t(a TEXT COLLATE RTRIM PRIMARY KEY DESC, v) WITHOUT ROWID; "
        + "INSERT INTO t \(numbers)SELECT i || substr('   ', 1, i % 4), i FROM n"
    ),
    (
      "by a key that tells more apart than its column does",
      "CREATE TABLE t(a TEXT COLLATE NOCASE, v, PRIMARY KEY(a COLLATE BINARY)) WITHOUT ROWID; "
        + "INSERT INTO t \(numbers)SELECT CASE i % 2 WHEN 0 THEN 'K' ELSE 'k' END || (i / 2), i FROM n"
    ),
    (
      "rowid out of reach, NULL in keys",
      "CREATE TABLE t(rowid, oid, _rowid_, k UNIQUE, PRIMARY KEY(rowid, oid)); "
        + "INSERT INTO t \(numbers)SELECT i / 100, CASE WHEN i % 100 < 60 THEN NULL ELSE i END, i, NULL FROM n"
    ),
    (
      "text in keys that is no UTF-8",
      "CREATE TABLE t(k PRIMARY KEY, v) WITHOUT ROWID; "
        + "INSERT INTO t \(numbers)SELECT CAST(X'FF' || i AS TEXT), i FROM n; "
        + "INSERT INTO t \(numbers)SELECT i, i FROM n; "
        + "INSERT INTO t \(numbers)SELECT CAST(i AS BLOB), i FROM n"
    ),
    (
      "rows of a megabyte",
      "CREATE TABLE t(k PRIMARY KEY, b) WITHOUT ROWID; "
        + "INSERT INTO t \(numbers)SELECT i, zeroblob(1000000) FROM n LIMIT 11"
    ),
  ]

  @Test(arguments: tables)
  func `each row comes once`(kind: String, sql: String) throws {
    let scratch = try Scratch()
    let database = try scratch.database(sql)
    let shape = try #require(SchemaReader(connection: database.connection).read().tables["t"])
    let scan = RowScan(database.connection, shape)
    var found: [[CellValue]: Int] = [:]
    while let row = try scan.next() { found[row.values, default: 0] += 1 }
    let rows = try database.cells("SELECT * FROM t")
    #expect(found.count == rows.count && found.values.allSatisfy { $0 == 1 })
    #expect(Set(found.keys) == Set(rows))
  }

  @Test func `rows with NULL in a key are all compared, however many they are`() throws {
    let scratch = try Scratch()
    let old = try scratch.database("CREATE TABLE t(rowid, oid, _rowid_, k PRIMARY KEY)")
    let new = try scratch.copy(
      old, "INSERT INTO t \(Self.numbers)SELECT i, i, i, NULL FROM n WHERE i <= 1200")
    var options = DifferenceOptions()
    options.usesPages = false
    let found = try DatabaseComparison(old.connection, new.connection, options, visit: nil).run()
    #expect(found.tables.map(\.inserted) == [1200])
  }
}
