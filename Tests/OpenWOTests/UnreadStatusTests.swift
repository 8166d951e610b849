import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO

/// `status` says "up to date" only after everything that is in the folder was read.
struct UnreadStatusTests {
  private func open(_ rig: Rig, _ refusal: Refusal) throws -> SyncedDatabase {
    var configuration = rig.configuration("mac")
    (configuration.files, configuration.opensAsFound) = (FileSystem(observer: refusal), true)
    return try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
  }

  private func expectDoubt(_ rig: Rig, _ refused: String, _ what: String) throws {
    let refusal = Refusal(.open, refused, .ioError, isOn: true)
    let store = try open(rig, refusal)
    let status = try store.status()
    #expect(status.state != .synced)
    #expect(status.obstacle?.message.contains(what) == true)
    refusal.set(false)
    try store.close()
  }

  @Test func `a database with an unreadable version is not up to date`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.settle()
    try rig.write("phone", "two")
    let newer = try rig.on("phone") { try #require(try $0.history().first) }.version.id
    try rig.deliver("phone", "mac", live: false)
    try expectDoubt(rig, "-\(newer.short)", "a version cannot be read just now")
  }

  @Test func `a database beside an unreadable copy is not up to date`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let copy = rig.folder("mac").appending("openwo (conflicted copy 2026-11-21 101112).sqlite")
    try rig.copy(rig.database("mac"), copy)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('of a copy')", copy)
    rig.clock.advance(milliseconds: 120_000)
    try expectDoubt(rig, "conflicted copy", "a copy cannot be read just now")
  }

  @Test func `a database is not up to date while versions are missing from the folder`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.settle()
    for name in try FileSystem().list(rig.companion("mac").appending("versions")) {
      try FileSystem().unlink(rig.companion("mac").appending("versions").appending(name))
    }
    let status = try rig.command("mac") { try $0.status() }
    #expect(!status.vanished.isEmpty)
    #expect(status.state != .synced)
  }
}
