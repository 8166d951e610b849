import Foundation
import OpenWOSQLite
import Testing

@testable import OpenWOMerge

/// Columns whose default is another one each time.
struct ChanceDefaultMergeTests {
  private static func rebuilt(_ default: String) -> String {
    "CREATE TABLE new(id INTEGER PRIMARY KEY, v, c \(`default`)); "
      + "INSERT INTO new(id, v) SELECT * FROM t; DROP TABLE t; ALTER TABLE new RENAME TO t;"
  }

  @Test(arguments: [
    "DEFAULT (randomblob(16))", "NOT NULL DEFAULT (random())",
    "TEXT NOT NULL UNIQUE DEFAULT (lower(hex(randomblob(4))) || '-' || hex(randomblob(2)))",
    "TEXT DEFAULT CURRENT_TIMESTAMP", "TEXT NOT NULL DEFAULT (datetime('now', '+1 day'))",
    "DEFAULT (unixepoch())", "DEFAULT CURRENT_DATE",
  ])
  func `two devices get the same bytes for a column with a default by chance`(
    kind: String
  ) throws {
    for andAdded in ["", "ALTER TABLE t ADD COLUMN n;"] {
      let scene = try MergeScene(
        "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1,'a'),(2,'b'),(3,'c')",
        ours: Self.rebuilt(kind) + "DELETE FROM t WHERE id=3; INSERT INTO t(id,v) VALUES(4,'ours')",
        theirs: andAdded
          + "INSERT INTO t(id,v) VALUES(5,'e'),(6,'f'); UPDATE t SET v='C' WHERE id=3")
      let all = "SELECT id, c, typeof(c) FROM t ORDER BY id"
      let merged = try scene.outcome(all)
      let again = try scene.merge().result.lines(all)
      #expect(merged == again && merged.count == 6)
      let before = try scene.ours.lines(all)
      #expect(Set(before).isSubset(of: Set(merged)), "what one side has stays")
      let made = try scene.merge().result.lines("SELECT DISTINCT c FROM t WHERE id IN (3,5,6)")
      if kind.contains("random") { #expect(made.count == 3) }
    }
  }

  @Test func `a time by default is that of the row's version`() throws {
    var scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1,'a')",
      ours: Self.rebuilt("TEXT DEFAULT CURRENT_TIMESTAMP"), theirs: "INSERT INTO t VALUES(2,'b')")
    scene.options.moments = Sides(ours: 0, theirs: 1_700_000_000_500)
    #expect(try scene.merge().result.lines("SELECT c FROM t WHERE id=2") == ["2023-11-14 22:13:20"])
  }

  @Test func `the files of two devices are the same byte for byte`() throws {
    let scene = try MergeScene(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v); INSERT INTO t VALUES(1,'a')",
      ours: Self.rebuilt("BLOB NOT NULL DEFAULT (randomblob(16))"),
      theirs: "ALTER TABLE t ADD COLUMN n DEFAULT 7; INSERT INTO t VALUES(2,'b',8),(3,'c',9)")
    let files = try [scene, scene.mirrored].map { scene in
      let (result, _) = try scene.merge()
      result.connection.close()
      return try Data(contentsOf: URL(filePath: result.path))
    }
    #expect(files[0] == files[1])
  }
}
