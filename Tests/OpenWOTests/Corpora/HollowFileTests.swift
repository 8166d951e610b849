import Corpora
import Foundation
import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

/// Files that say they are very large and are nearly all holes: each once kept every verb busy for as long as reading zeros takes.
struct HollowFileTests {
  private static let size: Int64 = 100 << 30
  private let files = FileSystem()
  private let rig: Rig

  init() throws {
    rig = try Rig(["mac"])
    try rig.start()
    try rig.write("mac", "kept")
  }

  private var database: FilePath { rig.database("mac") }
  private var journal: FilePath { FilePath(database.string + "-journal") }

  private func put(_ bytes: [UInt8], at path: FilePath, size: Int64? = nil) throws {
    try AtomicFile.write(bytes, to: path, fileSystem: files)
    if let size { #expect(truncate(path.string, Int(size)) == 0) }
    rig.clock.advance(milliseconds: 60_000)
  }

  /// The rows are there, and none of it took long.
  private func expectWhole() throws {
    var rows: [String] = []
    let time = try ContinuousClock().measure { rows = try rig.rows("mac") }
    #expect(rows == ["one", "kept"])
    #expect(time < .seconds(20))
    #expect(try files.statusIfPresent(journal) == nil)
  }

  @Test func `a database of 100 GB of nothing is put right`() throws {
    var bytes = try rig.place.bytes(database)
    let count = UInt32(Self.size / 4096)
    bytes.replaceSubrange(
      28..<32, with: [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) })
    try put(bytes, at: database, size: Self.size)
    try expectWhole()
  }

  @Test(arguments: [true, false])
  func `a journal that grows the database to 275 GB is set aside`(isTorn: Bool) throws {
    var bytes = try rig.place.bytes(database)
    if isTorn {
      bytes.replaceSubrange(4096..<8192, with: [UInt8](repeating: 0, count: 4096))
    } else {
      // An edit that nobody knows yet.
      try rig.place.sqlite3("PRAGMA user_version = 7", database)
      bytes = try rig.place.bytes(database)
    }
    try put(bytes, at: database)
    try put(HostileJournal(pageCount: 0x3FF_FFFF).bytes, at: journal)
    try expectWhole()
  }

  @Test func `a journal of 100 GB of nothing is set aside`() throws {
    var bytes = HostileJournal(pageCount: 3).bytes
    bytes.replaceSubrange(8..<12, with: [255, 255, 255, 255])
    try put(bytes, at: journal, size: Self.size)
    try expectWhole()
  }
}
