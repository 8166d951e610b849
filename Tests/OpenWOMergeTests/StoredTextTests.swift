import OpenWOSQLite
import OpenWOTestSupport
import Testing

@testable import OpenWOMerge

/// A comparison by pages converts text between UTF-8 and UTF-16 as SQLite itself does.
struct StoredTextTests {
  @Test(arguments: [("UTF-16le", StoredText.utf16LittleEndian), ("UTF-16be", .utf16BigEndian)])
  func `text is what SQLite reads and writes`(name: String, text: StoredText) throws {
    let scratch = try Scratch()
    let database = try scratch.database("PRAGMA encoding = '\(name)'; CREATE TABLE t(v TEXT)")
    #expect(try database.cells("PRAGMA encoding") == [[.text(name)]])
    var random = SeededRandom(seed: 16)
    for _ in 0..<1_000 {
      let given = (0..<random.below(6)).map { _ in random.pick(Self.characters) }.joined()
      let stored = text.encode(Array(given.utf8))
      try database.run("DELETE FROM t")
      try database.run("INSERT INTO t VALUES(?)", .text(given))
      #expect(try database.cells("SELECT CAST(v AS BLOB) FROM t") == [[.blob(stored)]], "\(given)")
      // Units by chance, lone surrogates among them.
      let units = (0..<random.below(5)).flatMap { _ -> [UInt8] in
        let unit = random.pick(Self.units)
        let (high, low) = (UInt8(unit >> 8), UInt8(unit & 0xFF))
        return text == .utf16LittleEndian ? [low, high] : [high, low]
      }
      let whole = stored + units
      try database.run("UPDATE t SET v = CAST(X'\(SQLLiteral.hex(whole))' AS TEXT)")
      let read = whole.withUnsafeBytes { text.decode($0) }
      #expect(try database.cells("SELECT v FROM t") == [[.text(read)]], "\(given) \(units)")
    }
  }

  /// SQLite makes U+FFFD of it if it is bound as UTF-8.
  @Test(arguments: [
    ("UTF-16le", "6100 00D8"), ("UTF-16be", "0061 D800"), ("UTF-16le", "FFFE 00D8"),
    ("UTF-16le", "6B00 FFFF"), ("UTF-16be", "006B FFFE 0062"), ("UTF-16be", "FFFF"),
  ])
  func `text that SQLite would replace comes through a merge`(
    name: String, units: String
  ) throws {
    let text = "CAST(X'\(units.filter { $0 != " " })' AS TEXT)"
    let scene = try MergeScene(
      "PRAGMA encoding = '\(name)'; CREATE TABLE t(k TEXT UNIQUE, v TEXT);"
        + "INSERT INTO t VALUES('old', 'base')",
      ours: "INSERT INTO t VALUES('ours', 'plain'), (\(text), 'k')",
      theirs: "INSERT INTO t VALUES('theirs', \(text)); UPDATE t SET v = \(text) WHERE k = 'old'")
    let (merged, _) = try scene.merge()
    let found = try merged.cells(
      "SELECT count(*) FROM t WHERE CAST(v AS BLOB) = X'\(units.filter { $0 != " " })'"
        + " OR CAST(k AS BLOB) = X'\(units.filter { $0 != " " })'")
    #expect(found == [[.integer(3)]])
  }

  private static let characters = ["a", "é", "߿", "ࠀ", "€", "日", "😀", "𝔸", "\u{10FFFF}"]
  private static let units = [
    0xFFFE, 0xFFFF, 0xFEFF, 0x41, 0xE9, 0x7FF, 0x800, 0x20AC, 0xD83D, 0xDE00, 0xD800, 0xDFFF,
  ]
}
