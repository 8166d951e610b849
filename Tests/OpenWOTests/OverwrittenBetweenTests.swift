import Corpora
import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A service writes an older state over the file, without any lock, before each system call of a write in turn.
///
/// Once, such a write was acknowledged but in no version: pages of two states were captured as one.
struct OverwrittenBetweenTests {
  /// Every seventh call, or every one in the long form.
  private static let stride = ProcessInfo.processInfo.environment["OPENWO_LONG"] == nil ? 7 : 1

  @Test func `a write that was acknowledged while a service wrote over the file is in a version`()
    throws
  {
    let stencil = try Rig(["mac"])
    try stencil.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t(v) VALUES('one');
      CREATE TABLE filler(b); INSERT INTO filler VALUES(zeroblob(20000))
      """)
    let older = stencil.place.root.appending("older.sqlite")
    try stencil.copy(stencil.database("mac"), older)
    try stencil.write("mac", "two")
    var (number, doubts) = (0, 0)
    while true {
      let rig = try Rig(copying: stencil)
      let ambush = Ambush(before: number) {
        [place = rig.place, path = rig.database("mac")] in
        // Another process: closing the file in this one would drop SQLite's locks.
        _ = place.run(["cp", older.string, path.string])
      }
      let isTaken = write(rig, ambush)
      guard ambush.hasActed else { break }
      if !isTaken { doubts += 1 }
      rig.clock.advance(milliseconds: 60_000)
      let rows = try rowsOfAllVersions(rig)
      #expect(rows.isSuperset(of: ["one", "two"]), "before call \(number), \(ambush.call)")
      if isTaken { #expect(rows.contains("written"), "before call \(number), \(ambush.call)") }
      number += Self.stride
    }
    #expect(doubts < number)
  }

  private func write(_ rig: Rig, _ ambush: Ambush) -> Bool {
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: ambush)
    do {
      let store = try SyncedDatabase(
        path: rig.database("mac").string, configuration: configuration)
      // A second write takes the place of the first one's version, as long as nobody else has it.
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('before')") }
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('written')") }
      try? store.close()
      return true
    } catch {
      return false
    }
  }

  private func rowsOfAllVersions(_ rig: Rig) throws -> Set<String> {
    try rig.on("mac") { store in
      _ = try store.reconcile()
      var rows: Set<String> = []
      for entry in try store.history() {
        let shown = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: shown)
        #expect(try rig.place.sqlite3("PRAGMA integrity_check", shown) == "ok\n")
        let said = try rig.place.sqlite3("SELECT v FROM t", shown)
        rows.formUnion(said.split(separator: "\n").map(String.init))
      }
      return rows
    }
  }
}
