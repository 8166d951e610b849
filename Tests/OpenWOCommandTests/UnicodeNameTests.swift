import Foundation
import Testing

/// A database whose name comes in two Unicode forms, as services and disks change one into the other: to people it is one file.
struct UnicodeNameTests {
  private static let composed = "B\u{fc}cher.db"
  private static let decomposed = "Bu\u{308}cher.db"

  /// Two shell variables for the forms, and a store under the first.
  private func stage() throws -> Stage {
    let stage = try Stage()
    try play(
      stage, "sqlite3 $nfc 'CREATE TABLE a(id INTEGER PRIMARY KEY, t)'; openwo init -q $nfc")
    return stage
  }

  @discardableResult
  private func play(_ stage: Stage, _ line: String) throws -> String {
    try stage.text(
      "nfc=$'B\\xc3\\xbccher.db' nfd=$'Bu\\xcc\\x88cher.db'; set -e; \(line)")
  }

  @Test func `either Unicode form names the store, whichever form its files have`() throws {
    let stage = try stage()
    #expect(try play(stage, "openwo status $nfd").contains("is up to date"))
    #expect(try stage.run("openwo init '\(Self.decomposed)'").status == 10)
    try play(stage, "mv $nfc $nfd; mv $nfc.openwo $nfd.openwo")
    #expect(try play(stage, "openwo status $nfc").contains("is up to date"))
    try play(stage, "openwo edit -q $nfc -- sqlite3 {} 'INSERT INTO a VALUES(1, 2)'")
    #expect(try play(stage, "ls | wc -l; sqlite3 $nfd 'SELECT count(*) FROM a'") == "2\n1\n")
  }

  @Test func `a file with the name in another Unicode form is captured and left in place`() throws {
    let stage = try stage()
    try play(stage, "cp $nfc $nfd; sqlite3 $nfd \"INSERT INTO a VALUES(1, 'in the twin')\"")
    #expect(try stage.run("openwo status --check").status == 3)
    let listed = try play(stage, "openwo conflicts")
    #expect(listed.contains("(its name in another Unicode form): holds changes of its own"))
    let found = try play(stage, "openwo doctor")
    #expect(found.contains("in another Unicode form"), "\(found)")
    #expect(found.contains("mv $'Bu\\xcc\\x88cher.db' ~"), "\(found)")
    try play(stage, "openwo sync; openwo status --check")
    #expect(try play(stage, "sqlite3 $nfc 'SELECT t FROM a'") == "in the twin\n")
    try play(stage, "sqlite3 $nfd \"INSERT INTO a VALUES(2, 'later')\"; openwo sync $nfd")
    #expect(try play(stage, "sqlite3 $nfc 'SELECT t FROM a'") == "in the twin\nlater\n")
    #expect(try play(stage, "ls | wc -l") == "3\n")
  }

  @Test func `a database that was renamed to the other form keeps its newest rows`() throws {
    let stage = try stage()
    try play(stage, "mv $nfc $nfd; sqlite3 $nfd \"INSERT INTO a VALUES(1, 'after')\"")
    try play(stage, "openwo sync $nfd; openwo status --check $nfc")
    #expect(try play(stage, "sqlite3 $nfc 'SELECT t FROM a'") == "after\n")
    #expect(try play(stage, "openwo history | wc -l") == "3\n")
  }

  @Test func `a second companion in the other form is named`() throws {
    let stage = try stage()
    try play(stage, "cp $nfc $nfd; cp -R $nfc.openwo $nfd.openwo")
    try play(stage, "sqlite3 $nfd \"INSERT INTO a VALUES(1, 'in the twin')\"; openwo sync $nfc")
    #expect(try play(stage, "sqlite3 $nfc 'SELECT t FROM a'") == "in the twin\n")
    let found = try play(stage, "openwo doctor $nfc")
    #expect(found.contains("a second folder has the name Bücher.db.openwo"), "\(found)")
  }

  @Test func `another store under the other Unicode form stays separate`() throws {
    let stage = try stage()
    try play(
      stage,
      """
      mkdir apart; sqlite3 apart/$nfd "CREATE TABLE a(id INTEGER PRIMARY KEY, t)"
      sqlite3 apart/$nfd "INSERT INTO a VALUES(1, 'theirs')"; openwo init -q apart/$nfd
      mv apart/* .; openwo sync $nfc; openwo sync $nfd
      """)
    #expect(try play(stage, "sqlite3 $nfc 'SELECT count(*) FROM a'") == "0\n")
    #expect(try play(stage, "sqlite3 $nfd 'SELECT count(*) FROM a'") == "1\n")
  }
}
