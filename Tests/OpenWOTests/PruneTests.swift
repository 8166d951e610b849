import Foundation
import OpenWOFiles
import OpenWOHistory
import OpenWOShell
import SystemPackage
import Testing

@testable import OpenWO

/// Pruning takes no row away that no later version has.
struct PruneTests {
  private let rig: Rig

  init() throws {
    rig = try Rig(["phone", "mac", "desk"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(0, 'one');
      CREATE TABLE filler(v TEXT PRIMARY KEY, b BLOB);
      """)
  }

  /// Writes a row, and so much that no version is kept only because others rest on it.
  private func write(_ device: String, _ id: Int, _ row: String) throws {
    try rig.on(device) { store in
      try store.write { db in
        try db.execute("INSERT INTO t VALUES(?, ?)", id, row)
        try db.execute("INSERT OR REPLACE INTO filler VALUES(?, randomblob(30000))", device)
      }
    }
  }

  /// Prunes as much as is allowed once everybody has everything, and gives the rows of what is left, the newest first.
  private func pruned() throws -> [String] {
    try rig.settle()
    var configuration = rig.configuration("phone")
    configuration.retention = Retention(last: 1)
    let store = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    defer { try? store.close() }
    _ = try store.prune()
    return try store.history().map { entry in
      let path = rig.place.root.appending("shown.sqlite")
      try store.export(entry.version.id, to: path.string)
      return try rig.place.sqlite3("SELECT group_concat(v) FROM t", path)
        .trimmingCharacters(in: .newlines)
    }
  }

  @Test func `losers are kept until they are merged, even those that a loser had won over`() throws
  {
    try write("phone", 1, "first loser")
    try write("mac", 2, "second loser")
    for (from, to) in [("mac", "phone"), ("phone", "mac")] {
      try rig.deliver(from, to, live: false)
      rig.clock.advance(milliseconds: 10_000)
      #expect(try rig.rows(to) == ["one", "second loser"])
    }
    try write("desk", 3, "winner")
    try rig.settle()
    for id in 4..<8 { try write("phone", id, "\(id)") }
    let left = try pruned()
    #expect(left.first == "one,winner,4,5,6,7")
    #expect(left.contains("one,first loser") && left.contains("one,second loser"))
    #expect(!left.contains("one,winner,4"))

    let sources = try rig.on("phone") { try $0.mergeable() }
    #expect(sources.count == 2)
    for source in sources { _ = try rig.on("phone") { try $0.merge(source) } }
    for id in 8..<11 { try write("phone", id, "\(id)") }
    let merged = try pruned()
    #expect(merged.first == "one,first loser,second loser,winner,4,5,6,7,8,9,10")
    #expect(!merged.contains("one,first loser") && !merged.contains("one,second loser"))
  }

  @Test func `the parent of a loser is kept, so that the loser can be merged`() throws {
    try write("phone", 1, "gone later")
    try rig.settle()
    try rig.on("mac") { store in
      try store.write { db in
        try db.execute("DELETE FROM t WHERE id = 1")
        try db.execute("INSERT OR REPLACE INTO filler VALUES('mac', randomblob(30000))")
      }
    }
    rig.clock.advance(milliseconds: 10_000)
    for id in 2..<6 { try write("phone", id, "\(id)") }
    #expect(try pruned().contains("one,gone later"))
    let loser = try #require(try rig.on("phone") { try $0.mergeable() }.first)
    _ = try rig.on("phone") { try $0.merge(loser) }
    #expect(try rig.rows("phone") == ["one", "2", "3", "4", "5"])
  }

  @Test func `the merge base of two losers is kept, so that both can be merged`() throws {
    try rig.on("mac") { _ in }
    try write("phone", 1, "one more")
    try write("phone", 2, "gone later")
    try rig.deliver("phone", "desk", live: true)
    try rig.on("desk") { _ in }
    try write("phone", 3, "first")
    try rig.on("desk") { store in
      try store.write { db in
        try db.execute("DELETE FROM t WHERE id = 2")
        try db.execute("INSERT OR REPLACE INTO filler VALUES('desk', randomblob(30000))")
      }
    }
    rig.clock.advance(milliseconds: 10_000)
    try write("mac", 4, "winner")
    try rig.settle()
    for id in 5..<9 { try write("phone", id, "\(id)") }
    _ = try pruned()
    for _ in 0..<2 {
      let loser = try #require(try rig.on("phone") { try $0.mergeable() }.first)
      _ = try rig.on("phone") { try $0.merge(loser) }
    }
    let rows = try rig.rows("phone")
    #expect(rows.contains("first") && rows.contains("one more") && rows.contains("winner"))
    #expect(!rows.contains("gone later"))
  }

  @Test func `a version that a restore undid cannot be merged, and the error says so`() throws {
    let before = try rig.on("phone") { try #require(try $0.history().first).version.id }
    try write("phone", 1, "undone")
    let undone = try rig.on("phone") { try #require(try $0.history().first).version.id }
    _ = try rig.on("phone") { try $0.restore(before) }
    let error = #expect(throws: StoreError.self) {
      try rig.on("phone") { try $0.merge(.version(undone)) }
    }
    #expect(error?.code == .mergeRefused && error?.hint.contains("openwo restore") == true)
    // The restored version is there, with its whole history.
    _ = try rig.on("phone") { try $0.restore(undone) }
    for id in [before, undone] {
      #expect(try rig.on("phone") { try $0.merge(.version(id)) }.version == nil)
    }
  }

  /// A merge with what was made from it takes its rows out for good.
  @Test func `a version that a restore undid is kept even if another device continued from it`()
    throws
  {
    let before = try rig.on("phone") { try #require(try $0.history().first).version.id }
    try write("phone", 1, "undone")
    try rig.settle()
    try rig.on("phone") { _ = try $0.restore(before) }
    try write("mac", 2, "went on")
    try rig.deliver("mac", "phone", live: false)
    rig.clock.advance(milliseconds: 10_000)
    let other = try rig.on("phone") { store in
      try #require(
        try store.history().map(\.version).first { $0.reason == .write && $0.note == nil })
    }
    _ = try rig.on("phone") { try $0.merge(.version(other.id)) }
    for id in 3..<7 { try write("phone", id, "\(id)") }
    #expect(try pruned().contains { $0.contains("undone") })
    // The restore itself is gone by then.
    for id in 7..<9 { try write("phone", id, "\(id)") }
    #expect(try pruned().contains { $0.contains("undone") })
    #expect(try pruned().contains { $0.contains("undone") })
  }

  @Test func `a version that a restore undid is kept`() throws {
    let before = try rig.on("phone") { try #require(try $0.history().first).version.id }
    try write("phone", 1, "undone")
    _ = try rig.on("phone") { try $0.restore(before) }
    for id in 2..<6 { try write("phone", id, "\(id)") }
    let left = try pruned()
    #expect(left.first == "one,2,3,4,5")
    #expect(left.contains("one,undone"))
    #expect(!left.contains("one,2,3"))
  }

  @Test(arguments: [false, true])
  func `a device whose file is missing or names no version counts as at its last write`(
    isThere: Bool
  ) throws {
    try write("mac", 1, "two")
    try rig.settle()
    let stood = try #require(try rig.on("mac") { try $0.history() }.first { $0.isLive }).version.id
    let devices = rig.companion("phone").appending("devices")
    for name in try FileSystem().list(devices) {
      let text = try rig.place.bytes(devices.appending(name))
      guard !String(decoding: text, as: UTF8.self).contains("\"phone\"") else { continue }
      try FileSystem().unlink(devices.appending(name))
      guard isThere else { continue }
      var record = try #require(
        try JSONSerialization.jsonObject(with: Data(text)) as? [String: Any])
      #expect(record.removeValue(forKey: "head") != nil)
      try JSONSerialization.data(withJSONObject: record)
        .write(to: URL(fileURLWithPath: devices.appending(name).string))
    }
    for id in 4..<8 { try write("phone", id, "\(id)") }
    var configuration = rig.configuration("phone")
    configuration.retention = Retention(last: 1)
    let store = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    _ = try store.prune()
    #expect(try store.history().contains { $0.version.id == stood })
    try store.close()
  }

  /// A year must have been lived through, not only shown by a clock.
  @Test(arguments: [false, true])
  func `a device is waited for until a year has passed in which something was written`(
    isUsed: Bool
  ) throws {
    try write("mac", 1, "two")
    try rig.settle()
    let stood = try #require(try rig.on("mac") { try $0.history() }.first { $0.isLive }).version.id
    for id in 4..<8 {
      if isUsed || id == 4 { rig.clock.advance(milliseconds: 400 * 86_400_000 / (isUsed ? 4 : 1)) }
      try write("phone", id, "\(id)")
    }
    var configuration = rig.configuration("phone")
    configuration.retention = Retention(last: 1)
    let store = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    _ = try store.prune()
    #expect(try store.history().contains { $0.version.id == stood } == !isUsed)
    try store.close()
  }

  /// Shows all files as if they had come that many days later.
  struct Arriving: SystemCallObserver {
    let days: Int64
    func willCall(_ call: SystemCall) throws(FileError) {}
    func didCall(_ call: SystemCall) {}
    func seen(_ status: FileStatus) -> FileStatus {
      var status = status
      status.ctime += days * 86_400_000_000_000
      return status
    }
  }

  /// A version's base may be based on any version, and its device may have been away since.
  @Test(arguments: [Int64(0), 10])
  func `nothing is pruned while a version is incomplete`(
    days: Int64
  ) throws {
    let rig = try Rig()
    let files = FileSystem()
    try rig.start("CREATE TABLE t(v TEXT); CREATE TABLE filler(b BLOB)")
    let versions = rig.companion("phone").appending("versions")
    var made: [FilePath.Component] = []
    for row in ["two", "three"] {
      let before = try Set(files.list(rig.companion("mac").appending("versions")))
      rig.clock.advance(milliseconds: 3_600_000)
      try rig.on("mac") { store in
        try store.write { try $0.execute("INSERT INTO t VALUES(?)", row) }
      }
      made += try files.list(rig.companion("mac").appending("versions"))
        .filter { !before.contains($0) }
    }
    let last = try #require(try rig.on("mac") { try $0.history() }.first).version.id
    try rig.deliver("mac", "phone", live: false)
    let part = rig.place.root.appending("part")
    try files.rename(versions.appending(made[0]), to: part)
    for _ in 1...3 {
      rig.clock.advance(milliseconds: 3_600_000 + days * 86_400_000 / 3)
      try rig.on("phone") { store in
        try store.write { db in
          try db.execute("DELETE FROM filler")
          try db.execute("INSERT INTO filler VALUES(randomblob(400000))")
        }
      }
    }
    // The mac has now continued from the phone's version, and says so before its other files
    // arrive.
    let live = try #require(try rig.on("phone") { try $0.history() }.first { $0.isLive }).version
    let devices = rig.companion("phone").appending("devices")
    for name in try files.list(devices) {
      let path = devices.appending(name)
      let text = String(decoding: try rig.place.bytes(path), as: UTF8.self)
      try Data(text.replacing("\(last)", with: "\(live.id)").utf8)
        .write(to: URL(fileURLWithPath: path.string))
    }
    var configuration = rig.configuration("phone")
    configuration.retention = Retention(last: 1)
    for isLate in [true, false] {
      configuration.files = isLate ? FileSystem(observer: Arriving(days: days)) : files
      let store = try SyncedDatabase(
        path: rig.database("phone").string, configuration: configuration)
      // A week after the one part came, nobody waits for the other any more.
      #expect(try store.prune(dryRun: !isLate).removed.isEmpty == (isLate || days == 0))
      try store.close()
    }
    try files.rename(part, to: versions.appending(made[0]))
    let path = rig.place.root.appending("shown.sqlite")
    try rig.on("phone") { try $0.export(last, to: path.string) }
    #expect(try rig.place.sqlite3("SELECT v FROM t", path) == "two\nthree\n")
  }

  /// A device's edit of an old version is still on its way when another device removes that
  /// version.
  @Test func `a conflicted copy of a version that others remove can be restored`() throws {
    let files = FileSystem()
    try write("phone", 1, "two")
    let theirs = rig.place.root.appending("theirs")
    try rig.copy(rig.database("phone"), theirs)
    let old = try rig.on("phone") { try #require(try $0.history().first).version.id }
    for id in 2..<4 {
      rig.clock.advance(milliseconds: 3_600_000)
      try write("phone", id, "\(id)")
    }
    try rig.settle()
    func versions(_ device: String) -> FilePath {
      rig.companion(device).appending("versions")
    }
    let delivered = try files.list(versions("phone"))

    try rig.place.sqlite3("INSERT INTO t VALUES(9, 'theirs')", theirs)
    let copyName = "openwo (Ana's conflicted copy 2026-11-21).sqlite"
    try files.rename(theirs, to: rig.folder("phone").appending(copyName))
    rig.clock.advance(milliseconds: 60_000)
    let history = try rig.on("phone") { try $0.history().map(\.version) }
    let copy = try #require(history.first { $0.note?.contains(copyName) ?? false })
    #expect(copy.parents == [old])

    var configuration = rig.configuration("mac")
    configuration.retention = Retention(last: 1)
    let mac = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    #expect(try mac.prune().removed.contains(old))
    try mac.close()
    let left = Set(try files.list(versions("mac")))
    for name in delivered where !left.contains(name) {
      for device in ["phone", "desk"] { try files.unlink(versions(device).appending(name)) }
    }
    try rig.settle()
    for device in ["phone", "mac"] {
      let path = rig.place.root.appending("shown-\(device).sqlite")
      try rig.on(device) { try $0.export(copy.id, to: path.string) }
      #expect(try rig.place.sqlite3("SELECT v FROM t WHERE id = 9", path) == "theirs\n")
    }
  }

  /// Another device, which has not heard of the restore, removes the restored content and wins.
  @Test func `a restored version is there even if others remove that content meanwhile`() throws {
    let files = FileSystem()
    try write("phone", 1, "precious")
    let old = try rig.on("phone") { try #require(try $0.history().first).version.id }
    for id in 2..<5 {
      rig.clock.advance(milliseconds: 3_600_000)
      try write("phone", id, "\(id)")
    }
    try rig.settle()
    func versions(_ device: String) -> FilePath {
      rig.companion(device).appending("versions")
    }
    let delivered = try files.list(versions("phone"))
    let restored = try rig.on("mac") { try $0.restore(old).version }
    rig.clock.advance(milliseconds: 60_000)
    try write("phone", 9, "winner")
    var configuration = rig.configuration("phone")
    configuration.retention = Retention(last: 1)
    let phone = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    #expect(try phone.prune().removed.contains(old))
    try phone.close()
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 10_000)
    #expect(try rig.rows("mac") == ["one", "precious", "2", "3", "4", "winner"])
    let left = Set(try files.list(versions("phone")))
    for name in delivered where !left.contains(name) {
      for device in ["mac", "desk"] { try files.unlink(versions(device).appending(name)) }
    }
    try rig.settle()
    for device in ["phone", "mac", "desk"] {
      let path = rig.place.root.appending("shown-\(device).sqlite")
      try rig.on(device) { try $0.export(restored, to: path.string) }
      #expect(try rig.place.sqlite3("SELECT group_concat(v) FROM t", path) == "one,precious\n")
    }
  }

  @Test func `restoring a version that everybody keeps takes no space`() throws {
    let before = try rig.on("phone") { try #require(try $0.history().first).version.id }
    try rig.on("phone") { store in
      try store.write { try $0.execute("INSERT INTO t VALUES(1, 'undone')") }
    }
    let restored = try rig.on("phone") { try $0.restore(before).version }
    let names = try FileSystem().list(rig.companion("phone").appending("versions"))
    #expect(names.contains { $0.string.hasSuffix("-\(restored).same") })
  }
}
