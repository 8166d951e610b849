import OpenWOSQLite
import OpenWOTestSupport
import Testing

@Suite struct ValueTests {
  let scratch: ScratchFolder
  let db: Connection

  init() throws {
    scratch = try ScratchFolder()
    db = try scratch.open()
  }

  private func roundTrip<T: Bindable & ColumnDecodable>(_ value: T) throws -> T {
    try #require(try db.row("SELECT ?", value) { try $0.get(0) as T })
  }

  private func type(of value: some Bindable) throws -> String {
    try #require(try db.value("SELECT typeof(?)", value))
  }

  @Test(arguments: [Int64.min, -1, 0, 1, Int64.max])
  func `integers keep all of their bits`(_ number: Int64) throws {
    #expect(try roundTrip(number) == number)
    #expect(try roundTrip(Int(number)) == Int(number))
    #expect(try type(of: number) == "integer")
  }

  @Test(
    arguments: [
      0.0, -0.0, 0.1, .pi, .leastNonzeroMagnitude, .greatestFiniteMagnitude, .infinity, -.infinity,
    ])
  func `numbers keep all of their bits`(_ number: Double) throws {
    #expect(try roundTrip(number).bitPattern == number.bitPattern)
    #expect(try type(of: number) == "real")
  }

  @Test func `NaN becomes NULL`() throws {
    #expect(try type(of: Double.nan) == "null")
    #expect(try roundTrip(Value.real(.nan)) == .null)
  }

  @Test(
    arguments: ["", "a", "a\0b", "\0", "é", "e\u{301}", "😀", String(repeating: "ü", count: 70_000)])
  func `text keeps all of its bytes`(_ text: String) throws {
    #expect(Array(try roundTrip(text).utf8) == Array(text.utf8))
    #expect(try db.value("SELECT length(CAST(? AS BLOB))", text, as: Int.self) == text.utf8.count)
    #expect(try type(of: text) == "text")
  }

  @Test(arguments: [[], [0], [0, 255, 0], [UInt8](repeating: 7, count: 100_000)])
  func `blobs keep all of their bytes`(_ bytes: [UInt8]) throws {
    #expect(try roundTrip(bytes) == bytes)
    #expect(try type(of: bytes) == "blob")
  }

  @Test func `booleans are one and zero, and all but zero is true`() throws {
    #expect(try roundTrip(true) == true)
    #expect(try roundTrip(false) == false)
    #expect(try db.value("SELECT 2", as: Bool.self) == true)
    #expect(try db.value("SELECT ?", true, as: Int.self) == 1)
  }

  @Test func `nothing is NULL`() throws {
    #expect(try roundTrip(Int?.none) == nil)
    #expect(try roundTrip(String?.some("a")) == "a")
    #expect(try type(of: [UInt8]?.none) == "null")
  }

  @Test(arguments: [Value.null, .integer(7), .real(0.5), .text("a\0"), .blob([]), .blob([1])])
  func `a dynamic value keeps its storage class`(_ value: Value) throws {
    #expect(try roundTrip(value) == value)
  }

  @Test func `an enumeration is stored as its raw value`() throws {
    #expect(try type(of: Unit.kilogram) == "text")
    #expect(try roundTrip(Unit.pound) == .pound)
    let error = #expect(throws: SQLiteError.self) { try db.value("SELECT 'stone'", as: Unit.self) }
    #expect(error?.code == .mismatch)
  }

  @Test func `a whole number can be read as a floating point number, but not the other way`() throws
  {
    #expect(try db.value("SELECT 2", as: Double.self) == 2)
    #expect(throws: SQLiteError.self) { try db.value("SELECT 2.0", as: Int.self) }
  }

  @Test func `a wrong type is an error that names the column`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try db.row("SELECT 'heavy' AS weight") { try $0.get(0) as Double }
    }
    #expect(error?.code == .mismatch)
    #expect(error?.message == "column weight holds text, not a number")
    #expect(error?.sql == "SELECT 'heavy' AS weight")
    for (sql, read) in [
      ("SELECT NULL", { try $0.get(0) as Int }), ("SELECT x'00'", { _ = try $0.get(0) as String }),
      ("SELECT 'a'", { _ = try $0.get(0) as [UInt8] }),
    ] as [(String, (borrowing Row) throws -> Any)] {
      #expect(throws: SQLiteError.self) { try db.row(sql, transform: read) }
    }
  }

  @Test(arguments: ["ff", "61ff62", "f09f98", "eda080", "c080", "efbfbdff"])
  func `text that is not UTF-8 is an error, and its bytes can be had`(_ hex: String) throws {
    let sql = "SELECT CAST(x'\(hex)' AS TEXT)"
    let error = #expect(throws: SQLiteError.self) { try db.value(sql, as: String.self) }
    #expect(error?.code == .mismatch)
    let bytes = try db.row(sql) {
      try $0.column(0).withBytes { span in span.indices.map { span[$0] } }
    }
    #expect(bytes?.map { String($0, radix: 16) }.joined() == hex.replacing("0", with: "0"))
  }

  @Test func `bytes can be bound as text, as they are`() throws {
    let found = try db.row("SELECT typeof(?1), hex(?1), ?1 = 'a'", Broken()) {
      (try $0.get(0) as String, try $0.get(1) as String, try $0.get(2) as Bool)
    }
    #expect(try #require(found) == ("text", "61FF", false))
  }

  @Test func `a replacement character in valid text is not an error`() throws {
    #expect(try roundTrip("a\u{fffd}b") == "a\u{fffd}b")
  }

  @Test func `bytes are lent without a copy`() throws {
    let counts = try db.row("SELECT 'köln', x'0102', '', x'', 5, NULL") { row in
      try (0..<row.count).map { try row.column($0).withBytes { $0.count } }
    }
    #expect(counts == [5, 2, 0, 0, 0, 0])
  }

  @Test func `text of a UTF-16 database arrives as UTF-8`() throws {
    let other = try scratch.open("utf16.db")
    try other.executeScript("PRAGMA encoding = 'UTF-16le'; CREATE TABLE t(a)")
    try other.execute("INSERT INTO t VALUES(?)", "grüße\0😀")
    #expect(try other.header().textEncoding == 2)
    #expect(try other.value("SELECT a FROM t", as: String.self) == "grüße\0😀")
    #expect(try other.row("SELECT a FROM t") { try $0.column(0).withBytes { $0.count } } == 12)
  }
}

private struct Broken: Bindable {
  func bind(to parameter: Parameter) throws {
    try [0x61, 0xff].withUnsafeBufferPointer { try parameter.bind(text: $0) }
  }
}

private enum Unit: String, Bindable, ColumnDecodable {
  case kilogram, pound
}
