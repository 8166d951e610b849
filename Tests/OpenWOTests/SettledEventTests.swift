import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

/// An app is told what was set aside when a later writer won.
struct SettledEventTests {
  @Test func `the event has the tables and counts of the losing side`() async throws {
    let rig = try Rig()
    try rig.start(
      """
      CREATE TABLE session(id INTEGER PRIMARY KEY AUTOINCREMENT, note TEXT);
      CREATE TABLE lift(id INTEGER PRIMARY KEY AUTOINCREMENT, weight REAL);
      INSERT INTO session(note) VALUES('one'); INSERT INTO lift(weight) VALUES(1)
      """)
    let lost = try rig.on("phone") { store in
      try store.write { db in
        try db.execute("UPDATE session SET note = 'phone' WHERE id = 1")
        try db.execute("INSERT INTO lift(weight) VALUES(2), (3), (4)")
      }
      return try store.history().first(where: \.isLive)?.version
    }
    try rig.on("mac") { store in
      try store.write { try $0.execute("UPDATE session SET note = 'mac' WHERE id = 1") }
    }
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 10_000)
    var configuration = rig.configuration("mac")
    configuration.opensAsFound = true
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    let events = store.events()
    let report = try store.reconcile()
    try store.close()
    try #require(report.actions.contains { $0.kind == "settle" })
    var told: [SetAside] = []
    for await event in events {
      if case .settled(_, let losers, let setAside) = event {
        #expect(losers == setAside.map(\.version))
        told = setAside
        break
      }
    }
    let side = try #require(told.first)
    #expect(told.count == 1 && side.version == lost?.id && side.deviceName == "phone")
    #expect(
      side.changes == [
        TableChange(table: "lift", inserted: 3, updated: 0, deleted: 0),
        TableChange(table: "session", inserted: 0, updated: 1, deleted: 0),
      ])
  }
}
