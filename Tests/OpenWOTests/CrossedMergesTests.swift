import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// Two devices that merge each other's versions while newer ones are on their way.
struct CrossedMergesTests {
  private let rig: Rig
  private let files = FileSystem()

  init() throws {
    rig = try Rig()
    rig.settling = .merge
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1,'one');
      CREATE TABLE filler(b BLOB); CREATE TABLE counted(device TEXT PRIMARY KEY, number INTEGER);
      INSERT INTO counted VALUES('phone', 0), ('mac', 0)
      """)
  }

  private func versions(_ device: String) -> FilePath {
    rig.companion(device).appending("versions")
  }

  private func carry(
    _ names: some Sequence<FilePath.Component>, _ from: String, _ to: String
  ) throws {
    for name in names {
      let target = versions(to).appending(name)
      guard try files.statusIfPresent(target) == nil else { continue }
      try rig.copy(versions(from).appending(name), target)
    }
  }

  private func look(_ device: String) throws -> Version {
    rig.clock.advance(milliseconds: 700_000)
    return try rig.on(device) { store in
      _ = try store.reconcile()
      return try #require(try store.history().first { $0.isLive }).version
    }
  }

  private func expectAll(_ rows: [String], counted: Int) throws {
    for _ in 0..<2 {
      try carry(files.list(versions("phone")), "phone", "mac")
      try carry(files.list(versions("mac")), "mac", "phone")
      for device in rig.devices { _ = try look(device) }
    }
    for device in rig.devices {
      try rig.on(device) { store in
        let (found, numbers) = try store.read { db in
          (
            try db.rows("SELECT v FROM t") { try $0.get(0) as String },
            try db.rows("SELECT number FROM counted") { try $0.get(0) as Int }
          )
        }
        #expect(found.sorted() == rows.sorted(), "on \(device)")
        #expect(numbers == [counted, counted], "on \(device)")
        let reasons = try store.history().map(\.version.reason)
        #expect(!reasons.contains(.settle), "on \(device)")
      }
    }
  }

  @Test func `devices whose merges always cross are merged all the same`() throws {
    let rounds = Lineage.depth + 3
    let stores = try rig.devices.map { device in
      var configuration = rig.configuration(device)
      configuration.publishing = .immediately
      return try SyncedDatabase(path: rig.database(device).string, configuration: configuration)
    }
    for round in 1...rounds {
      let before = try rig.devices.map { try files.list(versions($0)) }
      for (device, store) in zip(rig.devices, stores) {
        rig.clock.advance(milliseconds: 1_000)
        try store.write {
          try $0.execute("UPDATE counted SET number = ? WHERE device = ?", round, device)
        }
      }
      try carry(before[0], "phone", "mac")
      try carry(before[1], "mac", "phone")
      rig.clock.advance(milliseconds: 700_000)
      for store in stores { _ = try store.reconcile() }
    }
    for store in stores { try store.close() }
    try expectAll(["one"], counted: rounds)
  }

  /// Writes a row, and so much beside it that the version is stored in full.
  private func fill(_ device: String, _ row: String) throws -> Version {
    try rig.on(device) { store in
      try store.write { db in
        try db.execute("INSERT INTO t(v) VALUES(?)", row)
        try db.execute("INSERT INTO filler VALUES(randomblob(400000))")
      }
    }
    return try look(device)
  }

  @Test func `what merges of a late device are made from is not pruned`() throws {
    let ours = try fill("phone", "phone 1")
    let theirs = try fill("mac", "mac 1")
    let first = try rig.devices.map { try files.list(versions($0)) }
    _ = try fill("phone", "phone 2")
    _ = try fill("mac", "mac 2")
    try carry(first[0], "phone", "mac")
    try carry(first[1], "mac", "phone")
    _ = try look("mac")
    _ = try look("phone")
    let early = try files.list(versions("phone"))
    // The phone has both merges, and the mac its own one.
    try rig.deliver("mac", "phone", live: false)
    _ = try look("phone")
    rig.clock.advance(milliseconds: 700_000)
    var configuration = rig.configuration("phone")
    configuration.retention = Retention(last: 1)
    let phone = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    let removed = try phone.prune().removed
    try phone.close()
    #expect(!removed.contains(ours.id) && !removed.contains(theirs.id))
    _ = try fill("mac", "mac 3")
    try carry(early, "phone", "mac")
    _ = try look("mac")
    try expectAll(["one", "phone 1", "phone 2", "mac 1", "mac 2", "mac 3"], counted: 0)
  }
}
