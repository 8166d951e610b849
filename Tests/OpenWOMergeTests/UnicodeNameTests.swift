import Testing

@testable import OpenWOMerge

/// Names that differ only in their Unicode form are two names in SQLite, and one string in Swift.
struct UnicodeNameTests {
  private static let schema =
    "CREATE TABLE が(id INTEGER PRIMARY KEY, x); CREATE TABLE \"か\u{3099}\"(id INTEGER PRIMARY KEY, "
    + "\"é\", \"e\u{301}\"); INSERT INTO が VALUES(1, 'a');"
    + "INSERT INTO \"か\u{3099}\" VALUES(1, 'b', 'c'), (2, 'd', 'e')"

  @Test func `a folded name has one form for one name`() {
    for name in ["item", "Ä", "A\u{308}", "か\u{3099}", "が", "か\u{3099}_data"] {
      let folded = SQLName.folded(name)
      #expect(SQLName.folded(folded) == folded)
      #expect(SQLName.plain(SQLName.bytewise(name)).utf8.elementsEqual(name.utf8))
      #expect(SQLName.quoted(SQLName.bytewise(name)) == "\"\(name)\"")
    }
    #expect(SQLName.folded("が") != SQLName.folded("か\u{3099}"))
    #expect(SQLName.folded("Ä") != SQLName.folded("ä"))
    #expect(SQLName.folded("ÄB") == SQLName.folded("Äb"))
  }

  @Test func `a difference tells both tables and both columns`() throws {
    let scratch = try Scratch()
    let old = try scratch.database(Self.schema)
    let new = try scratch.copy(
      old, "INSERT INTO が VALUES(2, 'n'); UPDATE \"か\u{3099}\" SET \"e\u{301}\" = 9 WHERE id = 1")
    let found = try difference(
      from: old.connection, to: new.connection, options: DifferenceOptions(rows: .all))
    #expect(found.tables.count == 2)
    let counts = found.tables.map { [$0.table.utf8.count, $0.inserted, $0.updated] }
    #expect(Set(counts) == [[3, 1, 0], [6, 0, 1]])
    let changed = try #require(found.tables.first { $0.updated == 1 }?.rows.first)
    #expect(changed.new == [.integer(1), .text(Array("b".utf8)), .integer(9)])
  }

  @Test func `a table renamed to the other form is another table`() throws {
    let scratch = try Scratch()
    let old = try scratch.database(
      "CREATE TABLE が(id INTEGER PRIMARY KEY, x); INSERT INTO が VALUES(1, 2)")
    let new = try scratch.copy(old, "ALTER TABLE が RENAME TO \"か\u{3099}\"")
    let found = try difference(from: old.connection, to: new.connection)
    #expect(found.schemaChanges.count == 2)
  }

  @Test func `the table that is asked for is the one of that very name`() throws {
    let scratch = try Scratch()
    let database = try scratch.database(Self.schema)
    for name in ["が", "か\u{3099}"] {
      let found = try DataTables(database.connection, only: [name]).tables.map(\.name)
      #expect(found.count == 1 && found.allSatisfy { $0.utf8.elementsEqual(name.utf8) })
    }
    let other = try scratch.database("CREATE TABLE が(x)")
    #expect(try DataTables(other.connection, only: ["か\u{3099}"]).tables.count == 1)
  }

  @Test func `a merge follows references to the table of that very name`() throws {
    let child =
      "; CREATE TABLE c(id INTEGER PRIMARY KEY, p REFERENCES \"か\u{3099}\"(id), q REFERENCES が(id))"
    let scene = try MergeScene(
      Self.schema + child,
      ours: "INSERT INTO \"か\u{3099}\" VALUES(3, 'ours', 1); INSERT INTO c VALUES(1, 3, 1);"
        + "INSERT INTO が VALUES(2, 'mine')",
      theirs: "INSERT INTO \"か\u{3099}\" VALUES(3, 'theirs', 1); INSERT INTO c VALUES(1, 3, 1)")
    #expect(
      try scene.outcome(
        "SELECT p.\"é\", q.x FROM c JOIN \"か\u{3099}\" p ON p.id = c.p JOIN が q ON q.id = c.q "
          + "ORDER BY 1") == ["ours|a", "theirs|a"])
    #expect(try scene.outcome("SELECT id, x FROM が ORDER BY 1") == ["1|a", "2|mine"])
  }
}
