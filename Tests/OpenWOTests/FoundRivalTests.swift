import Foundation
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// Files that come after a file of which nobody knows where it came from.
struct FoundRivalTests {
  /// No other device has shown itself, and yet somebody else's file is live.
  @Test func `a file without a row of a version that follows from nothing is not its child`() throws
  {
    let rig = try Rig(["phone"])
    // Then heads that may still turn out to be one line are left apart for a while.
    rig.settling = .merge
    try rig.start("CREATE TABLE t(v TEXT)")
    try rig.write("phone", "two")
    // Another device's file, which has none of the rows that are known here.
    let file = rig.place.root.appending("file")
    try rig.place.sqlite3(
      "CREATE TABLE t(v TEXT); INSERT INTO t VALUES('a'), ('b'), ('c')", file)
    try deliver(file, rig)
    let first = try #require(try found(rig).first)
    #expect(first.parents.isEmpty)
    // It comes again, without what it had at first.
    try rig.place.sqlite3("DELETE FROM t WHERE v = 'a'; INSERT INTO t VALUES('d')", file)
    try deliver(file, rig)
    let second = try #require(try found(rig).first { $0.id != first.id })
    #expect(!second.parents.contains(first.id))
  }

  private func deliver(_ file: FilePath, _ rig: Rig) throws {
    let copy = rig.place.root.appending("copy")
    try rig.copy(file, copy)
    try FileSystem().rename(copy, to: rig.database("phone"))
  }

  private func found(_ rig: Rig) throws -> [Version] {
    try rig.on("phone") { try $0.history() }.map(\.version).filter { $0.reason == .external }
  }
}

/// Services that write in place: what is found in the very file need not follow from what was there.
struct OverwrittenByServiceTests {
  /// A small database shares most of its pages with any side.
  @Test func `a program's write into a side that a service wrote into the file loses no row`()
    throws
  {
    let rig = try Rig(["mac", "phone"])
    rig.settling = .merge
    try rig.start(
      """
      CREATE TABLE t(id TEXT PRIMARY KEY, v TEXT);
      CREATE TABLE session(pid INTEGER); INSERT INTO session VALUES(1);
      INSERT INTO t VALUES('a', 'one'), ('b', 'one'), ('c', 'one');
      """)
    for (device, pid) in [("phone", 2), ("mac", 3)] {
      try rig.on(device) { store in
        try store.write { db in
          for number in 1...3 {
            try db.execute("INSERT INTO t VALUES(?, ?)", "\(device)\(number)", device)
          }
          try db.execute("UPDATE session SET pid = \(pid)")
        }
      }
    }
    try rig.deliver("phone", "mac", live: false)
    let bytes = try FileSystem().readSmall(rig.database("phone"), limit: 1 << 20)
    let file = try FileHandle(forWritingTo: URL(filePath: rig.database("mac").string))
    try file.write(contentsOf: bytes)
    try file.close()
    try rig.place.sqlite3(
      "INSERT INTO t VALUES('later', 'mac'); UPDATE session SET pid = 3", rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    try rig.settle()
    for device in ["mac", "phone"] {
      let rows = try rig.place.sqlite3("SELECT id FROM t ORDER BY id", rig.database(device))
      #expect(
        rows.split(separator: "\n").joined(separator: " ")
          == "a b c later mac1 mac2 mac3 phone1 phone2 phone3")
    }
  }
}
