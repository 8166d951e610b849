import Foundation
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// Pruning while a service has brought a part of what there is, in whatever order.
struct PruneOnTheWayTests {
  private let rig: Rig
  private let files = FileSystem()
  private let part: FilePath

  init() throws {
    rig = try Rig()
    part = rig.place.root.appending("part")
    try rig.start("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); CREATE TABLE filler(b BLOB)")
  }

  private func versions(_ device: String) -> FilePath {
    rig.companion(device).appending("versions")
  }

  private func write(_ device: String, _ row: String) throws -> Version {
    rig.clock.advance(milliseconds: 3_600_000)
    return try rig.on(device) { store in
      try store.write { try $0.execute("INSERT INTO t(v) VALUES(?)", row) }
      return try #require(try store.history().first { $0.isLive }).version
    }
  }

  /// Writes for ten days on the phone, so much that no version is kept only as a base of others.
  private func goOn() throws {
    for _ in 1...3 {
      rig.clock.advance(milliseconds: 10 * 86_400_000 / 3)
      try rig.on("phone") { store in
        try store.write { db in
          try db.execute("DELETE FROM filler")
          try db.execute("INSERT INTO filler VALUES(randomblob(400000))")
        }
      }
    }
  }

  private func name(of version: Version, on device: String) throws -> FilePath.Component {
    let names = try files.list(versions(device))
    return try #require(names.first { $0.string.contains("-\(version.id).") })
  }

  /// The phone, to which all files came before the ten days, or came just now.
  private func phone(isLate: Bool) throws -> SyncedDatabase {
    var configuration = rig.configuration("phone")
    configuration.retention = Retention(last: 1)
    if isLate { configuration.files = FileSystem(observer: PruneTests.Arriving(days: 10)) }
    return try SyncedDatabase(path: rig.database("phone").string, configuration: configuration)
  }

  /// The mac wrote at the same time as the phone, lost, and continued from the winner; all versions
  /// are there except its own.
  private func losing() throws -> (base: Version, lost: Version) {
    let base = try #require(try rig.on("mac") { try $0.history() }.first).version
    let lost = try write("mac", "theirs")
    try goOn()
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 10_000)
    #expect(try rig.rows("mac").isEmpty)
    try rig.deliver("mac", "phone", live: false)
    let name = try name(of: lost, on: "phone")
    try files.rename(versions("phone").appending(name), to: part)
    rig.clock.advance(milliseconds: 10_000)
    #expect(try rig.rows("phone").isEmpty)
    return (base, lost)
  }

  @Test func `nothing is pruned while a version's parent is still on its way`() throws {
    let (base, lost) = try losing()
    let name = try name(of: lost, on: "mac")
    for isLate in [true, false] {
      let phone = try phone(isLate: isLate)
      // A week after what was made from it came, nobody waits for it any more.
      #expect(try phone.prune(dryRun: !isLate).removed.contains(base.id) == !isLate)
      try phone.close()
    }
    try files.rename(part, to: versions("phone").appending(name))
    let path = rig.place.root.appending("shown.sqlite")
    try rig.on("phone") { try $0.export(lost.id, to: path.string) }
    #expect(try rig.place.sqlite3("SELECT v FROM t", path) == "theirs\n")
  }

  @Test
  func `a version whose file vanished is still expected unless a list says that it is pruned`()
    throws
  {
    let (base, lost) = try losing()
    let path = versions("phone").appending(try name(of: lost, on: "mac"))
    for isLate in [true, false] {
      try files.rename(part, to: path)
      let phone = try phone(isLate: isLate)
      #expect(try phone.history().contains { $0.version.id == lost.id })
      try files.rename(path, to: part)
      #expect(try phone.prune().removed.contains(base.id) == !isLate)
      try phone.close()
    }
    let lists = try files.list(versions("phone")).filter { $0.extension == "pruned" }
    #expect(!lists.isEmpty)
    for name in lists {
      let text = String(
        decoding: try rig.place.bytes(versions("phone").appending(name)), as: UTF8.self)
      #expect(text.contains("\(base.id)") && !text.contains("\"id\":\"\(lost.id)\""))
    }
  }

  @Test func `a version whose only children are unreadable is kept`() throws {
    let lost = try write("mac", "theirs")
    let later = try write("mac", "too")
    _ = try write("phone", "ours")
    try rig.deliver("mac", "phone", live: false)
    let name = try name(of: later, on: "phone")
    try files.unlink(versions("phone").appending(name))
    // The very version, stored upon what nobody has.
    let archive = Archive(folders: [versions("phone")], fileSystem: files)
    let nowhere = try FileContent(rig.database("phone"), fileSystem: files)
    try archive.write(
      later,
      .pages(PageChanges(from: nowhere, ContentHash(of: [1]), to: nowhere, pages: [1])),
      into: versions("phone"))
    try goOn()
    // The mac has now continued from the phone's version, and says so.
    let live = try #require(try rig.on("phone") { try $0.history() }.first { $0.isLive }).version
    let devices = rig.companion("phone").appending("devices")
    for name in try files.list(devices) {
      let path = devices.appending(name)
      let text = String(decoding: try rig.place.bytes(path), as: UTF8.self)
      try Data(text.replacing("\(later.id)", with: "\(live.id)").utf8)
        .write(to: URL(fileURLWithPath: path.string))
    }
    let phone = try phone(isLate: false)
    #expect(!(try phone.prune().removed.isEmpty))
    let path = rig.place.root.appending("shown.sqlite")
    try phone.export(lost.id, to: path.string)
    #expect(try rig.place.sqlite3("SELECT v FROM t", path) == "theirs\n")
    #expect(try phone.history().contains { $0.version.id == later.id })
    try phone.close()
  }
}
