import OpenWOSQLite
import OpenWOTestSupport
import Testing

/// Rows written from `Encodable` values.
@Suite struct RowEncoderTests {
  let scratch: ScratchFolder
  let db: Connection

  init() throws {
    scratch = try ScratchFolder()
    db = try scratch.open()
    try db.execute(
      """
      CREATE TABLE "exercise ""2"" of all" (id INTEGER PRIMARY KEY, name TEXT NOT NULL, isDone, weight REAL, small, unit TEXT,
        other TEXT DEFAULT 'lb', bytes, share REAL)
      """)
  }

  enum Unit: String, Codable { case kg, lb }

  struct Everything: Codable, Equatable {
    var id: Int?
    var name: String
    var isDone: Bool
    var weight: Double?
    var small: UInt8
    var unit: Unit
    var other: Unit?
    var bytes: [UInt8]?
    var share: Float?
  }

  private let table = "exercise \"2\" of all"
  private var all: [Everything] {
    get throws { try db.rows(#"SELECT * FROM "exercise ""2"" of all""#, as: Everything.self) }
  }

  private var squat: Everything {
    Everything(
      name: "squat", isDone: true, weight: 82.5, small: 255, unit: .lb, bytes: [0, 255], share: 0.5)
  }

  @Test func `each property becomes the column of its name, and nil is NULL`() throws {
    let id = try db.insert(squat, into: table)
    var expected = squat
    expected.id = Int(id)
    #expect(try all == [expected])
  }

  @Test func `an update finds the row by its key and writes nil over what was there`() throws {
    try db.insert(squat, into: table)
    var second = squat
    second.id = Int(try db.insert(squat, into: table))
    (second.name, second.weight, second.bytes) = ("row", nil, nil)
    #expect(try db.update(second, in: table) == 1)
    #expect(try all.last == second)
    #expect(try all.first?.name == "squat")
    second.id = 99
    #expect(try db.update(second, in: table) == 0)
  }

  @Test func `an update leaves columns alone for which the value has no property`() throws {
    struct Renamed: Encodable {
      var title: String
      var isDone: Bool
      enum CodingKeys: String, CodingKey { case title = "name", isDone }
    }
    try db.insert(squat, into: table)
    #expect(try db.update(Renamed(title: "squat", isDone: false), in: table, by: "name") == 1)
    #expect(try all.map(\.isDone) == [false])
    #expect(try all.map(\.weight) == [82.5])
  }

  @Test func `a constraint of the table is an error of the insert`() throws {
    struct Nameless: Encodable { var weight: Double }
    let error = #expect(throws: SQLiteError.self) {
      try db.insert(Nameless(weight: 1), into: table)
    }
    #expect(error?.code == .constraint)
  }

  @Test func `what no column can hold is an error, and nothing is written`() throws {
    struct Inner: Encodable { var value = 1 }
    struct Nested: Encodable { var name = Inner() }
    struct Listed: Encodable { var name = [Inner()] }
    struct Large: Encodable { var name = UInt64.max }
    struct Empty: Encodable {}
    for write in [
      { try db.insert(Nested(), into: table) }, { try db.insert(Listed(), into: table) },
      { try db.insert(Large(), into: table) }, { try db.insert(Empty(), into: table) },
      { try db.insert([1], into: table) }, { try db.insert(1, into: table) },
    ] {
      let error = #expect(throws: SQLiteError.self) { try write() }
      #expect(error?.code == .mismatch)
    }
    #expect(throws: SQLiteError.self) { try db.update(Inner(), in: table) }
    #expect(try all.isEmpty)
  }
}
