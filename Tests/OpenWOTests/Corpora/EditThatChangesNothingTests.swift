import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// An edit that changes no row beside a rival commit: its bytes are those of a file of which only the first page has arrived.
///
/// It may be refused, since all its rows are in versions.
struct EditThatChangesNothingTests {
  private let files = FileSystem()
  private let rig: Rig
  private let old: [UInt8]
  private let new: [UInt8]

  init() throws {
    rig = try Rig(["mac"])
    try rig.start("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1, 'one')")
    old = try rig.place.bytes(rig.database("mac"))
    try rig.write("mac", "two")
    new = try rig.place.bytes(rig.database("mac"))
    rig.clock.advance(milliseconds: 3_600_000)
  }

  /// Somebody's edit of the older state that sets what is set already.
  private func edit(at path: FilePath) throws -> [UInt8] {
    try AtomicFile.write(old, to: path, fileSystem: files)
    var edited = old
    // As many commits as the rival has, which the counter of the first page tells; the version of the schema stays what it was.
    for _ in 0..<8 where edited[24..<28].lexicographicallyPrecedes(new[24..<28]) {
      try rig.place.sqlite3("PRAGMA user_version = 0", path)
      edited = try rig.place.bytes(path)
    }
    #expect(edited[..<4096] == new[..<4096])
    #expect(edited[4096...] == old[4096...])
    return edited
  }

  @Test func `a file without a change beside a rival is refused, and nothing of it is missing`()
    throws
  {
    _ = try edit(at: rig.database("mac"))
    try rig.on("mac") { _ = try $0.reconcile() }
    #expect(try rig.place.bytes(rig.database("mac")) == new)
    #expect(try rig.evidence("mac", "damaged") == [])
    #expect(try rig.rows("mac") == ["one", "two"])
  }

  @Test func `a copy without a change beside a rival stays where it is`() throws {
    let copy = rig.folder("mac").appending("openwo.sync-conflict-20261121-074308-ABCDEFG.sqlite")
    let edited = try edit(at: copy)
    try rig.on("mac") { _ = try $0.reconcile() }
    #expect(try rig.place.bytes(rig.database("mac")) == new)
    #expect(try rig.place.bytes(copy) == edited)
  }
}
