import Testing

/// What a person before a terminal sees and a file does not.
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
  }

  @Test func `a database is not poured onto a terminal`() throws {
    let result = try terminal(stage(), "openwo show @")
    #expect(result.status == 64)
    #expect(result.text.contains("a database cannot be shown on a terminal"))
    #expect(!result.text.contains("SQLite format 3"))
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
}
