import Corpora
import OpenWO
import OpenWOFiles
import Synchronization
import SystemPackage
import Testing

/// Another program commits before each system call of a write in turn: both commits stay, and every version is what its hash says.
struct CommittedBetweenTests {
  /// Whether the program's commit went through; it does not while the write has the lock.
  private final class Commit: Sendable {
    let isDone = Mutex(false)
  }

  @Test func `a program that commits beside a write is in the history with it`() throws {
    let stencil = try Rig(["mac"])
    try stencil.start()
    var number = 0
    var commits = 0
    while true {
      let rig = try Rig(copying: stencil)
      let commit = Commit()
      let ambush = Ambush(before: number) {
        [place = rig.place, path = rig.database("mac")] in
        let said = try? place.sqlite3(
          "INSERT INTO t(v) VALUES('between'); SELECT count(*) FROM t", path)
        commit.isDone.withLock { $0 = said.map { !$0.isEmpty } ?? false }
      }
      try write(rig, ambush)
      guard ambush.hasActed else { break }
      let wanted: Set =
        commit.isDone.withLock { $0 } ? ["one", "written", "between"] : ["one", "written"]
      commits += wanted.count - 2
      rig.clock.advance(milliseconds: 60_000)
      #expect(try Set(rig.rows("mac")) == wanted, "before call \(number), \(ambush.call)")
      try checkHistory(rig)
      number += 2
    }
    #expect(commits > 5)
  }

  private func write(_ rig: Rig, _ ambush: Ambush) throws {
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: ambush)
    let store = try SyncedDatabase(
      path: rig.database("mac").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('written')") }
    try store.close()
  }

  /// Every version can be put together, and is what its hash says.
  private func checkHistory(_ rig: Rig) throws {
    try rig.on("mac") { store in
      for entry in try store.history() {
        try store.export(entry.version.id, to: rig.place.root.appending("shown.sqlite").string)
      }
    }
  }
}
