import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage
import Testing

@testable import OpenWO

/// A program writes here while another device has the lock.
struct CapturedUnderLockTests {
  /// The mac has the lock, and the phone has seen it.
  private func locked() throws -> Rig {
    let rig = try Rig()
    try rig.start()
    _ = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.deliver("mac", "phone", live: false)
    _ = try rig.command("phone") { try $0.reconcile() }
    return rig
  }

  private func values(_ rig: Rig, _ id: VersionID) throws -> String {
    let copy = rig.place.root.appending("version")
    try rig.command("phone") { try $0.export(id, to: copy.string) }
    return try rig.place.sqlite3("SELECT group_concat(v) FROM t", copy)
  }

  private func code(_ outcome: SyncOutcome) -> StoreError.Code? {
    if case .unsettled(let error) = outcome { error.code } else { nil }
  }

  @Test(arguments: ["DELETE", "TRUNCATE", "PERSIST", "MEMORY", "OFF", "WAL"])
  func `a program's commit is a version before a service overwrites it`(mode: String) throws {
    let rig = try locked()
    let before = try rig.command("phone") { try $0.history() }.count
    try rig.place.sqlite3(
      "PRAGMA journal_mode=\(mode); INSERT INTO t(v) VALUES('plain')", rig.database("phone"))
    let bytes = try rig.place.bytes(rig.database("phone"))
    rig.clock.advance(milliseconds: 10_000)
    let outcome = try rig.command("phone") { try $0.reconcile().outcome }
    #expect(code(outcome) == nil)
    #expect(try rig.place.bytes(rig.database("phone")) == bytes)
    let history = try rig.command("phone") { try $0.history() }
    #expect(history.count == before + 1)
    let version = try #require(history.first?.version)
    #expect(version.parents == history.dropFirst().prefix(1).map(\.version.id))
    #expect(try values(rig, version.id) == "one,plain\n")
    #expect(history.first?.isPublished == true)
    // Asked again, there is nothing new.
    _ = try rig.command("phone") { try $0.reconcile() }
    #expect(try rig.command("phone") { try $0.history() }.count == before + 1)
    // The holder's edit comes over it, and the lock ends.
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    let lock = try rig.on("mac") { try $0.unlock() }.lock
    try rig.deliver("mac", "phone")
    try FileSystem().unlink(
      rig.companion("phone").appending("locks").appending("\(lock.device).json"))
    rig.clock.advance(milliseconds: 10_000)
    try rig.settle()
    #expect(try values(rig, version.id) == "one,plain\n")
    #expect(try rig.place.bytes(rig.database("mac")) == rig.place.bytes(rig.database("phone")))
  }

  @Test func `rows that are still in a log are in the version`() throws {
    let rig = try locked()
    try rig.place.sqlite3(
      "PRAGMA journal_mode=WAL; INSERT INTO t(v) VALUES('logged');", rig.database("phone"),
      thenKilled: true)
    let log = FilePath(rig.database("phone").string + "-wal")
    #expect(try FileSystem().lstat(log).size > 0)
    let bytes = try (rig.place.bytes(rig.database("phone")), rig.place.bytes(log))
    rig.clock.advance(milliseconds: 10_000)
    #expect(code(try rig.command("phone") { try $0.reconcile().outcome }) == nil)
    let version = try #require(try rig.command("phone") { try $0.history() }.first?.version)
    #expect(try values(rig, version.id) == "one,logged\n")
    #expect(try rig.place.bytes(rig.database("phone")) == bytes.0)
    #expect(try rig.place.bytes(log) == bytes.1)
  }

  @Test func `a delivered file waits for the end of the lock`() throws {
    let rig = try locked()
    let before = try rig.command("phone") { try $0.history() }.count
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('half')", rig.database("mac"))
    try rig.copy(rig.database("mac"), rig.database("phone"))
    rig.clock.advance(milliseconds: 10_000)
    #expect(code(try rig.command("phone") { try $0.reconcile().outcome }) == .locked)
    #expect(try rig.command("phone") { try $0.history() }.count == before)
  }

  @Test func `nothing is captured if the holder can write into this very file`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    var other = rig.configuration("mac")
    other.stateFolder = rig.place.root.appending("state-other")
    let holder = try SyncedDatabase(path: rig.database("mac").string, configuration: other)
    _ = try holder.lock(LockRequest(outlivesProcess: true))
    _ = try rig.command("mac") { try $0.reconcile() }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    rig.clock.advance(milliseconds: 10_000)
    let outcome = try rig.command("mac") { try $0.reconcile().outcome }
    #expect(code(outcome) == .locked)
    if case .unsettled(let error) = outcome { #expect(error.message.contains("this very")) }
    #expect(try rig.command("mac") { try $0.history() }.count == 1)
    _ = try holder.unlock()
    try holder.close()
  }

  @Test func `a watching app captures it too`() throws {
    let rig = try locked()
    let app = try rig.open("phone")
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('plain')", rig.database("phone"))
    rig.clock.advance(milliseconds: 10_000)
    _ = try app.core.with { try $0.housekeeping.tick(folderChanged: true) }
    let version = try #require(try app.history().first?.version)
    #expect(version.reason == .external)
    try app.close()
    #expect(try values(rig, version.id) == "one,plain\n")
  }
}
