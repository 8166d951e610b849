import Testing

/// The completions that bash offers after an unfinished line.
struct CompletionTests {
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; on 'old phone' openwo sync -q")
    return stage
  }

  /// The words that bash offers; the last one of the line is the one that is completed.
  private func offered(_ words: String..., on stage: Stage) throws -> [String] {
    let line = words.map { "'\($0)'" }.joined(separator: " ")
    let text = try stage.text(
      """
      source <(openwo --generate-completion-script bash)
      COMP_WORDS=(openwo \(line)); COMP_CWORD=\(words.count)
      COMP_LINE="${COMP_WORDS[*]}"; COMP_POINT=${#COMP_LINE}
      _openwo openwo "${COMP_WORDS[COMP_CWORD]}" "${COMP_WORDS[COMP_CWORD - 1]}"
      printf '%s\\n' "${COMPREPLY[@]}"
      """)
    return text.split(separator: "\n").map(String.init)
  }

  @Test func `the name of a database is completed`() throws {
    #expect(try offered("status", "dia", on: stage()).contains("diary.db"))
  }

  @Test func `versions of the database that is named are offered, the newest first`() throws {
    let stage = try stage()
    let ids = try stage.text("openwo history --json diary.db | grep -o '\"id\":\"[0-9a-f]*'")
      .split(separator: "\n").map { String($0.dropFirst(6).prefix(12)) }
    #expect(try offered("restore", "diary.db", "", on: stage) == ["@", "@~1"] + ids)
    #expect(try offered("query", "--at", String(ids[0].prefix(5)), on: stage) == [ids[0]])
  }

  @Test func `a conflicted copy is offered to diff and merge`() throws {
    let stage = try stage()
    let copy = "diary (conflicted copy 2026-11-20).db"
    try stage.text(
      """
      cp diary.db '\(copy)'; sqlite3 '\(copy)' 'CREATE TABLE there(a)'
      sqlite3 diary.db 'CREATE TABLE here(a)'
      """)
    #expect(try offered("merge", "diary.db", "dia", on: stage) == [copy])
    #expect(try offered("diff", "diary.db", "@", "dia", on: stage) == [copy])
    try stage.text("cd /; cp -r $STAGE/Training $STAGE/home/other")
    #expect(
      try offered("merge", "../home/other/diary.db", "../h", on: stage)
        == ["../home/other/\(copy)"])
  }

  @Test func `the other devices are offered to forget one`() throws {
    let stage = try stage()
    let offered = try offered("devices", "--forget", "", on: stage)
    #expect(offered.first == "old phone")
    #expect(offered.count == 2)
  }

  @Test func `files are offered to write to, and folders for the state`() throws {
    let stage = try stage()
    #expect(try offered("show", "@", "-o", "dia", on: stage).contains("diary.db"))
    #expect(try offered("migrate", "diary.db", "--from", "dia", on: stage).contains("diary.db"))
    #expect(
      try offered("status", "--state-dir", "dia", on: stage) == ["diary.db.openwo"])
  }

  @Test func `nothing is offered if there is no store`() throws {
    #expect(try offered("restore", "nothing.db", "", on: Stage()).isEmpty)
  }
}
