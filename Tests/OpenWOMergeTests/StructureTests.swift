import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import Testing

@testable import OpenWOMerge

/// The walk over all b-trees, held against what SQLite's own check says.
@Suite struct StructureTests {
  @Test(arguments: 0..<16)
  func `a database that SQLite made is sound`(seed: Int) throws {
    let scratch = try Scratch()
    var maker = RandomDatabase(seed: UInt64(seed))
    let database = try scratch.database()
    try database.script("PRAGMA auto_vacuum = \(seed % 3)")
    let size = [512, 1024, 4096, 65536][seed % 4]
    try maker.fill(database, pageSize: size, encoding: seed % 2 == 0 ? "UTF-8" : "UTF-16be")
    #expect(try database.connection.checkStructure() == Structure())
  }

  @Test(arguments: 0..<24)
  func `the findings of SQLite's check about pages are found`(seed: Int) throws {
    let scratch = try Scratch()
    var maker = RandomDatabase(seed: UInt64(seed))
    let database = try scratch.database()
    try maker.fill(database, pageSize: 512, encoding: "UTF-8")
    try database.script(Self.large)
    let whole = try Data(contentsOf: URL(fileURLWithPath: database.path))
    var opened = 0
    for _ in 0..<40 {
      var bytes = whole
      let (from, to) = (
        maker.random.below(whole.count / 512), maker.random.below(whole.count / 512)
      )
      // A page of another place, or half of it, as a torn file has.
      let piece = [512, 256][maker.random.below(2)]
      bytes.replaceSubrange(
        to * 512..<to * 512 + piece, with: whole[from * 512..<from * 512 + piece])
      if to == 0 { bytes.replaceSubrange(0..<100, with: whole[0..<100]) }
      let path = scratch.path("damaged.sqlite")
      try bytes.write(to: URL(fileURLWithPath: path))
      // If the schema is damaged, SQLite does not open it at all.
      guard let copy = try? TestDatabase(path) else { continue }
      opened += 1
      let found = try copy.connection.checkStructure()
      let named = (try? copy.connection.integrityCheck(limit: 1000)) ?? ["malformed"]
      let ofPages = named.filter { !$0.hasPrefix("Page ") || !$0.hasSuffix("is never used") }
        .filter { $0.hasPrefix("On ") || $0.hasPrefix("Page ") || $0.hasPrefix("Tree ") }
        .filter { !$0.contains("Fragmentation") && !$0.contains("Freelist:") }
      if !ofPages.isEmpty { #expect(found.damage != nil, "\(ofPages)") }
      if found.damage != nil { #expect(!named.isEmpty, "\(found)") }
      copy.connection.close()
    }
    #expect(opened > 20)
  }

  /// Long rows, a freelist, an interior page or two.
  private static let large = """
    CREATE TABLE long(id INTEGER PRIMARY KEY, t TEXT, u TEXT);
    CREATE INDEX long_t ON long(t);
    WITH RECURSIVE n(i) AS (VALUES(1) UNION ALL SELECT i + 1 FROM n WHERE i < 400)
      INSERT INTO long SELECT i, hex(randomblob(i % 40)), hex(zeroblob((i % 7) * 100)) FROM n;
    DELETE FROM long WHERE id % 3 = 0;
    """

  @Test func `values, constraints and an index that disagrees are not damage`() throws {
    let scratch = try Scratch()
    let database = try scratch.database(
      """
      CREATE TABLE t(note TEXT NOT NULL, a INT NOT NULL, PRIMARY KEY(a)) WITHOUT ROWID;
      INSERT INTO t VALUES('one', 1), ('two', 2);
      CREATE TABLE c(id INTEGER PRIMARY KEY, x INTEGER CHECK(x > 0), y TEXT);
      CREATE INDEX c_y ON c(y);
      PRAGMA ignore_check_constraints = ON;
      INSERT INTO c VALUES(1, -1, 'a'), (2, 2, 'b');
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = 'CREATE INDEX c_y ON c(y COLLATE unknown)' WHERE name = 'c_y';
      """)
    let other = try TestDatabase(database.path)
    #expect(throws: SQLiteError.self) { try other.connection.integrityCheck() }
    #expect(try other.connection.checkStructure() == Structure())
  }

  @Test func `an index with fewer entries than its table has rows is a doubt`() throws {
    let scratch = try Scratch()
    let database = try scratch.database(
      "CREATE TABLE t(a); CREATE INDEX i ON t(a); CREATE INDEX p ON t(a) WHERE a > 1;"
        + "INSERT INTO t VALUES(1), (2)")
    try database.script(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET rootpage = (SELECT rootpage FROM sqlite_schema WHERE name = 'p'),
        sql = 'CREATE INDEX i ON t(a)' WHERE name = 'i';
      DELETE FROM sqlite_schema WHERE name = 'p';
      """)
    let found = try database.connection.checkStructure()
    #expect(found.damage == nil)
    #expect(found.doubts == ["index i has 1 entries for 2 rows", "page 3 is never used"])
  }

  @Test func `a file that is shorter than its header says is damaged, a longer one is not`() throws
  {
    let scratch = try Scratch()
    let database = try scratch.database("CREATE TABLE t(a); INSERT INTO t VALUES(zeroblob(9000))")
    let file = try #require(FileHandle(forWritingAtPath: database.path))
    let size = try file.seekToEnd()
    try file.write(contentsOf: Data(repeating: 7, count: 5000))
    #expect(try database.connection.checkStructure() == Structure())
    try file.truncate(atOffset: size - 4096)
    #expect(
      try database.connection.checkStructure().damage == "it is shorter than its header says")
  }
}
