import OpenWOSQLite
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

  private static let characters = ["a", "é", "߿", "ࠀ", "€", "日", "😀", "𝔸", "\u{10FFFF}"]
  private static let units = [0x41, 0xE9, 0x7FF, 0x800, 0x20AC, 0xD83D, 0xDE00, 0xD800, 0xDFFF]
}
