import OpenWOSQLite
import OpenWOTestSupport
import Testing

/// Rows as `Decodable` values, by the names of their columns.
@Suite struct RowDecoderTests {
  let scratch: ScratchFolder
  let db: Connection

  init() throws {
    scratch = try ScratchFolder()
    db = try scratch.open()
  }

  enum Unit: String, Codable { case kg, lb }

  struct Everything: Codable, Equatable {
    var id: Int
    var name: String
    var isDone: Bool
    var weight: Double?
    var small: UInt8
    var unit: Unit
    var other: Unit?
    var bytes: [UInt8]
  }

  private let query = """
    SELECT 'squat' AS name, 7 AS id, 1 AS isDone, 82.5 AS weight, 255 AS small, 'lb' AS unit, NULL AS other,
      x'00ff' AS bytes
    """

  @Test func `each property is read from the column of its name, in any order`() throws {
    let expected = Everything(
      id: 7, name: "squat", isDone: true, weight: 82.5, small: 255, unit: .lb, other: nil,
      bytes: [0, 255])
    #expect(try db.row(query, as: Everything.self) == expected)
    #expect(try db.rows("\(query) UNION ALL \(query)", as: Everything.self).count == 2)
    #expect(try db.row("\(query) LIMIT 0", as: Everything.self) == nil)
  }

  @Test func `custom keys name the columns, and an integer is a number`() throws {
    struct Named: Decodable, Equatable {
      var weight: Double
      enum CodingKeys: String, CodingKey { case weight = "defaultWeight" }
    }
    #expect(try db.row("SELECT 80 AS defaultWeight", as: Named.self) == Named(weight: 80))
  }

  @Test(arguments: [
    "SELECT 1 AS other", "SELECT NULL AS value", "SELECT 'x' AS value", "SELECT 300 AS value",
    "SELECT -1 AS value", "SELECT 1.5 AS value",
  ])
  func `a value that does not fit is an error`(sql: String) {
    struct Small: Decodable { var value: UInt8 }
    #expect(throws: (any Error).self) { try db.row(sql, as: Small.self) }
  }

  @Test func `a missing column is an error even for an optional value`() {
    struct Loose: Decodable { var value: Int? }
    #expect(throws: (any Error).self) { try db.row("SELECT 1 AS other", as: Loose.self) }
    #expect(throws: Never.self) { try db.row("SELECT NULL AS value", as: Loose.self) }
  }

  @Test func `a type that reads rows by itself does so`() throws {
    struct Both: Decodable, RowDecodable {
      var value: Int
      init(row: borrowing Row) throws { value = try row.get(0) + 1 }
    }
    #expect(try db.rows("SELECT 1 AS value", as: Both.self).map(\.value) == [2])
  }

  @Test func `statements of the same text in each other do not disturb each other`() throws {
    struct One: Decodable { var value: Int }
    let sql = "SELECT column1 AS value FROM (VALUES (1), (2), (3))"
    let sums = try db.rows(sql) { row in
      let outer: Int = try row.get("value")
      return try outer * db.rows(sql, as: One.self).map(\.value).reduce(0, +)
    }
    #expect(sums == [6, 12, 18])
  }
}
