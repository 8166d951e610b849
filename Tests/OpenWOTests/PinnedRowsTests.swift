import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOShell
import SystemPackage
import Testing

/// An active workout stays on the phone when the mac's versions are checked out.
struct PinnedRowsTests {
  private func rig(_ settling: SettlePolicy? = nil) throws -> Rig {
    let rig = try Rig()
    rig.settling = settling
    rig.pinned["phone"] = [
      PinnedRows("session", where: "ended IS NULL"),
      PinnedRows("lift", where: "session IN (SELECT id FROM session WHERE ended IS NULL)"),
    ]
    try rig.start(
      """
      CREATE TABLE session(id INTEGER PRIMARY KEY AUTOINCREMENT, day TEXT, ended TEXT);
      CREATE TABLE lift(id INTEGER PRIMARY KEY AUTOINCREMENT,
        session INTEGER NOT NULL REFERENCES session(id), weight REAL);
      INSERT INTO session VALUES(1, 'monday', '19:00'); INSERT INTO lift VALUES(1, 1, 60.5);
      """)
    return rig
  }

  private func write(_ rig: Rig, _ device: String, _ statements: String...) throws {
    try rig.on(device) { store in
      try store.write { db in for sql in statements { try db.execute(sql) } }
    }
  }

  private func sessions(_ rig: Rig, _ device: String) throws -> [String] {
    try rig.on(device) { _ in }
    return try rig.place.sqlite3(
      "SELECT s.id, day, coalesce(ended, 'under way'), group_concat(weight, '+') FROM session s "
        + "LEFT JOIN lift ON lift.session = s.id GROUP BY s.id ORDER BY s.id",
      rig.database(device)
    ).split(separator: "\n").map(String.init)
  }

  /// The phone begins a workout, and the mac writes later, so that its side wins.
  private func apart(_ rig: Rig) throws {
    try write(
      rig, "phone", "INSERT INTO session(day) VALUES('tuesday')",
      "INSERT INTO lift(session, weight) VALUES(2, 71.5), (2, 72.5)",
      "UPDATE session SET day = 'moonday' WHERE id = 1")
    try write(
      rig, "mac", "INSERT INTO session(day, ended) VALUES('wednesday', '20:00')",
      "INSERT INTO lift(session, weight) VALUES(2, 82.5)")
  }

  @Test func `no trigger fires for them, and all are there afterwards`() throws {
    let rig = try rig()
    let trigger =
      "CREATE TRIGGER late AFTER INSERT ON lift BEGIN UPDATE lift SET weight = 0; END"
    try write(rig, "phone", trigger)
    try rig.settle()
    try write(rig, "phone", "INSERT INTO session(day) VALUES('tuesday')")
    try write(rig, "mac", "INSERT INTO session(day, ended) VALUES('wednesday', '20:00')")
    try rig.settle()
    #expect(
      try sessions(rig, "phone")
        == ["1|monday|19:00|60.5", "2|tuesday|under way|", "3|wednesday|20:00|"])
    #expect(
      try rig.place.sqlite3(
        "SELECT sql FROM sqlite_schema WHERE type = 'trigger'", rig.database("phone"))
        == trigger + "\n")
  }

  @Test(arguments: [true, false])
  func `pinned rows keep their rowids when another device's version is checked out`(live: Bool)
    throws
  {
    let rig = try rig()
    try apart(rig)
    // The service brings the mac's live file too, or the versions alone.
    try rig.deliver("mac", "phone", live: live)
    rig.clock.advance(milliseconds: 10_000)
    let kept = [
      "1|monday|19:00|60.5", "2|tuesday|under way|71.5+72.5", "3|wednesday|20:00|82.5",
    ]
    #expect(try sessions(rig, "phone") == kept)
    try rig.settle()
    #expect(try sessions(rig, "phone") == kept)
    #expect(try sessions(rig, "mac") == kept)
    #expect(try rig.place.bytes(rig.database("mac")) == rig.place.bytes(rig.database("phone")))
    let before = try rig.on("phone") { try $0.history().count }
    try rig.settle()
    #expect(try rig.on("phone") { try $0.history().count } == before)
  }

  @Test func `a pinned row that the other side removed stays, and its changes are taken`()
    throws
  {
    let rig = try rig()
    try write(rig, "phone", "INSERT INTO session(day) VALUES('tuesday'), ('thursday')")
    try rig.settle()
    try write(
      rig, "mac", "DELETE FROM session WHERE id = 2",
      "UPDATE session SET day = 'friday' WHERE id = 3")
    try rig.settle()
    let kept = ["1|monday|19:00|60.5", "2|tuesday|under way|", "3|friday|under way|"]
    #expect(try sessions(rig, "phone") == kept)
    #expect(try sessions(rig, "mac") == kept)
  }

  @Test func `two devices that pin the same row settle`() throws {
    let rig = try rig()
    try write(rig, "phone", "INSERT INTO session(day) VALUES('tuesday')")
    try rig.settle()
    rig.pinned["mac"] = rig.pinned["phone"]
    try write(rig, "phone", "UPDATE session SET day = 'phone' WHERE id = 2")
    try write(rig, "mac", "UPDATE session SET day = 'mac' WHERE id = 2")
    try rig.settle(rounds: 5)
    #expect(try sessions(rig, "phone") == sessions(rig, "mac"))
    #expect(try rig.place.bytes(rig.database("mac")) == rig.place.bytes(rig.database("phone")))
    let before = try rig.on("phone") { try $0.history().count }
    try rig.settle()
    #expect(try rig.on("phone") { try $0.history().count } == before)
  }

  @Test func `an active row is merged by the policy like any other`() throws {
    let rig = try rig(.merge)
    try apart(rig)
    try rig.settle()
    #expect(try sessions(rig, "phone").count == 3)
    #expect(try sessions(rig, "mac") == sessions(rig, "phone"))
  }

  @Test func `pinned rows that cannot be kept are reported as being in the history`() async throws {
    let rig = try rig()
    try write(
      rig, "phone", "ALTER TABLE session ADD COLUMN mood",
      "INSERT INTO session(day) VALUES('tuesday')")
    try write(rig, "mac", "UPDATE session SET day = 'sunday' WHERE id = 1")
    try rig.deliver("mac", "phone", live: false)
    rig.clock.advance(milliseconds: 10_000)
    var configuration = rig.configuration("phone")
    configuration.opensAsFound = true
    let store = try SyncedDatabase(path: rig.database("phone").string, configuration: configuration)
    let events = store.events()
    _ = try store.reconcile()
    try store.close()
    var problem: StoreError?
    for await event in events {
      if case .problem(let error) = event { problem = error }
      if case .imported = event { break }
    }
    #expect(problem?.code == .mergeRefused)
    #expect(problem?.hint.contains("openwo merge") == true)
  }
}
