import Corpora
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

/// A journal or log that a service delivers beside a database leads to another state than the live
/// one: neither is lost.
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
  func `an unproven journal does not replace the live file, and both states become versions`(
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

  @Test(arguments: [["mac"], ["phone", "mac"]], [false, true])
  func `a commit that a journal undoes is a version, and the earlier state becomes live`(
    devices: [String], isLocked: Bool
  ) throws {
    let rig = try rig(devices)
    let before = try rig.place.bytes(rig.database("mac"))
    if isLocked { _ = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) } }
    try insert("acknowledged", rig)
    try putJournal([1, 2], of: before, rig)
    let report = try isLocked ? rig.command("mac") { try $0.unlock() } : nil
    try rest(rig)
    #expect(try rig.place.bytes(rig.database("mac")) == before)
    let versions = try rowsOfVersions(rig)
    #expect(versions.count == 3)
    let undone = versions.first { $0.value == "one,acknowledged\n" }?.key
    let last = versions.keys.first { $0.reason == .restore }
    #expect(undone != nil && last?.parents == undone.map { [$0.id] })
    #expect(!isLocked || report?.discarded == undone?.id)
    #expect(try rig.on("mac") { try $0.status() }.head == last?.id)
  }

  @Test func `a crash undoes nothing that another device wrote since`() throws {
    let rig = try rig(["phone", "mac"])
    let before = try rig.place.bytes(rig.database("mac"))
    try rig.write("phone", "elsewhere")
    try insert("cut short", rig)
    try putJournal([1, 2], of: before, rig)
    try rest(rig)
    try rig.settle()
    #expect(try rig.rows("mac") == ["one", "elsewhere"])
    #expect(try rig.rows("phone") == ["one", "elsewhere"])
  }

  /// An editor has switched to WAL mode, and has closed the database again.
  @Test(arguments: [false, true])
  func `a journal undoes no commit of WAL mode without a trace`(isOpen: Bool) throws {
    let rig = try rig()
    let database = rig.database("mac")
    let before = try rig.place.bytes(database)
    try rig.place.sqlite3(
      "PRAGMA journal_mode = WAL; INSERT INTO t(v) VALUES('acknowledged')", database,
      thenKilled: isOpen)
    try putJournal([1, 2], of: before, rig)
    try rest(rig)
    #expect(try rowsOfVersions(rig).values.contains("one,acknowledged\n"))
    if isOpen { #expect(try rig.rows("mac") == ["one", "acknowledged"]) }
  }

  @Test func `an app's uncaptured writes are not undone by a journal`() throws {
    let rig = try rig()
    let before = try rig.place.bytes(rig.database("mac"))
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('first')") }
    try putJournal([1, 2], of: before, rig)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('second')") }
    try store.close()
    try rest(rig)
    #expect(try rig.rows("mac") == ["one", "first", "second"])
  }

  /// Writes two rows in WAL mode and closes; the log as it was after the first is what a service brings back.
  private func bringStaleLog(_ rig: Rig) throws {
    let log = rig.database("mac").string + "-wal"
    let stale = rig.place.root.appending("stale")
    try rig.place.sqlite3(
      """
      PRAGMA journal_mode = WAL; INSERT INTO t(v) VALUES('first');
      """, rig.database("mac"), thenKilled: true)
    try rig.copy(FilePath(log), stale)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('second')", rig.database("mac"))
    #expect(try files.statusIfPresent(FilePath(log)) == nil)
    try rig.copy(stale, FilePath(log))
  }

  @Test(arguments: [["mac"], ["phone", "mac"]], [false, true])
  func `a state that a stale log takes away becomes a version beside the live one`(
    devices: [String], isLocked: Bool
  ) throws {
    let rig = try rig(devices)
    let start = try rig.on("mac") { try $0.history() }.map(\.version.id)
    if isLocked { _ = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) } }
    try bringStaleLog(rig)
    let report = try isLocked ? rig.command("mac") { try $0.unlock() } : nil
    try rest(rig)
    #expect(try rig.rows("mac") == ["one", "first"])
    let sides = try rowsOfVersions(rig).filter { $0.key.parents == start }
    let passedOver = sides.keys.first { sides[$0]?.contains("second") ?? false }
    #expect(!isLocked || report?.passedOver == passedOver?.id)
    #expect(Set(sides.values) == ["one,first\n", "one,first,second\n"])
  }

  @Test func `a state that a stale log takes away before there is a store is the first version`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.place.sqlite3(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1,'one')",
      rig.database("mac"))
    try bringStaleLog(rig)
    _ = try SyncedDatabase.initialize(
      path: rig.database("mac").string, configuration: rig.configuration("mac"))
    try rest(rig)
    #expect(try rig.rows("mac") == ["one", "first"])
    #expect(try rowsOfVersions(rig).values.contains("one,first,second\n"))
  }

  @Test func `a log with only a change of the mode makes no version`() throws {
    let rig = try rig()
    _ = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.place.sqlite3(
      """
      PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; INSERT INTO t(v) VALUES('two')
      """, rig.database("mac"), thenKilled: true)
    _ = try rig.command("mac") { try $0.unlock() }
    try rest(rig)
    #expect(try rowsOfVersions(rig).values.sorted() == ["one\n", "one,two\n"])
  }

  @Test func `a log that makes a damaged database is not checkpointed before there is a store`()
    throws
  {
    let rig = try Rig(["mac"])
    let (database, other) = (rig.database("mac"), rig.place.root.appending("other.sqlite"))
    let rows =
      "WITH n(i) AS (SELECT value FROM generate_series(1, 200)) SELECT printf('%.90c', i) FROM n"
    try rig.place.sqlite3(
      "PRAGMA journal_mode = WAL; CREATE TABLE x(v TEXT); INSERT INTO x \(rows)", database)
    try rig.place.sqlite3(
      "PRAGMA journal_mode = WAL; CREATE TABLE p(v); CREATE TABLE q(v); INSERT INTO q \(rows)",
      other)
    try rig.place.sqlite3(
      "PRAGMA wal_autocheckpoint = 0; DELETE FROM q WHERE rowid % 2; INSERT INTO p \(rows)", other,
      thenKilled: true)
    try rig.copy(FilePath(other.string + "-wal"), FilePath(database.string + "-wal"))
    let before = try rig.place.bytes(database)
    let error = #expect(throws: StoreError.self) {
      try SyncedDatabase.initialize(
        path: database.string, configuration: rig.configuration("mac"))
    }
    #expect(error?.code == .damaged && error?.message.contains("nothing was changed") == true)
    #expect(try rig.place.bytes(database) == before)
  }

  /// A program in WAL mode was killed after a checkpoint: what it was without its log is an earlier state.
  @Test func `rows that were deleted since do not come back when versions are merged`() throws {
    let rig = try Rig(["mac"])
    rig.settling = .merge
    try rig.start()
    try rig.place.sqlite3(
      """
      PRAGMA journal_mode = WAL; INSERT INTO t(v) VALUES('two'), ('three'); PRAGMA wal_checkpoint;
      DELETE FROM t WHERE v = 'two'; INSERT INTO t(v) VALUES('four')
      """, rig.database("mac"), thenKilled: true)
    try rest(rig)
    #expect(try rig.rows("mac") == ["one", "three", "four"])
    #expect(try rowsOfVersions(rig).values.contains("one,two,three\n"))
  }
}
