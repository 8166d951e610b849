import Corpora
import OpenWO
import OpenWOFiles
import OpenWOSQLite
import SystemPackage
import Testing

/// Another program commits before each system call of an opening that migrates: its commit stays, and every version is what its hash says.
struct MigratingBesideTests {
  private static let steps = Migrations([
    .init(1) { try $0.execute("ALTER TABLE t ADD COLUMN n") },
    .init(2) { try $0.execute("UPDATE t SET n = id") },
  ])

  @Test func `a program's commit during a migration is in the history with it`() throws {
    let stencil = try Rig(["mac"])
    try stencil.start()
    var number = 0
    while true {
      let rig = try Rig(copying: stencil)
      let ambush = Ambush(before: number) {
        [place = rig.place, path = rig.database("mac")] in
        _ = try? place.sqlite3("INSERT INTO t(v) VALUES('between')", path)
      }
      var configuration = rig.configuration("mac")
      configuration.migrations = Self.steps
      configuration.files = FileSystem(observer: ambush)
      try SyncedDatabase(path: rig.database("mac").string, configuration: configuration).close()
      guard ambush.hasActed else { break }
      let live = try rig.place.sqlite3("SELECT v FROM t", rig.database("mac"))
      rig.clock.advance(milliseconds: 60_000)
      try rig.on("mac") { store in
        #expect(try store.read { try $0.userVersion } == 2)
        for entry in try store.history() {
          try store.export(entry.version.id, to: rig.place.root.appending("shown.sqlite").string)
        }
      }
      let shown = try rig.place.sqlite3("SELECT v FROM t", rig.place.root.appending("shown.sqlite"))
      #expect(shown == "one\n")
      #expect(try rig.rows("mac").joined(separator: "\n") + "\n" == live, "\(ambush.call)")
      number += 3
    }
    #expect(number > 40)
  }

  @Test func `a migration of several steps is one version`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    var configuration = rig.configuration("mac")
    configuration.migrations = Self.steps
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    #expect(try store.history().map(\.version.reason) == [.migrate, .create])
    try store.close()
  }
}
