import Foundation
import Testing

/// A trouble that is made for real.
struct Trouble: Sendable, CustomTestStringConvertible {
  let name: String
  /// The commands that cause it, in a folder with the store `diary.db`.
  let cause: String
  /// The rows that there are in the end.
  var rows = "one,two,three"

  init(_ name: String, _ cause: String, rows: String = "one,two,three") {
    (self.name, self.cause, self.rows) = (name, cause, rows)
  }

  var testDescription: String { name }
}

extension Trouble {
  private static let damage = "printf xxxxxxxxxxxxxxxx | dd of=diary.db conv=notrunc status=none"
  private static let encryption = "head -c 12288 /dev/urandom > diary.db"
  private static let foreignLock = "on phone openwo sync -q; on phone openwo lock -q"
  private static let addFour = #"sqlite3 diary.db "INSERT INTO entry(text) VALUES('four')""#

  static let companion = [
    Trouble("store.json is lost", "rm diary.db.openwo/store.json"),
    Trouble(
      "store.json and the state folder are lost", "rm diary.db.openwo/store.json; rm -r ../state"),
    Trouble("store.json is cut", "echo '{' > diary.db.openwo/store.json"),
    Trouble("store.json is no text", "head -c 300 /dev/urandom > diary.db.openwo/store.json"),
    Trouble("the companion is lost", "rm -r diary.db.openwo"),
    Trouble("a file has the companion's name", "rm -r diary.db.openwo; echo x > diary.db.openwo"),
    Trouble("the companion and the state folder are lost", "rm -r diary.db.openwo ../state"),
    Trouble(
      "a link has the companion's name",
      "mkdir ../o; mv diary.db.openwo ../o; ln -s ../o/diary.db.openwo diary.db.openwo"),
    Trouble("a link leads nowhere", "rm -r diary.db.openwo; ln -s ../o/x diary.db.openwo"),
    Trouble(
      "the folder of versions is a link",
      "mv diary.db.openwo/versions ../v; ln -s ../../v diary.db.openwo/versions"),
    Trouble("all of the folder is away", "mkdir ../gone; mv diary.db* ../gone"),
    Trouble("the folder of versions is lost", "rm -r diary.db.openwo/versions"),
    Trouble("a version file is gone", "rm diary.db.openwo/versions/*.full"),
    Trouble(
      "a version file is gone, and the state folder",
      "rm diary.db.openwo/versions/*.full; rm -r ../state"),
    Trouble(
      "a version file is cut",
      "f=$(ls diary.db.openwo/versions/*.full); head -c 300 $f > t; cat t > $f; rm t"),
    Trouble("the state folder is deleted", "rm -r ../state"),
  ]

  static let database = [
    Trouble("the database is damaged", damage),
    Trouble("the database is cut", "head -c 5000 diary.db > t; mv t diary.db"),
    Trouble("the database is empty", ": > diary.db"),
    Trouble("the database is deleted", "rm diary.db"),
    Trouble("the database is encrypted", encryption),
    Trouble("a folder has the database's name", "rm diary.db; mkdir diary.db"),
    Trouble("a journal was left", "echo old > diary.db-journal"),
    Trouble("it is in WAL mode", "sqlite3 diary.db 'PRAGMA journal_mode = WAL'"),
    Trouble("it is damaged in one's own lock", "openwo lock -q; \(damage)"),
    Trouble("it is deleted in one's own lock", "openwo lock -q; rm diary.db"),
    Trouble("it is encrypted in one's own lock", "openwo lock -q; \(encryption)"),
    Trouble("it is damaged in another's lock", "\(foreignLock); \(damage)"),
    Trouble("it is deleted in another's lock", "\(foreignLock); rm diary.db"),
    Trouble("it is encrypted in another's lock", "\(foreignLock); \(encryption)"),
  ]

  static let others = [
    Trouble("a lock of this device", "openwo lock -q; \(addFour)", rows: "one,two,three,four"),
    Trouble(
      "the companion is lost in one's own lock",
      "openwo lock -q; \(addFour); rm -r diary.db.openwo", rows: "one,two,three,four"),
    Trouble(
      "store.json is lost in one's own lock",
      "openwo lock -q; \(addFour); rm diary.db.openwo/store.json", rows: "one,two,three,four"),
    Trouble("the companion is lost in another's lock", "\(foreignLock); rm -r diary.db.openwo"),
    Trouble(
      "store.json is lost in another's lock", "\(foreignLock); rm diary.db.openwo/store.json"),
    Trouble(
      "a lock of a process that is dead",
      """
      openwo edit -- sh -c 'sqlite3 "$1" "INSERT INTO entry(text) VALUES(4)"; kill -9 $PPID' sh {}
      """, rows: "one,two,three,4"),
    Trouble(
      "a lock of a laptop that no longer exists", "\(foreignLock); rm -r ../state-phone"),
    Trouble(
      "a clock was ahead and is right again",
      "sed -i 's/\"lastSeen\" : \"20/\"lastSeen\" : \"21/' diary.db.openwo/devices/*.json"),
    Trouble("the disk was full", "(ulimit -f 1; openwo edit -- sh -c true; openwo sync); true"),
    Trouble(
      "a conflict copy",
      """
      f=diary.sync-conflict-20261120-093011-ABCDEFG.db
      cp diary.db $f; sqlite3 $f "INSERT INTO entry(text) VALUES('four')"
      """, rows: "one,two,three,four"),
    Trouble("an empty conflict copy", ": > 'diary (conflicted copy 2026-11-20 101112).db'"),
    Trouble(
      "a conflict copy that is cut",
      "head -c 5000 diary.db > diary.sync-conflict-20261120-093011-ABCDEFG.db"),
    Trouble(
      "a foreign database with a similar name",
      "sqlite3 'diary 3.db' 'CREATE TABLE other(a); INSERT INTO other VALUES(1)'"),
    Trouble(
      "a link to another folder",
      """
      rm -r diary.db.openwo ../state; mkdir ../other; mv diary.db ../other
      ln -s ../other/diary.db diary.db
      """),
    Trouble(
      "the companion is another account's",
      "chmod 664 diary.db; chmod 600 diary.db.openwo/store.json"),
  ]
}

/// The printed commands alone lead out of each trouble with all rows.
struct NoDeadEndTests {
  @Test(arguments: Trouble.companion + Trouble.database + Trouble.others)
  func `each trouble is left by the printed commands`(trouble: Trouble) throws {
    let stage = try Self.stage()
    try stage.run(trouble.cause)
    let steps = try Self.follow(in: stage)
    let path = steps.joined(separator: "\n")
    #expect(try stage.text("openwo status diary.db").contains("is up to date"), "\(path)")
    let rows = try stage.text("sqlite3 diary.db 'SELECT group_concat(text) FROM entry'")
    #expect(rows == trouble.rows + "\n", "\(path)")
    // The last proposal of doctor works, and then there is none left.
    if let next = Self.next(try stage.run("openwo doctor diary.db")) { try stage.text(next) }
    let health = try stage.run("openwo doctor diary.db")
    #expect(health.status == 0 && Self.next(health) == nil, "\(path)\n\(health.text)")
  }

  @Test func `a database's twin in another Unicode form is merged and moved away`() throws {
    let stage = try Stage()
    try stage.text(
      """
      a=$(printf 'tage\\u0075\\u0308ber.db'); b=$(printf 'tage\\u00fcber.db')
      sqlite3 $b "CREATE TABLE entry(id INTEGER PRIMARY KEY, text); INSERT INTO entry VALUES(1, 1)"
      openwo init -q $b; cp $b $a; sqlite3 $a "INSERT INTO entry VALUES(2, 2)"
      for i in 1 2 3; do
        next=$(openwo doctor $b | sed -n 's/^next: //p'); [ -z "$next" ] || eval "$next"
      done
      """)
    #expect(try stage.text("sqlite3 *.db 'SELECT group_concat(text) FROM entry'") == "1,2\n")
    #expect(try stage.text("openwo status *.db").contains("is up to date"))
    #expect(try stage.text("ls ~") != "")
  }

  @Test func `a repair first says what it does, and leaves the database alone`() throws {
    let stage = try Self.stage()
    try stage.text("rm -r diary.db.openwo; stat -c '%i %Y %Z' diary.db > ../before")
    try stage.expect(
      """
      $ openwo doctor --repair --dry-run diary.db
      would do this:
        make the folder diary.db.openwo again, with the last 2 versions that this device has kept
        put store.json back, as this device remembers it
      next: openwo doctor diary.db --repair
      $ ls
      diary.db
      $ openwo doctor diary.db --repair
      repaired, without touching diary.db:
        make the folder diary.db.openwo again, with the last 2 versions that this device has kept
        put store.json back, as this device remembers it
        write again the file by which other devices know this one
      next: openwo status diary.db
      $ openwo doctor --repair
      nothing of openwo's own is to be repaired
      next: openwo status
      $ stat -c '%i %Y %Z' diary.db | cmp - ../before; openwo history | wc -l
      3
      """)
  }

  @Test func `files that an interrupted process left are removed`() throws {
    let stage = try Self.stage()
    try stage.text("touch -d '2 days ago' diary.db.openwo/versions/.~openwo-0123456789abcdef.tmp")
    try stage.expect(
      """
      $ openwo doctor | tail -3
      note     an interrupted openwo left an unfinished file
               remove what it left: openwo doctor --repair
      next: openwo doctor --repair
      $ openwo doctor --repair
      repaired, without touching diary.db:
        remove a file that an interrupted openwo left unfinished
      next: openwo status
      $ ls -A diary.db.openwo/versions | wc -l; openwo doctor | grep -c next
      2
      0
      [1]
      """)
  }

  @Test func `a device that is gone is forgotten, and one that has the lock is not`() throws {
    let stage = try Self.stage()
    try stage.text("on phone openwo sync -q; on phone openwo lock -q")
    #expect(try stage.run("openwo devices --forget phone").status == 11)
    try stage.text("on phone openwo unlock -q")
    #expect(try stage.run("openwo devices --forget laptop").status == 64)
    #expect(try stage.run("openwo devices --forget tablet").status == 64)
    #expect(try stage.text("openwo devices --forget phone -n").hasPrefix("would forget phone ("))
    #expect(try stage.text("openwo devices --forget phone").hasPrefix("forgot phone ("))
    #expect(try !stage.text("openwo devices").contains("phone"))
    try stage.text("openwo edit -q -- sqlite3 {} 'DELETE FROM entry'; on phone openwo sync -q")
    #expect(try stage.text("openwo devices").contains("phone"))
  }

  private static func stage() throws -> Stage {
    let stage = try Stage()
    try stage.text(
      """
      sqlite3 diary.db "CREATE TABLE entry(id INTEGER PRIMARY KEY, text);
        INSERT INTO entry(text) VALUES('one'), ('two')"
      openwo init -q diary.db
      openwo edit -q -- sqlite3 {} "INSERT INTO entry(text) VALUES('three')"
      """)
    return stage
  }

  /// Runs the command that the last one printed, beginning with `status`; `doctor` where none is printed, until all is well.
  private static func follow(in stage: Stage) throws -> [String] {
    var (command, steps) = ("openwo status diary.db", [String]())
    while steps.count < 8 {
      let result = try stage.run(command)
      steps.append("\(command)\n\(result.text)\(result.remarkText)")
      let isLook = command.contains("openwo status")
      if let next = next(result) {
        command = next
      } else if isLook && result.text.contains("is up to date") {
        break
      } else {
        command = isLook ? "openwo doctor diary.db" : "openwo status diary.db"
      }
    }
    return steps
  }

  private static func next(_ result: Stage.Result) -> String? {
    let lines = result.text.split(separator: "\n")
    if let line = lines.last(where: { $0.hasPrefix("next: ") }) {
      return String(line.dropFirst("next: ".count))
    }
    let mark = "openwo: hint: "
    guard let hint = result.remarkText.split(separator: "\n").first(where: { $0.hasPrefix(mark) }),
      let colon = hint.dropFirst(mark.count).range(of: ": ")
    else { return nil }
    let command = String(hint[colon.upperBound...])
    return command.contains(" FILE") ? nil : command
  }
}
