import Testing

/// `merge --all`: every side that waits is merged, one after the other.
struct MergeAllTests {
  /// A store whose live version won over two others.
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    // Copies of three devices, each with a row of its own; the last one wins.
    for (number, name) in ["Row", "Lunge", "Plank"].enumerated() {
      try stage.text(
        """
        cp diary.db ../copy-\(number).db
        sqlite3 ../copy-\(number).db "INSERT INTO exercise VALUES(\(number + 10), '\(name)')"
        """)
    }
    for (number, id) in ["ABCDEFG", "BCDEFGH", "CDEFGHI"].enumerated() {
      try stage.text(
        "cp ../copy-\(number).db diary.sync-conflict-20261127-10111\(number)-\(id).db; sleep 0.02")
    }
    try stage.text("openwo sync")
    return stage
  }

  @Test func `all sides are merged, and one command takes all of it back`() throws {
    let stage = try stage()
    let before = try stage.text("cksum < diary.db")
    #expect(try stage.run("openwo merge").status == 64)
    let plan = try stage.text("openwo merge --all --dry-run")
    #expect(plan.contains("would merge version") && !plan.contains("undo"))
    #expect(try stage.text("cksum < diary.db") == before)
    let said = try stage.text("openwo merge --all")
    #expect(said.split(separator: "\n").filter { $0.hasPrefix("merged version") }.count == 2)
    let names = try stage.text("sqlite3 diary.db 'SELECT name FROM exercise ORDER BY id'")
    #expect(names == "Squat\nPress\nRow\nLunge\nPlank\n", "\(said)")
    let undo = try #require(said.split(separator: "\n").last { $0.hasPrefix("undo all: ") })
    try stage.text(String(undo.dropFirst("undo all: ".count)))
    #expect(try stage.text("sqlite3 diary.db 'SELECT count(*) FROM exercise'") == "3\n")
  }

  @Test func `nothing waits`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    #expect(try stage.text("openwo merge --all") == "nothing waits to be merged into diary.db\n")
    #expect(try stage.run("openwo merge --all other.db").status == 64)
  }

  @Test func `the JSON has each merge and what was refused`() throws {
    let report = try stage().json("openwo merge --all --json")
    #expect((report["merges"] as? [[String: Any]])?.count == 2)
    #expect((report["refused"] as? [[String: Any]])?.isEmpty == true)
  }
}
