import Corpora
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

/// What a service brings beside a database, a journal or a log, leads to another state than the one that stands there: neither is lost.
struct PassedOverTests {
  private static let pageSize = 4096
  private let files = FileSystem()

  private func rig(_ devices: [String] = ["mac"]) throws -> Rig {
    let rig = try Rig(devices)
    try rig.start()
    return rig
  }

  private func insert(_ value: String, _ rig: Rig) throws {
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('\(value)')", rig.database("mac"))
  }

  /// Puts the journal there that brings pages of a state back.
  private func putJournal(_ pages: [Int], of state: [UInt8], _ rig: Rig) throws {
    let journal = HostileJournal(
      pages: pages.map { page in
        (UInt32(page), Array(state[(page - 1) * Self.pageSize..<page * Self.pageSize]))
      }, pageCount: UInt32(state.count / Self.pageSize))
    try AtomicFile.write(
      journal.bytes, to: FilePath(rig.database("mac").string + "-journal"), fileSystem: files)
  }

  /// The rows of all versions.
  private func rowsOfVersions(_ rig: Rig) throws -> [Version: String] {
    let shown = rig.place.root.appending("shown.sqlite")
    return try rig.on("mac") { store in
      var found: [Version: String] = [:]
      for entry in try store.history() {
        try store.export(entry.version.id, to: shown.string)
        found[entry.version] = try rig.place.sqlite3(
          "SELECT group_concat(v) FROM (SELECT v FROM t ORDER BY id)", shown)
        try files.unlink(shown)
      }
      return found
    }
  }

  private func rest(_ rig: Rig) throws {
    rig.clock.advance(milliseconds: 60_000)
    for _ in 1...2 { _ = try rig.on("mac") { try $0.reconcile() } }
  }

  @Test(arguments: [["mac"], ["phone", "mac"]], [false, true])
  func `what stands there goes on beside what an unproven journal leads to`(
    devices: [String], isOld: Bool
  ) throws {
    let rig = try rig(devices)
    let before = try rig.place.bytes(rig.database("mac"))
    try insert("acknowledged", rig)
    // A program that sets times, or a clock that was set back.
    if isOld { try files.setTimes(rig.database("mac"), modified: 1_000_000_000_000_000_000) }
    let standing = try rig.place.bytes(rig.database("mac"))
    try putJournal([2], of: before, rig)
    try rest(rig)
    #expect(try rig.place.bytes(rig.database("mac")) == standing)
    #expect(try rig.rows("mac") == ["one", "acknowledged"])
    #expect(try rowsOfVersions(rig).count == 4)
  }
}
