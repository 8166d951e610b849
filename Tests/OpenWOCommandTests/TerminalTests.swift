import Testing

/// Output for a terminal that a file does not get.
struct TerminalTests {
  /// Runs a line with a terminal of the given width for all three streams.
  private func terminal(_ stage: Stage, _ line: String, columns: Int = 80) throws -> Stage.Result {
    try stage.run(
      "TERM=xterm script -qec \"stty cols \(columns); \(line)\" /dev/null < /dev/null")
  }

  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    return stage
  }

  @Test func `colour is for terminals, and for those who want it`() throws {
    let stage = try stage()
    #expect(try terminal(stage, "openwo status").text.contains("\u{1b}["))
    #expect(!(try terminal(stage, "NO_COLOR=1 openwo status").text.contains("\u{1b}[")))
    #expect(!(try terminal(stage, "TERM=dumb openwo status").text.contains("\u{1b}[")))
    #expect(!(try stage.text("TERM=xterm openwo status").contains("\u{1b}[")))
    #expect(try terminal(stage, "openwo bogus").text.contains("\u{1b}[31merror"))
    #expect(try stage.text("openwo status --color always").contains("\u{1b}["))
    #expect(try stage.text("CLICOLOR_FORCE=1 openwo status").contains("\u{1b}["))
    #expect(try stage.text("OPENWO_COLOR=always openwo status").contains("\u{1b}["))
    #expect(!(try stage.text("CLICOLOR_FORCE=1 openwo status --color=never").contains("\u{1b}[")))
    #expect(!(try terminal(stage, "openwo status --color never").text.contains("\u{1b}[")))
    #expect(try stage.run("openwo status --color green").status == 64)
  }

  @Test func `a database is not poured onto a terminal`() throws {
    let result = try terminal(stage(), "openwo show @")
    #expect(result.status == 64)
    #expect(result.text.contains("a database cannot be shown on a terminal"))
    #expect(!result.text.contains("SQLite format 3"))
  }

  @Test func `lines end between words, and a command is never wrapped`() throws {
    let stage = try stage()
    let line = "rm -r diary.db.openwo; NO_COLOR=1 openwo status diary.db"
    let lines = try terminal(stage, line).text.split(whereSeparator: \.isNewline).map(String.init)
    #expect(lines.count > 3 && lines.allSatisfy { $0.count <= 80 }, "\(lines)")
    #expect(lines.last == "  openwo doctor --repair diary.db", "\(lines)")
    let words = lines.dropLast().joined(separator: " ").split(separator: " ")
    let file = try stage.run("openwo status diary.db").remarkText.split { " \n".contains($0) }
    #expect(words.filter { $0 != "openwo:" }.count >= file.count - 8, "\(lines)")
    let doctor = try terminal(stage, "NO_COLOR=1 openwo doctor diary.db").text
    #expect(doctor.split(whereSeparator: \.isNewline).allSatisfy { $0.count <= 80 }, "\(doctor)")
  }

  @Test func `long notes are cut where the terminal ends`() throws {
    let stage = try stage()
    let note = String(repeating: "very long note ", count: 20)
    try stage.text("openwo edit -q --note '\(note)' -- sqlite3 {} 'DELETE FROM session'")
    let lines = try terminal(stage, "NO_COLOR=1 openwo history", columns: 80).text
      .split(whereSeparator: \.isNewline)
    #expect(lines.count == 3)
    #expect(lines.allSatisfy { $0.count <= 80 })
    #expect(lines[1].hasSuffix("…"))
    #expect(try stage.text("openwo history").contains(note.dropLast()))
  }

  @Test func `the name of a version has room on a narrow terminal, and what changed on a wide one`()
    throws
  {
    let stage = try stage()
    try stage.text(
      """
      openwo edit -q --note 'new exercise' -- sqlite3 {} "INSERT INTO exercise VALUES(9, 'Row')"
      openwo history -q --pin @ best
      """)
    let narrow = try terminal(stage, "openwo history", columns: 80).text
    #expect(narrow.contains("[best] new exerc") && !narrow.contains("changes  note"))
    let wide = try terminal(stage, "openwo history", columns: 140).text
    #expect(wide.contains("exercise +1  [best] new exercise"))
  }

  @Test func `times in messages are local`() throws {
    let stage = try stage()
    try stage.text("openwo lock -q")
    let said = try stage.run("TZ=JST-9 on phone openwo edit -- true").remarkText
    let lock = try stage.json("openwo status --json")["lock"] as? [String: Any]
    let since = try #require(lock?["since"] as? String)
    let local = try stage.text("TZ=JST-9 date -d '\(since)' '+%Y-%m-%d %H:%M'")
    #expect(said.contains("since \(local.dropLast());"), "\(said)")
  }

  /// Runs a line with a terminal of ten lines.
  private func small(_ stage: Stage, _ line: String) throws -> String {
    try stage.run(
      "TERM=xterm script -qec \"stty cols 80 rows 10; \(line)\" /dev/null < /dev/null"
    ).text
  }

  private let long =
    "openwo query 'WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 30) SELECT i FROM n'"

  @Test func `output longer than the screen goes to the program of PAGER`() throws {
    let stage = try stage()
    let pager = "PAGER='sed s/^/page:/'"
    #expect(try small(stage, "\(pager) \(long)").contains("page:30"))
    for line in [
      "\(pager) \(long) --no-pager", "\(pager) OPENWO_NO_PAGER=1 \(long)",
      "TERM=dumb \(pager) \(long)", "\(pager) \(long) | cat", "\(pager) openwo query 'SELECT 30'",
      "\(pager) \(long) --json",
    ] {
      let said = try small(stage, line)
      #expect(said.contains("30") && !said.contains("page:"), "\(line)\n\(said)")
    }
  }

  @Test func `without the program of PAGER it is printed all the same`() throws {
    let stage = try stage()
    for pager in ["no-such-program", "cat"] {
      #expect(try small(stage, "PAGER=\(pager) \(long)").contains("30"), "\(pager)")
    }
  }

  @Test func `rows that are not listed are counted, with the option that lists them`() throws {
    let stage = try stage()
    try stage.text(
      """
      openwo edit -q -- sqlite3 {} "WITH n(i) AS (SELECT 100 UNION ALL SELECT i + 1 FROM n WHERE i < 1202)
        INSERT INTO exercise SELECT i, 'new' FROM n"
      """)
    let more = "and 103 more; list more of them: --limit COUNT"
    #expect(try terminal(stage, "openwo diff @~1 --rows").text.contains(more))
    #expect(try stage.text("openwo diff @~1 --rows | wc -l") == "1105\n")
    #expect(
      try stage.text("openwo diff @~1 --rows --limit 2 | tail -1")
        == "    and 1101 more; list more of them: --limit COUNT\n")
  }
}
