import Testing

/// Saying later how two sides become one.
struct RulesTests {
  @Test func `rules are seen, changed for all devices, and taken back`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; on phone openwo sync -q")
    try stage.expect(
      """
      $ openwo rules
      diary.db is merged so
        policy  lastWriterWins: the other side stays in the history
      $ openwo rules --policy merge --policy session=union --key exercise=name -n
      diary.db would be merged so
        policy  merge: what two devices wrote apart is merged row by row
        rule    session=union
        key     exercise=name
      $ openwo rules --policy merge --policy session=union --key exercise=name
      diary.db is merged so from now on
        policy  merge: what two devices wrote apart is merged row by row
        rule    session=union
        key     exercise=name
      next: openwo sync
      $ on phone openwo rules --place session=exercise,id -q; on phone openwo rules
      diary.db is merged so
        policy  merge: what two devices wrote apart is merged row by row
        rule    session=union
        key     exercise=name
        place   session=exercise,id
      $ openwo rules --reset --policy merge
      diary.db is merged so from now on
        policy  merge: what two devices wrote apart is merged row by row
      next: openwo sync
      $ OPENWO_POLICY=lastWriterWins openwo rules
      diary.db is merged so
        policy  merge: what two devices wrote apart is merged row by row
      """)
  }

  @Test func `a name that the database does not have is refused`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db")
    try stage.expect(
      """
      $ openwo rules --key session=mood
      ! openwo: error: there is no column session.mood; nothing was written
      ! openwo: hint: see what they are called: sqlite3 diary.db .schema
      [64]
      $ openwo rules --policy mood=union
      ! openwo: error: there is no table mood; nothing was written
      ! openwo: hint: see what they are called: sqlite3 diary.db .tables
      [64]
      $ openwo rules --json | grep -c '"changed":false'
      1
      """)
  }
}
