import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

@testable import OpenWOMerge

/// Keys of very many rows in order, and tables that are compared by them.
struct KeySorterTests {
  @Test(arguments: 0..<20)
  func `keys come in order, in however many runs they were sorted`(seed: UInt64) throws {
    let scratch = try Scratch()
    let file = SpillFile {
      try Connection(
        path: FilePath(scratch.path("keys.sqlite")),
        Connection.Options(mode: .create, guardPolicy: .privateCopy))
    }
    defer { file.close() }
    var random = SeededRandom(seed: seed)
    let keys = (0..<random.below(400)).map { _ in
      (0..<1 + random.below(3)).map { _ in Self.value(&random) }
    }
    let expected = keys.indices.sorted { first, second in
      let rank = CellValue.rank(keys[first], keys[second])
      return rank == 0 ? first < second : rank < 0
    }
    for (file, size) in [(file, 1), (file, 500), (nil, 500), (file, 1 << 20), (nil, 1 << 20)] {
      var sorter = KeySorter(into: file, runSize: size)
      for (index, key) in keys.enumerated() {
        let place = TreeCursor.Place(page: UInt32(index + 1), cell: UInt16(index))
        try sorter.append(
          key, old: index % 3 == 0 ? nil : place, new: index % 3 == 1 ? nil : place)
      }
      var reader = try sorter.sorted()
      var found: [Int] = []
      while let entry = try reader.next() {
        let index = Int(entry.old?.page ?? entry.new?.page ?? 0) - 1
        found.append(index)
        #expect(entry.key == keys[index] && (entry.old == nil) == (index % 3 == 0))
        #expect((entry.new == nil) == (index % 3 == 1))
      }
      #expect(found == expected)
    }
  }

  private static func value(_ random: inout SeededRandom) -> CellValue {
    switch random.below(6) {
    case 0: .null
    case 1: .integer(Int64(random.below(5)) - 2)
    case 2: .real(Double(random.below(9)) / 2 - 2)
    case 3: .real(random.chance(percent: 50) ? -0.0 : 0.0)
    case 4: .blob((0..<random.below(12)).map { _ in UInt8(random.below(2)) * 255 })
    default: .text((0..<random.below(12)).map { _ in UInt8(97 + random.below(2)) })
    }
  }

  @Test(arguments: ["TEXT PRIMARY KEY", "TEXT PRIMARY KEY COLLATE NOCASE", "PRIMARY KEY", "TEXT"])
  func `rows under other numbers are paired by their keys`(kind: String) throws {
    let scratch = try Scratch()
    let old = try scratch.database(
      "CREATE TABLE t(id \(kind), a); WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL "
        + "SELECT i + 1 FROM n WHERE i < 300) INSERT INTO t SELECT 'k' || i, i % 7 FROM n; "
        + "INSERT INTO t VALUES(NULL, 1), (NULL, 1), (NULL, 2)")
    let new = try scratch.copy(
      old,
      "CREATE TABLE u AS SELECT * FROM t; DELETE FROM t; INSERT INTO t SELECT id, a FROM u "
        + "WHERE id IS NULL OR id NOT LIKE '%9' ORDER BY (rowid * 7919) % 307; DROP TABLE u; "
        + "UPDATE t SET a = 'new' WHERE id LIKE '%1'; DELETE FROM t WHERE rowid IN "
        + "(SELECT rowid FROM t WHERE id IS NULL AND a = 1 LIMIT 1); "
        + "INSERT INTO t VALUES('k1000', 0), (NULL, 2), (NULL, 3)")
    var options = DifferenceOptions(rows: .all)
    let byPages = try difference(from: old.connection, to: new.connection, options: options)
    options.usesPages = false
    let byRows = try difference(from: old.connection, to: new.connection, options: options)
    #expect(byPages == byRows && byPages.tables.count == 1)
  }
}
