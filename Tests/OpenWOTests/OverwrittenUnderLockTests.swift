import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// A service writes another device's file into the very file that this device has locked, as some do.
struct OverwrittenUnderLockTests {
  private let rig: Rig
  private let request = LockRequest(outlivesProcess: true)

  /// Two devices that have written apart.
  init() throws {
    rig = try Rig()
    try rig.start("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT, w TEXT)")
    try insert("mac", "mine")
    try insert("phone", "theirs")
  }

  private func insert(_ device: String, _ value: String) throws {
    try rig.on(device) { store in
      try store.write { try $0.execute("INSERT INTO t(v, w) VALUES(?, ?)", value, value) }
    }
  }

  /// Locks on the mac, has the phone's file written into the mac's, and unlocks.
  private func overwrite(afterItsVersion isKnown: Bool) throws {
    _ = try rig.command("mac") { try $0.lock(request) }
    if isKnown { try rig.deliver("phone", "mac", live: false) }
    rig.clock.advance(milliseconds: 1_000)
    try rig.place.sqlite3("INSERT INTO t(v, w) VALUES('edit', 'edit')", rig.database("mac"))
    #expect(
      rig.place.run(
        ["dd", "if=\(rig.database("phone"))", "of=\(rig.database("mac"))", "status=none"]) == 0)
    _ = try rig.command("mac") { try $0.unlock() }
  }

  private func settled() throws -> [[String]] {
    try rig.settle()
    return try ["mac", "phone"].map { Array(Set(try rig.rows($0))).sorted() }
  }

  /// All versions of the mac that nobody has brought in yet.
  private func unmerged() throws -> Set<VersionID> {
    Set(try rig.command("mac") { try $0.status() }.setAside.map(\.version))
  }

  @Test func `the state before is a separate side if the phone's version is known`() throws {
    let mine = try #require(try rig.command("mac") { try $0.status() }.head)
    try overwrite(afterItsVersion: true)
    let edit = try #require(
      try rig.command("mac") { try $0.history() }.first { $0.version.reason == .external })
    #expect(edit.version.isDelivered)
    #expect(!edit.version.parents.contains(mine))
    let rows = try settled()
    #expect(rows[0] == rows[1])
    #expect(try unmerged().contains(mine))
  }

  @Test func `the overwritten state is a separate side once the phone's version comes`() throws {
    let mine = try #require(try rig.command("mac") { try $0.status() }.head)
    try overwrite(afterItsVersion: false)
    let edit = try #require(
      try rig.command("mac") { try $0.history() }.first { $0.version.reason == .edit })
    #expect(edit.version.isDelivered)
    #expect(edit.version.parents == [mine])
    let rows = try settled()
    #expect(rows[0] == rows[1])
    #expect(try unmerged().contains(mine))
  }

  @Test func `rows that a person deletes under a lock stay deleted`() throws {
    _ = try rig.command("mac") { try $0.lock(request) }
    rig.clock.advance(milliseconds: 1_000)
    try rig.place.sqlite3("DELETE FROM t", rig.database("mac"))
    _ = try rig.command("mac") { try $0.unlock() }
    let edit = try #require(
      try rig.command("mac") { try $0.history() }.first { $0.version.reason == .edit })
    let mine = try #require(
      try rig.command("mac") { try $0.history() }.first { $0.version.reason == .write })
    #expect(edit.version.parents == [mine.version.id])
    #expect(try rig.rows("mac") == [])
  }
}
