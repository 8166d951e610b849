import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

struct MergeTests {
  private static let schema = """
    CREATE TABLE session(id INTEGER PRIMARY KEY AUTOINCREMENT, day TEXT, note TEXT);
    CREATE TABLE lift(id INTEGER PRIMARY KEY AUTOINCREMENT,
      session INTEGER NOT NULL REFERENCES session(id), weight REAL);
    INSERT INTO session VALUES(1, 'monday', 'easy'); INSERT INTO lift VALUES(1, 1, 60.5);
    """

  private static let all = """
    SELECT 's', id, day, note FROM session UNION ALL
    SELECT 'l', id, session, weight FROM lift ORDER BY 1, 2
    """

  /// Two devices with the same store of sessions and lifts.
  private func rig(_ settling: SettlePolicy? = nil, names: [String] = ["phone", "mac"]) throws
    -> Rig
  {
    let rig = try Rig(names)
    rig.settling = settling
    try rig.start(Self.schema)
    return rig
  }

  private func write(_ rig: Rig, _ device: String, _ statements: String...) throws {
    try rig.on(device) { store in
      try store.write { db in for sql in statements { try db.execute(sql) } }
    }
  }

  private func dump(_ rig: Rig, _ device: String) throws -> [String] {
    try rig.on(device) { _ in }
    return try rig.place.sqlite3(Self.all, rig.database(device)).split(separator: "\n")
      .map(String.init)
  }

  private func heads(_ rig: Rig, _ device: String) throws -> [Version] {
    let versions = try rig.on(device) { try $0.history().map(\.version) }
    return VersionGraph(versions).effectiveHeads.map(\.version)
  }

  private func expectTheSame(_ rig: Rig) throws -> [String] {
    let first = try dump(rig, rig.devices[0])
    for device in rig.devices {
      #expect(try dump(rig, device) == first)
      #expect(try heads(rig, device).count == 1)
      #expect(
        try rig.place.bytes(rig.database(device)) == rig.place.bytes(rig.database(rig.devices[0])))
    }
    return first
  }

  @Test func `two devices apart end with the rows and the cells of both`() throws {
    let rig = try rig(.merge)
    try write(
      rig, "phone", "UPDATE session SET note = 'hard' WHERE id = 1",
      "INSERT INTO session(day) VALUES('tuesday')")
    try write(rig, "mac", "UPDATE session SET day = 'sunday' WHERE id = 1")
    try rig.settle()
    #expect(try expectTheSame(rig) == ["l|1|1|60.5", "s|1|sunday|hard", "s|2|tuesday|"])
    #expect(try heads(rig, "mac").first?.reason == .merge)
  }

  @Test func `two devices that merge alone make the same version`() throws {
    let rig = try rig(.merge)
    try write(rig, "phone", "INSERT INTO session(day) VALUES('tuesday')")
    try write(rig, "mac", "UPDATE session SET day = 'sunday' WHERE id = 1")
    try rig.deliver("phone", "mac", live: false)
    try rig.deliver("mac", "phone", live: false)
    rig.clock.advance(milliseconds: 10_000)
    let (a, b) = (try dump(rig, "phone"), try dump(rig, "mac"))
    #expect(a == b)
    #expect(try heads(rig, "phone") == heads(rig, "mac"))
    try rig.settle()
    _ = try expectTheSame(rig)
    let versions = try rig.on("phone") { try $0.history().map(\.version) }
    #expect(versions.filter { $0.reason == .merge }.count == 1)
  }

  @Test func `a copy is merged into an edit that has not been captured yet`() throws {
    let rig = try rig(names: ["mac"])
    let copy = rig.folder("mac").appending("openwo (conflicted copy 2026-11-20).sqlite")
    let store = try rig.open("mac")
    try rig.copy(rig.database("mac"), copy)
    try rig.place.sqlite3("UPDATE session SET day = 'sunday'", copy)
    try rig.place.sqlite3("UPDATE session SET note = 'hard'", rig.database("mac"))
    rig.clock.advance(milliseconds: 10_000)
    #expect(try store.merge(.file(copy)).version != nil)
    try store.close()
    #expect(try dump(rig, "mac") == ["l|1|1|60.5", "s|1|sunday|hard"])
    #expect(try heads(rig, "mac").count == 1)
  }

  @Test func `a copy in WAL mode that was merged is one version, which can be restored`() throws {
    let rig = try rig(names: ["mac"])
    let copy = rig.folder("mac").appending("openwo (conflicted copy 2026-11-20).sqlite")
    let store = try rig.open("mac")
    try rig.copy(rig.database("mac"), copy)
    try rig.place.sqlite3("PRAGMA journal_mode = WAL; UPDATE session SET day = 'sunday'", copy)
    #expect(try rig.place.bytes(copy)[18...19] == [2, 2])
    _ = try store.merge(.file(copy))
    rig.clock.advance(milliseconds: 60_000)
    _ = try store.reconcile()
    let captured = try store.history().map(\.version).filter { $0.reason == .external }
    #expect(captured.count == 1)
    _ = try store.restore(#require(captured.first).id)
    try store.close()
    #expect(try dump(rig, "mac") == ["l|1|1|60.5", "s|1|sunday|easy"])
    #expect(try rig.place.bytes(rig.database("mac"))[18...19] == [1, 1])
  }

  /// As on a bad sector, in the file's header or, if that is already known, after it.
  @Test(arguments: [true, false])
  func `a merge base that cannot be read is waited for`(
    isHeader: Bool
  ) throws {
    let rig = try rig(.merge)
    let first = try #require(heads(rig, "mac").first).id
    // So much that it is stored in full and rests on nothing.
    let much = "INSERT INTO session(day) VALUES(hex(randomblob(200000)))"
    try write(rig, "phone", much)
    try write(rig, "mac", much)
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 86_400_000)
    let refusal = Refusal(.open, "-\(first.short)", .ioError, isOn: isHeader)
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: refusal)
    if !isHeader { configuration.opensAsFound = true }
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    if !isHeader {
      #expect(try store.history().contains { $0.version.id == first })
      refusal.set(true)
    }
    #expect(try store.reconcile().actions.map(\.kind) == ["wait"])
    // An app writes meanwhile, and the caller of the merge is told.
    try store.write { try $0.execute("UPDATE lift SET weight = 70") }
    let theirs = try #require(store.history().first { $0.version.deviceName == "phone" }).version
    let error = #expect(throws: StoreError.self) { try store.merge(.version(theirs.id)) }
    #expect(error?.code == .io)
    #expect(try store.history().allSatisfy { ![.settle, .merge].contains($0.version.reason) })
    refusal.set(false)
    try store.close()
    #expect(try heads(rig, "mac").first?.reason == .merge)
  }

  /// Each has merged an older state of the other's: what they have in common is in no one version.
  @Test func `rows that a side removed stay removed when two merges are merged`() throws {
    let rig = try rig(.merge)
    try write(rig, "phone", "UPDATE session SET note = 'hard' WHERE id = 1")
    try write(
      rig, "mac", "INSERT INTO session VALUES(60, 'sunday', '')", "UPDATE lift SET weight = 99")
    // The phone's merge of both stays there for now.
    let outside = rig.place.root.appending("outside")
    try copyFiles(rig.companion("phone").appending("versions"), outside)
    try rig.deliver("mac", "phone", live: false)
    rig.clock.advance(milliseconds: 10_000)
    #expect(try dump(rig, "phone").contains("s|60|sunday|"))
    try write(
      rig, "mac", "DELETE FROM session WHERE id = 60", "UPDATE lift SET weight = 60.5")
    try copyFiles(outside, rig.companion("mac").appending("versions"))
    rig.clock.advance(milliseconds: 10_000)
    #expect(try dump(rig, "mac") == ["l|1|1|60.5", "s|1|monday|hard"])
    try rig.settle()
    #expect(try expectTheSame(rig) == ["l|1|1|60.5", "s|1|monday|hard"])
  }

  private func copyFiles(_ from: FilePath, _ to: FilePath) throws {
    try FileSystem().makeDirectories(to)
    for name in try FileSystem().list(from) {
      try AtomicFile.copy(
        from.appending(name), to: to.appending(name), durable: false, fileSystem: FileSystem())
    }
  }

  /// A twin of the loser that comes late counts as one with the winner, and none of its rows is in there.
  @Test func `a late twin of what lost does not make the loser count as merged`() throws {
    let rig = try rig(names: ["phone", "mac", "desk", "pad"])
    func newest(_ device: String) throws -> VersionID {
      try rig.on(device) { store in
        try #require(try store.history().first { $0.version.deviceName == device }).version.id
      }
    }
    func carry(_ id: VersionID, _ from: String, _ to: String) throws {
      let versions = rig.companion(from).appending("versions")
      for name in try FileSystem().list(versions) where name.string.contains("\(id)") {
        try rig.copy(
          versions.appending(name), rig.companion(to).appending("versions").appending(name))
      }
    }
    try write(rig, "phone", "INSERT INTO session VALUES(11, 'loser', '')")
    // The desk has the file before its version.
    try rig.copy(rig.database("phone"), rig.database("desk"))
    rig.clock.advance(milliseconds: 60_000)
    try rig.on("desk") { _ = try $0.reconcile() }
    let twin = try newest("desk")
    try rig.deliver("phone", "desk", live: false)
    try write(rig, "desk", "INSERT INTO session VALUES(15, 'on the loser', '')")
    let onLoser = try newest("desk")
    try write(rig, "mac", "INSERT INTO session VALUES(12, 'winner', '')")
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 60_000)
    try rig.on("mac") { _ = try $0.reconcile() }
    try write(rig, "mac", "INSERT INTO session VALUES(13, 'later', '')")
    try write(rig, "pad", "INSERT INTO session VALUES(14, 'apart', '')")
    let apart = try newest("pad")
    try carry(twin, "desk", "mac")
    try carry(apart, "pad", "mac")
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.command("mac") { try $0.merge(.version(apart)) }
    try carry(onLoser, "desk", "mac")
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.command("mac") { try $0.merge(.version(onLoser)) }
    let days = try rig.place.sqlite3("SELECT day FROM session ORDER BY id", rig.database("mac"))
    let offered = try rig.on("mac") { try $0.mergeable() }
    #expect(days.contains("loser\n") || !offered.isEmpty)
    for word in ["winner", "later", "apart", "on the loser"] { #expect(days.contains(word)) }
  }

  @Test func `rows made under one number are both kept, each with its own children`() throws {
    let rig = try rig(.merge)
    try write(
      rig, "phone", "INSERT INTO session(day) VALUES('tuesday')",
      "INSERT INTO lift(session, weight) VALUES(2, 71.5)")
    try write(
      rig, "mac", "INSERT INTO session(day) VALUES('wednesday')",
      "INSERT INTO lift(session, weight) VALUES(2, 82.5)")
    try rig.settle()
    _ = try expectTheSame(rig)
    let lines = try rig.place.sqlite3(
      "SELECT day, weight FROM session JOIN lift ON lift.session = session.id ORDER BY weight",
      rig.database("phone"))
    #expect(lines == "monday|60.5\ntuesday|71.5\nwednesday|82.5\n")
  }

  @Test func `three devices apart end with the rows of all`() throws {
    let rig = try rig(.merge, names: ["phone", "mac", "pad"])
    for (device, day) in [("phone", "tuesday"), ("mac", "wednesday"), ("pad", "thursday")] {
      try write(rig, device, "INSERT INTO session(day) VALUES('\(day)')")
    }
    try rig.settle(rounds: 4)
    let rows = try expectTheSame(rig)
    #expect(rows.count == 5)
  }

  @Test func `a key that one device declares brings the rows of all together`() throws {
    let rig = try rig(.merge)
    try rig.on("phone") {
      try $0.setSettling(.merge, declarations: [.key(table: "session", columns: ["day"])])
      // The policy is chosen once more, without a word on the rest.
      try $0.setSettling(.lastWriterWins, rules: ["session": .newest])
      try $0.setSettling(.merge)
      #expect(try $0.rules().declarations.count == 1)
      #expect(try $0.rules().rules == ["session": .newest])
    }
    try rig.settle()
    try write(rig, "phone", "INSERT INTO session(day, note) VALUES('tuesday', 'short')")
    try write(rig, "mac", "INSERT INTO session(day) VALUES('wednesday'), ('tuesday')")
    try rig.settle(rounds: 3)
    let days = try expectTheSame(rig).filter { $0.contains("tuesday") }
    #expect(days.count == 1)
  }

  @Test func `if a merge is refused the last writer wins, and that is reported`() async throws {
    let rig = try rig(.merge)
    try write(rig, "phone", "ALTER TABLE session ADD COLUMN mood TEXT")
    try write(rig, "mac", "ALTER TABLE session ADD COLUMN mood INTEGER")
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 10_000)
    var configuration = rig.configuration("mac")
    configuration.opensAsFound = true
    let store = try SyncedDatabase(
      path: rig.database("mac").string, configuration: configuration)
    let events = store.events()
    let report = try store.reconcile()
    try store.close()
    let settled = try #require(report.actions.first { $0.kind == "settle" })
    #expect(settled.reason?.contains("session") == true)
    var problem: StoreError?
    for await event in events {
      if case .problem(let error) = event { problem = error }
      if case .settled = event { break }
    }
    #expect(problem?.code == .mergeRefused)
    #expect(problem?.message.contains("session") == true)
    try rig.settle()
    _ = try expectTheSame(rig)
    #expect(try heads(rig, "phone").first?.reason == .settle)
  }

  @Test func `a loser is merged on request, and a dry run changes nothing`() throws {
    let rig = try rig()
    try write(rig, "phone", "INSERT INTO session(day) VALUES('tuesday')")
    try write(rig, "mac", "UPDATE session SET note = 'hard' WHERE id = 1")
    try rig.settle()
    #expect(try dump(rig, "phone") == ["l|1|1|60.5", "s|1|monday|hard"])
    let lost = try #require(
      try rig.on("phone") { try $0.history() }.last {
        $0.version.deviceName == "phone" && $0.version.reason == .write
      })
    let before = try FileSystem().lstat(rig.database("phone"))
    let versions = try rig.on("phone") { try $0.history() }
    let plan = try rig.on("phone") {
      try $0.merge(.version(lost.version.id), MergeRequest(dryRun: true))
    }
    #expect(plan.version == nil)
    #expect(plan.tables.map(\.table) == ["session"])
    #expect(plan.tables.first?.fromTheirs == 1)
    #expect(plan.tables.first?.fromOurs == 1)
    #expect(try FileSystem().lstat(rig.database("phone")) == before)
    #expect(try rig.on("phone") { try $0.history() } == versions)
    let done = try rig.on("phone") { try $0.merge(.version(lost.version.id)) }
    #expect(done.version != nil)
    #expect(done.tables == plan.tables)
    let again = try rig.on("phone") { try $0.merge(.version(lost.version.id)) }
    #expect(again.version == nil && again.tables.isEmpty)
    try rig.settle()
    #expect(try expectTheSame(rig) == ["l|1|1|60.5", "s|1|monday|hard", "s|2|tuesday|"])
  }

  /// Two devices apart: the mac merges by hand, the phone settles, and neither has seen that of the other.
  private func apart(_ rig: Rig) throws {
    try write(rig, "mac", "INSERT INTO session(day) VALUES('tuesday')")
    try write(rig, "phone", "UPDATE session SET note = 'hard' WHERE id = 1")
    try rig.deliver("phone", "mac", live: false)
    try rig.deliver("mac", "phone", live: false)
    var configuration = rig.configuration("mac")
    configuration.opensAsFound = true
    let mac = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    let theirs = try #require(
      try mac.history().first { $0.version.deviceName == "phone" && $0.version.reason == .write })
    #expect(try mac.merge(.version(theirs.version.id)).version != nil)
    try mac.close()
    rig.clock.advance(milliseconds: 10_000)
    #expect(try dump(rig, "phone") == ["l|1|1|60.5", "s|1|monday|hard"])
  }

  /// Which of the two has the lower id is chance.
  @Test(arguments: 0..<4)
  func `a manual merge is not undone if another device settled the same heads`(
    number: Int
  ) throws {
    let rig = try rig()
    try apart(rig)
    try rig.settle()
    let rows = ["l|1|1|60.5", "s|1|monday|hard", "s|2|tuesday|"]
    #expect(try expectTheSame(rig) == rows)
    #expect(try heads(rig, "phone").first?.reason == .merge)
    try write(rig, "phone", "UPDATE session SET day = 'sunday' WHERE id = 1")
    #expect(try rig.on("phone") { try $0.mergeable() }.isEmpty)
  }

  /// A settlement is live while a third side keeps the merge of the same heads from being checked
  /// out.
  @Test func `a merge has all versions that it was made from as parents`() throws {
    let rig = try rig(names: ["phone", "mac", "pad"])
    try write(rig, "pad", "UPDATE session SET day = 'sunday' WHERE id = 1")
    let third = try #require(try rig.on("pad") { try $0.history() }.first).version.id
    try apart(rig)
    try rig.deliver("mac", "phone", live: false)
    try rig.deliver("pad", "phone", live: false)
    var configuration = rig.configuration("phone")
    configuration.opensAsFound = true
    let phone = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    #expect(try phone.merge(.version(third)).version != nil)
    try phone.close()
    try rig.settle()
    let sources = try rig.on("phone") { try $0.mergeable() }
    for source in sources {
      _ = try rig.on("phone") { try $0.merge(source) }
    }
    try rig.settle()
    let rows = ["l|1|1|60.5", "s|1|sunday|hard", "s|2|tuesday|"]
    #expect(try expectTheSame(rig) == rows)
  }

  @Test func `a file without a merge base is merged only on request`() throws {
    let rig = try rig()
    let other = rig.place.root.appending("other.sqlite")
    let made = Self.schema.replacing("INSERT INTO session VALUES(1, 'monday', 'easy')", with: "")
    try rig.place.sqlite3(
      made.replacing("INSERT INTO lift VALUES(1, 1, 60.5);", with: "")
        + "INSERT INTO session(id, day) VALUES(2, 'friday')", other)
    let before = try rig.place.bytes(rig.database("phone"))
    let versions = try rig.on("phone") { try $0.history() }
    #expect(throws: StoreError.self) {
      try rig.on("phone") { try $0.merge(.file(other)) }
    }
    #expect(try rig.place.bytes(rig.database("phone")) == before)
    #expect(try rig.on("phone") { try $0.history() } == versions)
    let request = MergeRequest(allowsEmptyBase: true)
    let done = try rig.on("phone") { try $0.merge(.file(other), request) }
    #expect(done.version != nil && done.base == nil)
    #expect(try dump(rig, "phone") == ["l|1|1|60.5", "s|1|monday|easy", "s|2|friday|"])
    try rig.settle()
    _ = try expectTheSame(rig)
  }

  @Test func `the policy is the store's if the configuration has none`() throws {
    let rig = try rig()
    #expect(try rig.on("phone") { try $0.settling() } == .lastWriterWins)
    try rig.on("phone") { try $0.setSettling(.merge) }
    try rig.deliver("phone", "mac", live: false)
    #expect(try rig.on("mac") { try $0.settling() } == .merge)
    try rig.on("mac") { try $0.setSettling(.lastWriterWins) }
    try rig.deliver("mac", "phone", live: false)
    #expect(try rig.on("phone") { try $0.settling() } == .lastWriterWins)
    let place = try Place()
    try place.makeDatabase()
    var configuration = place.configuration()
    configuration.settling = .merge
    _ = try SyncedDatabase.initialize(path: place.database.string, configuration: configuration)
    #expect(try place.open().settling() == .merge)
  }
}
