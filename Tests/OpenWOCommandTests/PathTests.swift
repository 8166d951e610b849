import Foundation
import Testing

/// Names that shells, terminals and programs stumble over.
struct PathTests {
  private static let names = [
    "two words.db", "it's.db", "quote\".db", "😀 übung.db", "-dash.db", "{}.db", "dollar$HOME.db",
    "back\\slash.db", "*.db", "percent%20.db", "café.db", "cafe\u{301}.db", ".hidden.db",
  ]

  @Test(arguments: names)
  func `a store of any name is locked, edited and brought back`(name: String) throws {
    let stage = try Stage()
    try play(stage, "'\(name.split(separator: "'").joined(separator: "'\\''"))'")
  }

  @Test(arguments: [#"$'new\nline.db'"#, #"$'tab\tbell\a.db'"#, #"$'bytes\xff\xfe.db'"#])
  func `names that cannot be printed are shown so that they can be typed`(word: String) throws {
    let stage = try Stage()
    try play(stage, word)
    let hint = try stage.run("openwo status ./\(word); openwo init ./\(word)").remarkText
    let command = try #require(hint.split(separator: "openwo status ").last)
    // The hint can be pasted, and finds the store.
    try stage.text("openwo status \(command)")
  }

  private func play(_ stage: Stage, _ word: String) throws {
    try stage.text("f=./\(word); sqlite3 \"$f\" 'CREATE TABLE t(x); INSERT INTO t VALUES(1)'")
    let result = try stage.run(
      """
      set -e; f=./\(word); cp "$f" ../before.db
      openwo init "$f"; openwo status "$f"; openwo status --check; openwo lock "$f"
      openwo unlock "$f"; cmp "$f" ../before.db
      export f; openwo edit "$f" -- sh -c 'test "$1" -ef "$f" && sqlite3 "$1" "DELETE FROM t"' sh {}
      openwo restore "$f" @~1; cmp "$f" ../before.db; openwo history "$f"; openwo doctor "$f"
      openwo status --json "$f" | grep -q '"schema":"openwo/1"'
      """)
    #expect(result.status == 0, "\(result.text)\(result.remarkText)")
    #expect(!result.text.unicodeScalars.contains { $0.value < 32 && $0 != "\n" })
  }

  @Test func `a command without a standard output fails and writes into no other file`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db")
    let result = try stage.run(
      """
      openwo export >&-; echo $?
      for f in $(find "$OPENWO_STATE_DIR" -name '*.lock'); do cat "$f"; done
      openwo lock -q <&- >&- 2>&-; echo $?; openwo unlock -q; echo $?
      """)
    #expect(result.text == "1\n0\n0\n", "\(result.text)\(result.remarkText)")
  }

  @Test func `links and relative paths lead to the same store`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("ln -s Training ../link; ln -s Training/diary.db ../diary-link.db")
    try stage.text("openwo init ../link/diary.db; ln -s diary.db alias.db")
    try stage.expect(
      """
      $ openwo lock ../link/diary.db
      locked diary.db
        open       /stage/Training/diary.db
        when done  openwo unlock ../link/diary.db
      $ openwo status ../link/../Training/./diary.db | head -1
      diary.db is locked for editing on this device by mari (openwo lock)
      $ openwo status "$PWD/diary.db" | head -1
      diary.db is locked for editing on this device by mari (openwo lock)
      $ openwo status alias.db | head -1
      alias.db is locked for editing on this device by mari (openwo lock)
      $ cd / && openwo unlock "$STAGE/diary-link.db"
      unlocked diary-link.db: no changes
      $ OPENWO_DB=../link/diary.db openwo lock
      locked diary.db
        open       /stage/Training/diary.db
        when done  openwo unlock
      """)
  }

  @Test func `messages name the database as it was typed`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      mkdir ../by; cp diary.db 'my diary.db'; openwo init -q 'my diary.db'; openwo lock -q
      rm diary.db
      """)
    try stage.expect(
      """
      $ openwo restore zzz; openwo doctor | grep -A1 'holds the lock'
      note     mari on laptop (openwo lock) holds the lock <lock-1> since YYYY-MM-DD hh:mm
               when the edit is finished: openwo unlock
      ! openwo: error: zzz is neither a version nor a time such as '3 days ago' or 'YYYY-MM-DD hh:mm'
      ! openwo: hint: see all versions: openwo history
      $ openwo lock 'my diary.db' 2>&1 | grep hint
      openwo: hint: when the edit is finished: openwo unlock 'my diary.db'
      $ cd ../by; openwo lock '../Training/my diary.db' 2>&1 | grep -o 'openwo unlock.*'
      openwo unlock '../Training/my diary.db'
      $ cd ..; openwo doctor 'Training/my diary.db' | grep written
      ok       the state folder /stage/state can be written
      ok       Training/my diary.db.openwo can be written
      $ openwo lock "$STAGE/Training/my diary.db" 2>&1 | grep hint
      openwo: hint: when the edit is finished: openwo unlock '/stage/Training/my diary.db'
      $ ln -s 'Training/my diary.db' ../link.db; cd ..; openwo lock link.db 2>&1 | grep hint
      openwo: hint: when the edit is finished: openwo unlock link.db
      """)
  }

  @Test func `a name that begins with a dash is printed so that it is not an option`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("mv diary.db ./-d.db; openwo init -q -- -d.db; openwo lock -q -- -d.db")
    let next = try stage.text("openwo status -- -d.db | sed -n 's/^next: //p'")
    #expect(next == "openwo unlock ./-d.db\n")
    try stage.text(next)
  }

  @Test func `output for programs has the whole path`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init -q diary.db; openwo lock -q; ln -s Training ../link")
    try stage.expect(
      """
      $ openwo status --json ../link/diary.db | grep -o '"next":.*'
      "next":"openwo unlock /stage/Training/diary.db"}
      $ openwo lock --json 2>&1 | grep -o '"hint":.*"exit"'
      "hint":"when the edit is finished: openwo unlock /stage/Training/diary.db","next":"openwo unlock /stage/Training/diary.db","exit"
      """)
  }

  @Test func `a conflict copy is named relative to the person's folder`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      openwo init -q diary.db; cp diary.db 'diary (conflicted copy).db'
      sqlite3 'diary (conflicted copy).db' "INSERT INTO exercise(name) VALUES('Row')"
      """)
    #expect(
      try stage.text("openwo conflicts show").contains(
        "openwo merge 'diary (conflicted copy).db'\n"))
    #expect(
      try stage.text("cd ..; openwo conflicts show Training/diary.db").contains(
        "openwo merge Training/diary.db 'Training/diary (conflicted copy).db'\n"))
    try stage.text("cd ..; openwo merge -q Training/diary.db 'Training/diary (conflicted copy).db'")
  }

  @Test func `the store is found in the working folder or by OPENWO_DB`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("openwo init diary.db; sqlite3 ../other.db 'CREATE TABLE t(x)'")
    try stage.text("openwo init ../other.db")
    try stage.expect(
      """
      $ openwo status | head -1
      diary.db is up to date
      $ OPENWO_DB=../other.db openwo status | head -1
      other.db is up to date
      $ OPENWO_DB=../other.db openwo restore @
      other.db is version <version--1> already
      $ OPENWO_DB=../other.db openwo status diary.db | head -1
      diary.db is up to date
      $ cd .. && openwo status | head -1
      other.db is up to date
      $ cd ../.. && openwo status
      ! openwo: error: there is no store in the working folder
      ! openwo: hint: name the database, or make a store of it: openwo init DATABASE
      [10]
      """)
  }

  @Test func `22: a folder that may not be written`() throws {
    let stage = try MainJobTests.stage()
    try stage.text(
      "cp diary.db other.db; openwo init diary.db; openwo edit -q -- sqlite3 {} 'DELETE FROM session'"
    )
    try stage.text(
      "chmod -R a+rX \"$STAGE\"; chmod -R a-w . ; mkdir ../nobody; chmod a+rwx ../nobody")
    // Root may write everywhere: somebody else looks.
    let nobody = getuid() == 0 ? "setpriv --reuid 65534 --clear-groups " : ""
    let openwo = "OPENWO_STATE_DIR=$STAGE/nobody/state \(nobody)openwo"
    try stage.run("cp diary.db ../before.db")
    for line in ["lock", "restore @~1", "edit -- true", "init other.db"] {
      let result = try stage.run("\(openwo) \(line)")
      #expect(result.status == 22, "\(line): \(result.remarkText)")
      #expect(result.remarkText.hasPrefix("openwo: error: "))
    }
    for line in ["status", "history", "devices", "show @~1 | wc -c", "conflicts"] {
      let result = try stage.run("\(openwo) \(line)")
      #expect(result.status == 0, "\(line): \(result.remarkText)")
    }
    let doctor = try stage.run("\(openwo) doctor")
    #expect(doctor.status == 1)
    #expect(doctor.text.contains("cannot be written"), "\(doctor.text)")
    try stage.text("cmp diary.db ../before.db")
  }
}
