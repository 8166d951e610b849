import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// A write takes the place of the one before it only where nothing rests on that.
struct FoldedVersionTests {
  private let rig: Rig
  private let path: FilePath

  /// A content with this many rows is stored in full.
  private static let manyRows = """
    WITH RECURSIVE n(i) AS (SELECT 101 UNION ALL SELECT i + 1 FROM n WHERE i < 500)
      INSERT INTO t SELECT i, printf('%.1000c', 'y') FROM n
    """

  init() throws {
    rig = try Rig(["mac"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO t SELECT i, printf('%.1000c', 'x') FROM n
      """)
    path = rig.folder("mac").appending("openwo.sync-conflict-20261121-120000-ABCDEFG.sqlite")
  }

  /// Captures the copy between two writes, and answers the versions; every one of them has to be whole.
  private func capturingCopy(_ store: SyncedDatabase) throws -> [Version] {
    rig.clock.advance(milliseconds: 60_000)
    try store.core.with { store in
      let copies = try VersionDetector(store: store).look().copies
      for copy in copies { try ExaminedCopies(store: store).capture(copy.file) }
    }
    try FileSystem().unlink(path)
    try store.write { try $0.execute("UPDATE t SET v = 'second' WHERE id = 2") }
    let versions = try store.history().map(\.version)
    for version in versions {
      let shown = rig.place.root.appending("\(version.id)")
      #expect(throws: Never.self) { try store.export(version.id, to: shown) }
    }
    try store.close()
    return versions
  }

  @Test func `a version is not combined with the next one if a full copy follows from it`() throws {
    let store = try rig.open("mac")
    try store.write { try $0.execute("UPDATE t SET v = 'first' WHERE id = 1") }
    let first = try #require(store.history().first).version
    try rig.copy(rig.database("mac"), path)
    try rig.place.sqlite3(Self.manyRows, path)
    let versions = try capturingCopy(store)
    #expect(versions.contains { $0.reason == .external && $0.parents == [first.id] })
    #expect(versions.contains(first))
  }

  @Test func `a version is not combined with the next one if a copy is stored as its difference`()
    throws
  {
    let aside = rig.place.root.appending("aside.sqlite")
    try rig.copy(rig.database("mac"), aside)
    try rig.place.sqlite3("INSERT INTO t VALUES(1000, 'copied')", aside)
    let store = try rig.open("mac")
    try store.write { try $0.execute(Self.manyRows) }
    let first = try #require(store.history().first).version
    try rig.copy(aside, path)
    let versions = try capturingCopy(store)
    #expect(versions.contains { $0.reason == .external && !$0.parents.contains(first.id) })
    #expect(versions.contains(first))
  }
}
