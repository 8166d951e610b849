import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

/// A conflict copy that is a mix of two versions and passes the integrity check: once it became a
/// version and won.
struct TornCopyTests {
  @Test func `a conflict copy that is a mix of versions does not become a version`() throws {
    let files = FileSystem()
    let rig = try Rig(["mac"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
      INSERT INTO t SELECT i, 'first' FROM n
      """)
    let old = try rig.place.bytes(rig.database("mac"))
    try rig.on("mac") { store in
      try store.write { try $0.execute("UPDATE t SET v = 'later'") }
    }
    let new = try rig.place.bytes(rig.database("mac"))
    let half = new.count / 8192 * 4096
    let copy = rig.folder("mac").appending("openwo.sync-conflict-20261121-074308-ABCDEFG.sqlite")
    try AtomicFile.write(Array(new[..<half] + old[half...]), to: copy, fileSystem: files)
    #expect(try rig.place.sqlite3("PRAGMA integrity_check", copy) == "ok\n")
    rig.clock.advance(milliseconds: 3_600_000)
    let count = try rig.on("mac") { store in
      _ = try store.reconcile()
      return try store.history().count
    }
    #expect(count == 2)
    #expect(try rig.place.bytes(rig.database("mac")) == new)
    #expect(try files.statusIfPresent(copy) != nil)
  }
}
