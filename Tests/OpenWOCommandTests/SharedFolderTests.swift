import Foundation
import Testing

/// Several accounts of a machine use the folder, for example a service's own: those who can use the
/// database can use openwo's files.
struct SharedFolderTests {
  /// A store that every verb has written in, its database with this mode.
  private func stage(_ mode: String, umask: String) throws -> Stage {
    let stage = try MainJobTests.stage()
    try stage.text("chmod \(mode) diary.db; umask \(umask); openwo init -q diary.db")
    try stage.text(
      """
      umask \(umask); on phone openwo sync -q
      openwo edit -q -- sqlite3 {} "DELETE FROM session"; openwo lock -q
      """)
    return stage
  }

  private func modes(_ stage: Stage, _ kind: String) throws -> Set<String> {
    let found = try stage.text("find diary.db.openwo -type \(kind) -printf '%m\\n'")
    return Set(found.split(separator: "\n").map(String.init))
  }

  @Test(arguments: [
    ("664", "077", "775"), ("660", "022", "770"), ("640", "000", "750"), ("600", "000", "700"),
    ("644", "077", "755"),
  ])
  func `the companion has the database's mode, whatever the umask`(
    mode: String, umask: String, folder: String
  ) throws {
    let stage = try stage(mode, umask: umask)
    #expect(try modes(stage, "f") == [mode])
    #expect(try modes(stage, "d") == [folder])
    #expect(try stage.text("ls diary.db.openwo") == "devices\nlocks\nstore.json\nversions\n")
    try stage.text("openwo unlock -q; rm diary.db; openwo sync -q")
    #expect(try stage.text("stat -c %a diary.db") == "\(mode)\n")
  }

  @Test(.enabled(if: getuid() == 0)) func `the companion has the database's owner and group`()
    throws
  {
    let stage = try MainJobTests.stage()
    try stage.text(
      """
      chmod 660 diary.db; chown 4321:1234 diary.db; openwo init -q diary.db
      openwo edit -q -- sqlite3 {} "DELETE FROM session"; openwo lock -q
      """)
    #expect(try stage.text("find diary.db.openwo -printf '%U:%G\\n' | sort -u") == "4321:1234\n")
  }

  @Test func `a folder that hands its group on still does in the companion`() throws {
    let stage = try MainJobTests.stage()
    try stage.text("chmod 2775 .; chmod 664 diary.db; openwo init -q diary.db")
    #expect(try modes(stage, "d") == ["2775"])
  }

  @Test func `a new database is made as the umask says`() throws {
    let stage = try Stage()
    try stage.text("umask 027; openwo init -q --create new.db")
    #expect(try stage.text("stat -c %a new.db new.db.openwo") == "640\n750\n")
  }

  @Test func `doctor finds a companion that others may not use`() throws {
    let stage = try stage("664", umask: "022")
    try stage.text("chmod -R go= diary.db.openwo")
    try stage.expect(
      """
      $ openwo doctor | grep -A1 accounts
      warning  other accounts that may use the database may not use all of diary.db.openwo
               let them: chmod -R g+rwX,o+rX diary.db.openwo
      $ chmod -R g+rwX,o+rX "$PWD/diary.db.openwo"; openwo doctor | grep -c accounts
      0
      [1]
      """)
  }
}
