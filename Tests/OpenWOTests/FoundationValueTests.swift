import Foundation
import OpenWO
import OpenWOHistory
import Testing

/// Dates, UUIDs, data and URLs as parameters and as values of columns.
struct FoundationValueTests {
  private let place: Place
  private let store: SyncedDatabase

  init() throws {
    place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    store = try place.open()
  }

  /// What is stored for a value, and the value as it is read back.
  private func stored<T: Bindable & ColumnDecodable & Sendable>(
    _ value: T
  ) throws -> (text: String, type: String, read: T) {
    try store.read { db in
      let row = try db.row("SELECT iif(typeof(?1) = 'text', ?1, ''), typeof(?1), ?1", value) {
        row in
        (try row.get(0) as String, try row.get(1) as String, try row.get(2) as T)
      }
      return try #require(row)
    }
  }

  private func read<T: ColumnDecodable & Sendable>(_ sql: String, as: T.Type) throws -> T? {
    try store.read { try $0.value("SELECT \(sql)", as: T.self) }
  }

  @Test(arguments: [
    (0, "1970-01-01T00:00:00.000Z"), (-1, "1969-12-31T23:59:59.999Z"),
    (1_795_284_240_123, "2026-11-21T18:04:00.123Z"), (951_782_400_000, "2000-02-29T00:00:00.000Z"),
    (-62_167_219_200_000, "0000-01-01T00:00:00.000Z"),
    (-62_162_121_600_000, "0000-02-29T00:00:00.000Z"),
    (-62_135_596_800_000, "0001-01-01T00:00:00.000Z"),
    (253_402_300_799_999, "9999-12-31T23:59:59.999Z"),
    (-2_203_891_200_000, "1900-03-01T00:00:00.000Z"),
  ])
  func `a date is text in UTC to the millisecond`(milliseconds: Int64, text: String) throws {
    let date = Date(timeIntervalSince1970: Double(milliseconds) / 1000)
    let found = try stored(date)
    #expect(found.text == text && found.type == "text")
    #expect(found.read == date)
    #expect(
      try read("round((julianday('\(text)') - 2440587.5) * 86400000.0)", as: Double.self)
        == Double(milliseconds))
  }

  @Test func `a date is rounded to the nearest millisecond, and back it is the same text`() throws {
    let date = Date(timeIntervalSince1970: 1_000_000_000.000_6)
    let found = try stored(date)
    #expect(found.text == "2001-09-09T01:46:40.001Z")
    #expect(try stored(found.read).text == found.text)
  }

  @Test(arguments: [
    "2026-11-21 18:04:00", "2026-11-21T18:04:00Z", "2026-11-22T03:04:00.0009+09:00",
    "2026-11-21T13:34:00.0-04:30", "2026-11-21t18:04:00z",
  ])
  func `a date is read as SQLite, RFC 3339 and other time zones write it`(text: String) throws {
    #expect(
      try read("'\(text)'", as: Date.self) == Date(timeIntervalSince1970: 1_795_284_240))
  }

  @Test(arguments: [
    "''", "'today'", "'2026-11-21'", "'18:04:00'", "'2026-02-30T00:00:00Z'", "1795284240", "1.5",
    "x'00'", "'2026-11-21T18:04'", "'2026-11-21T18:04:00.Z'", "'2026-11-21T18:04:00Z '",
    "'2026-11-21T24:00:00Z'", "'2026-11-21T18:04:00+9'", "'０026-11-21T18:04:00Z'",
  ])
  func `anything else in the place of a date is an error that names the column`(sql: String) {
    let error = #expect(throws: SQLiteError.self) {
      try store.read { try $0.row("SELECT \(sql) AS day") { try $0.get("day") as Date } }
    }
    #expect(error?.code == .mismatch)
    #expect(error?.message.contains("column day holds") == true)
  }

  @Test(arguments: [Date.distantPast, .distantFuture])
  func `distant dates that four digits can write are kept`(date: Date) throws {
    #expect(try stored(date).read == date)
  }

  @Test(arguments: [-63_000_000_000, 300_000_000_000, .infinity, .nan] as [Double])
  func `a date that has no text is refused`(seconds: Double) {
    let error = #expect(throws: SQLiteError.self) {
      _ = try stored(Date(timeIntervalSince1970: seconds))
    }
    #expect(error?.code == .range)
  }

  @Test func `a UUID is text in upper case, and read in any`() throws {
    let id = UUID()
    let found = try stored(id)
    #expect(found.text == id.uuidString && found.type == "text" && found.read == id)
    #expect(try read("'\(id.uuidString.lowercased())'", as: UUID.self) == id)
    #expect(throws: SQLiteError.self) { try read("'no'", as: UUID.self) }
    #expect(throws: SQLiteError.self) { try read("zeroblob(16)", as: UUID.self) }
  }

  @Test(arguments: [Data(), Data([0, 255, 0]), Data(repeating: 7, count: 100_000)])
  func `data is a blob, and so is a part of it`(data: Data) throws {
    #expect(try stored(data).read == data)
    #expect(try stored(data).type == "blob")
    let part = data.dropFirst(2)
    #expect(Array(try stored(part).read) == Array(part))
    #expect(throws: SQLiteError.self) { try read("'text'", as: Data.self) }
  }

  @Test(arguments: ["https://example.org/a%20b?q=%C3%A9#x", "file:///tmp/x", "mailto:a@b.org"])
  func `a URL is its text`(text: String) throws {
    let url = try #require(URL(string: text))
    let found = try stored(url)
    #expect(found.text == text && found.type == "text" && found.read == url)
  }

  @Test(arguments: ["''", "'a b'", "1", "NULL"])
  func `what is not a URL is an error`(sql: String) {
    #expect(throws: SQLiteError.self) {
      try store.read { try $0.row("SELECT \(sql)") { try $0.get(0) as URL } }
    }
  }

  private struct Entry: Codable, Equatable {
    var id: UUID
    var at: Date
    var seen: Date?
    var photo: Data?
    var link: URL?
  }

  private struct FastEntry: RowDecodable {
    var entry: Entry
    init(row: borrowing Row) throws {
      entry = Entry(
        id: try row.get("id"), at: try row.get("at"), seen: try row.get("seen"),
        photo: try row.get("photo"), link: try row.get("link"))
    }
  }

  @Test func `all of them are read into Decodable and RowDecodable values, missing ones too`()
    throws
  {
    let entries = [
      Entry(
        id: UUID(), at: Date(timeIntervalSince1970: 1_795_284_240.5), seen: .distantPast,
        photo: Data([1]), link: URL(string: "https://example.org")),
      Entry(id: UUID(), at: Date(timeIntervalSince1970: 1_795_284_241)),
    ]
    try store.write { db in
      try db.executeScript("CREATE TABLE entry(id TEXT PRIMARY KEY, at, seen, photo, link)")
      for entry in entries {
        try db.execute(
          "INSERT INTO entry VALUES (?, ?, ?, ?, ?)", entry.id, entry.at, entry.seen, entry.photo,
          entry.link)
      }
    }
    let sql = "SELECT * FROM entry ORDER BY at"
    #expect(try store.read { try $0.rows(sql, as: Entry.self) } == entries)
    #expect(try store.read { try $0.rows(sql, as: FastEntry.self).map(\.entry) } == entries)
    let error = #expect(throws: SQLiteError.self) {
      try store.read { try $0.row("SELECT '' AS id", as: Entry.self) }
    }
    #expect(error?.message == "column id holds text, not a UUID")
  }

  @Test func `texts of times before 1970 are not stamps`() {
    #expect(HybridTime("1969-12-31T23:59:59.9990000Z") == nil)
    #expect(HybridTime("1970-01-01T00:00:00.0000000Z")?.milliseconds == 0)
  }
}
