import Testing

/// Which versions stay, which get names, and whether they can be restored.
struct KeptVersionsTests {
  /// Six versions, few of which rest on another one.
  private func stage() throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      sqlite3 diary.db 'CREATE TABLE photo(x)'; openwo init -q diary.db
      for i in 1 2 3 4 5; do
        openwo edit -q -- sqlite3 {} "INSERT INTO exercise(name) VALUES('$i'); DELETE FROM photo;
          INSERT INTO photo VALUES(randomblob(40000))"
      done
      """)
    return stage
  }

  @Test func `prune says what would go and why the rest stays, and does just that`() throws {
    let stage = try stage()
    let plan = try stage.json("openwo prune --keep-last 2 --dry-run --json")
    let removed = try #require(plan["removed"] as? [String])
    let kept = try #require(plan["kept"] as? [[String: Any]])
    try #require(removed.count + kept.count == 6 && !removed.isEmpty && !kept.isEmpty)
    #expect(kept[0]["reasons"] as? [String] == ["live", "newest", "last"])
    #expect(kept.allSatisfy { ($0["reasons"] as? [String])?.isEmpty == false })
    let text = try stage.text("openwo prune --keep-last 2 -n")
    for id in removed { #expect(text.contains("\n  \(id.prefix(12))\n"), "\(text)") }
    #expect(text.contains("it is live, it is the newest, one of the last"), "\(text)")
    #expect(try stage.text("openwo history | wc -l") == "7\n")
    try stage.text("openwo prune --keep-last 2")
    let left = try #require(try stage.json("openwo history --json")["versions"] as? [Any])
    #expect(left.count >= kept.count)
    #expect(try stage.run("openwo show \(removed[0]) -o ../gone.db").status != 0)
  }

  @Test func `a version with a name is not pruned and is meant by its name`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ openwo history --pin @~4 before-the-trip
      version <version--1> of diary.db is called before-the-trip and is never pruned
      undo: openwo history --unpin before-the-trip
      $ openwo history | grep trip
        <version--1>  YYYY-MM-DD hh:mm  laptop  edit    53 kB  exercise +1, photo +1  [before-the-trip]
      """)
    try stage.expect(
      """
      $ openwo history --pin @~3 before-the-trip
      version <version--2> of diary.db is called before-the-trip and is never pruned
      version <version--1> was called so until now, and may be pruned again
      undo: openwo history --pin <version--1> before-the-trip
      $ openwo history --pin <version--1> before-the-trip
      version <version--1> of diary.db is called before-the-trip and is never pruned
      version <version--2> was called so until now, and may be pruned again
      undo: openwo history --pin <version--2> before-the-trip
      """)
    let plan = try stage.json("openwo prune --keep-last 1 -n --json")
    let kept = try #require(plan["kept"] as? [[String: Any]])
    #expect(kept.contains { ($0["reasons"] as? [String])?.contains("pinned") == true })
    try stage.text("openwo prune --keep-last 1 -q; openwo restore before-the-trip")
    #expect(try stage.text("sqlite3 diary.db 'SELECT count(*) FROM exercise'") == "3\n")
    try stage.expect(
      """
      $ openwo history --unpin before-the-trip
      no version of diary.db is called before-the-trip any more
      $ openwo restore before-the-trip
      ! openwo: error: before-the-trip is neither a version nor a time such as '3 days ago' or 'YYYY-MM-DD hh:mm'
      ! openwo: hint: see all versions: openwo history
      [1]
      """)
  }

  @Test func `another device keeps a version with a name, too, and may give the name on`() throws {
    let stage = try stage()
    try stage.text("openwo history -q --pin @~3 first; on phone openwo sync -q")
    let plan = try stage.json("on phone openwo prune --keep-last 1 -n --json")
    let kept = try #require(plan["kept"] as? [[String: Any]])
    #expect(kept.contains { ($0["reasons"] as? [String])?.contains("pinned") == true })
    try stage.text("on phone openwo history -q --pin @ first")
    #expect(try stage.text("openwo diff first @").contains("have the same tables and rows"))
    try stage.text("openwo devices -q --forget phone")
    #expect(try stage.text("openwo diff first @").contains("have the same tables and rows"))
  }

  @Test(arguments: ["@", "yesterday", "3 days ago", "abcd1234", "''", "a/b", "$(printf '\\033x')"])
  func `a name that means something else is refused`(name: String) throws {
    let stage = try stage()
    let word = name.hasPrefix("$") || name == "''" ? name : "'\(name)'"
    #expect(try stage.run("openwo history --pin @ \(word)").status == 64)
  }

  @Test func `all versions are restored as a proof, or some`() throws {
    let stage = try stage()
    try stage.expect(
      """
      $ openwo doctor --restore-all
      ok       6 of 6 versions were restored and are whole
      $ openwo doctor --restore-all --sample 2
      ok       2 of 2 versions were restored and are whole, out of 6
      """)
    try stage.text(
      """
      f=$(ls diary.db.openwo/versions/*.full | head -1)
      printf x | dd of=$f conv=notrunc bs=1 seek=9000 status=none
      """)
    let result = try stage.run("openwo doctor --restore-all")
    #expect(result.status == 1 && result.text.contains("cannot be restored"), "\(result.text)")
  }
}
