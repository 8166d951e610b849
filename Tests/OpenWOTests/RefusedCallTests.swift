import Corpora
import Foundation
import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO

/// A call fails, and what is said of it must be so.
struct RefusedCallTests {
  private static let large = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1,'one');
    WITH RECURSIVE n(i) AS (SELECT 2 UNION ALL SELECT i + 1 FROM n WHERE i < 3000)
      INSERT INTO t SELECT i, printf('%.100c', 'x') FROM n
    """

  private func open(_ rig: Rig, _ refusal: Refusal) throws -> SyncedDatabase {
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: refusal)
    return try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
  }

  @Test func `an unreadable database is reported as such, and not as busy`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    try place.sqlite3("INSERT INTO t(v) VALUES('two')")
    OpenCall.before(place.database) { _ in EACCES }
    defer { OpenCall.before(place.database, nil) }
    var configuration = place.configuration()
    let refusal = Refusal(.access, place.database.string, .permissionDenied, isOn: true)
    configuration.files = FileSystem(observer: refusal)
    let error = #expect(throws: StoreError.self) {
      let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
      _ = try store.reconcile()
    }
    #expect(error?.code == .notPermitted)
  }

  @Test(arguments: [Capturing.immediately, .whenIdle])
  func `a write that cannot be captured is reported as committed, and is in the next version`(
    _ capturing: Capturing
  ) throws {
    let rig = try Rig()
    try rig.start(Self.large)
    let refusal = Refusal(.open, "/pending/", .noSpace)
    var configuration = rig.configuration("mac")
    configuration.capturing = capturing
    configuration.files = FileSystem(observer: refusal)
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    refusal.set(true)
    if capturing == .immediately {
      let error = #expect(throws: StoreError.self) {
        try store.write { try $0.execute("UPDATE t SET v = 'first' WHERE id = 2") }
      }
      #expect(error?.code == .inDoubt)
      #expect(error?.message.contains("the write is in") ?? false)
    } else {
      try store.write { try $0.execute("UPDATE t SET v = 'first' WHERE id = 2") }
      #expect(throws: StoreError.self) { try store.publish() }
    }
    refusal.set(false)
    try store.write { try $0.execute("UPDATE t SET v = 'second' WHERE id = 3000") }
    try store.close()
    let newest = try #require(try store.history().first?.version)
    #expect(newest.reason == .write)
    let shown = rig.place.root.appending("shown.sqlite")
    try store.export(newest.id, to: shown)
    #expect(
      try rig.place.sqlite3("SELECT v FROM t WHERE id IN (2, 3000)", shown) == "first\nsecond\n")
  }

  /// The n-th look at the database fails, for every n.
  @Test func `a write that fails anywhere leaves no lock, and the next one succeeds`()
    throws
  {
    let stencil = try Rig(["mac"])
    try stencil.start()
    for spared in 0... {
      let rig = try Rig(copying: stencil)
      let refusal = Refusal(.stat, "openwo.sqlite", .ioError, sparing: spared)
      let store = try open(rig, refusal)
      refusal.set(true)
      let outcome = Result {
        try store.write { try $0.execute("INSERT INTO t(v) VALUES('first')") }
      }
      refusal.set(false)
      try rig.place.sqlite3("INSERT INTO t(v) VALUES('other')", rig.database("mac"))
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('next')") }
      try store.close()
      let rows = try rig.rows("mac")
      #expect(rows.filter { $0 != "first" } == ["one", "other", "next"])
      do {
        _ = try outcome.get()
        #expect(spared > 3 && rows.contains("first"))
        break
      } catch let error as StoreError where error.code != .inDoubt {
        #expect(!rows.contains("first"))
      } catch {}
    }
  }

  /// A swap that cannot be recorded has not happened, though the file already had the name.
  @Test(arguments: ["restore", "merge"])
  func `a swap that cannot be recorded is undone, and nothing rests on its version`(
    _ verb: String
  ) throws {
    let rig = try Rig()
    try rig.start("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)")
    let first = try rig.on("mac") { try $0.version(named: "@").id }
    let other = rig.place.root.appending("other.sqlite")
    try rig.copy(rig.database("mac"), other)
    try rig.place.sqlite3("INSERT INTO t VALUES(7, 'other')", other)
    let refusal = Refusal(.rename, "/record", .noSpace)
    let store = try open(rig, refusal)
    try store.write { try $0.execute("INSERT INTO t VALUES(1, 'one')") }
    let swap = {
      if verb == "restore" {
        _ = try store.restore(first)
      } else {
        _ = try store.merge(.file(other), MergeRequest(grewFrom: first))
      }
    }
    refusal.set(true)
    let error = #expect(throws: StoreError.self) { try swap() }
    #expect(error?.code == .noSpace)
    refusal.set(false)
    let ids = {
      try store.read { try $0.rows("SELECT id FROM t ORDER BY 1") { try $0.get(0) as Int } }
    }
    let undone = try ids()
    #expect(undone == [1])
    try swap()
    #expect(try ids() == (verb == "restore" ? [] : [1, 7]))
    let versions = try store.history().map(\.version)
    for version in versions {
      #expect(version.parents.allSatisfy { parent in versions.contains { $0.id == parent } })
    }
    try store.close()
  }

  @Test(arguments: [Capturing.immediately, .whenIdle])
  func `a write whose journal cannot be removed is undone, and never reported as committed`(
    _ capturing: Capturing
  ) throws {
    let device = RefusedRemoval.ofJournal
    let rig = try Rig([device])
    try rig.start()
    var configuration = rig.configuration(device)
    configuration.capturing = capturing
    let store = try SyncedDatabase(path: rig.database(device).string, configuration: configuration)
    RefusedRemoval.arrange()
    #expect(throws: (any Error).self) {
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('undone')") }
    }
    try? store.close()
    #expect(try rig.place.sqlite3("SELECT v FROM t", rig.database(device)) == "one\n")
  }

  @Test func `a delivered file is not captured as a pending write`() throws {
    let rig = try Rig()
    try rig.start()
    let older = rig.place.root.appending("older.sqlite")
    try rig.copy(rig.database("mac"), older)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('theirs')", older)
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('kept')") }
    _ = try store.core.with { try $0.waitingCommits.capture() }
    let kept = try #require(try store.history().first?.version)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('waits')") }
    // Another process: closing the file in this one would drop SQLite's locks.
    _ = rig.place.run(["cp", older.string, rig.database("mac").string])
    try store.publish()
    #expect(try store.history().contains { $0.version.id == kept.id })
    #expect(try store.history().filter { $0.version.reason == .write }.count == 1)
  }

  @Test func `a full disk at opening is a store's error`() throws {
    let rig = try Rig()
    try rig.start()
    let error = #expect(throws: StoreError.self) {
      try open(rig, Refusal(.mkdir, "/stores/", .noSpace, isOn: true))
    }
    #expect(error?.code == .noSpace)
  }

  @Test func `a missing database is restored on file systems without exclusive renames`() throws {
    let rig = try Rig()
    try rig.start()
    let store = try open(rig, Refusal(.renameNew, "", .invalidArgument, isOn: true))
    try FileSystem().unlink(rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    _ = try store.reconcile()
    #expect(try store.status().state == .synced)
  }

  @Test func `a lock file that cannot be read for a moment still prevents writes`() throws {
    let rig = try Rig()
    try rig.start()
    _ = try rig.on("phone") { try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.deliver("phone", "mac")
    let refusal = Refusal(.open, "/locks/", .ioError)
    let store = try open(rig, refusal)
    refusal.set(true)
    #expect(throws: StoreError.self) {
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('under a lock')") }
    }
    refusal.set(false)
    #expect(try rig.rows("mac") == ["one"])
  }

  /// The last content that a version has lacks it.
  @Test func `a read fails if it cannot look while a write is uncaptured`() throws {
    let rig = try Rig()
    try rig.start()
    let refusal = Refusal(.stat, "/locks", .ioError)
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    configuration.files = FileSystem(observer: refusal)
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    func rows() throws -> [String] {
      try store.read { try $0.rows("SELECT v FROM t") { try $0.get(0) as String } }
    }
    refusal.set(true)
    #expect(try rows() == ["one"])
    refusal.set(false)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    refusal.set(true)
    #expect(throws: StoreError.self) { try rows() }
    refusal.set(false)
    #expect(try rows() == ["one", "two"])
    try store.close()
  }

  @Test
  func `a copy that cannot be read for a moment waits, and a request for it fails`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    let copy = rig.folder("mac").appending("openwo (conflicted copy 2026-11-21 101112).sqlite")
    try rig.copy(rig.database("mac"), copy)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('of a copy')", copy)
    rig.clock.advance(milliseconds: 120_000)
    let refusal = Refusal(.open, "conflicted copy", .ioError, isOn: true)
    let store = try open(rig, refusal)
    #expect(throws: StoreError.self) { try store.mergeable() }
    #expect(try store.reconcile().actions.map(\.kind) == ["wait"])
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    refusal.set(false)
    try store.close()
    #expect(try FileSystem().statusIfPresent(copy) != nil)
  }

  @Test func `a device whose file cannot be read for a moment does not count as gone`() throws {
    let rig = try Rig()
    try rig.start()
    let other = try rig.on("phone") { try $0.status() }.device.id
    let refusal = Refusal(.open, "\(other).json", .ioError, isOn: true)
    let store = try open(rig, refusal)
    #expect(throws: StoreError.self) { _ = try store.prune() }
    #expect(try !store.core.with { try VersionDetector(store: $0).isAlone($0.versions.listed()) })
    let begun = rig.clock.monotonic()
    _ = try store.lock(LockRequest(waitingUpTo: .seconds(3)))
    #expect(rig.clock.monotonic() - begun >= 3_000_000_000)
    _ = try store.unlock()
    refusal.set(false)
    #expect(try store.lock().waitingFor.count == 1)
    _ = try store.unlock()
  }

  /// A file of pages of two states is known by theirs, which nobody can read now.
  @Test func `a mix of versions is none while they cannot be read`() throws {
    let rig = try Rig(["mac"])
    try rig.start(Self.large)
    try rig.on("mac") { store in
      try store.write { try $0.execute("UPDATE t SET v = 'new' WHERE id IN (5, 1500, 2990)") }
    }
    let live = rig.database("mac")
    let new = try rig.place.bytes(live)
    let first = try rig.on("mac") { try #require(try $0.history().last).version.id }
    let shown = rig.place.root.appending("shown.sqlite")
    try rig.on("mac") { try $0.export(first, to: shown) }
    let old = try rig.place.bytes(shown)
    func page(_ place: Int, of file: [UInt8]) -> [UInt8] {
      Array(file[place * 4096..<(place + 1) * 4096])
    }
    let differ = (1..<old.count / 4096).last { page($0, of: old) != page($0, of: new) }
    let place = try #require(differ)
    var mixed = new
    mixed.replaceSubrange(place * 4096..<(place + 1) * 4096, with: page(place, of: old))
    try AtomicFile.write(mixed, to: live, fileSystem: FileSystem())
    rig.clock.advance(milliseconds: 120_000)
    for kind in [SystemCall.Kind.open, .read] {
      let refusal = Refusal(kind, "/versions/", .ioError, isOn: true)
      var configuration = rig.configuration("mac")
      (configuration.files, configuration.opensAsFound) = (FileSystem(observer: refusal), true)
      let store = try SyncedDatabase(path: live.string, configuration: configuration)
      #expect(throws: StoreError.self) { _ = try store.reconcile() }
      try store.close()
    }
    let history = try rig.on("mac") { try $0.history() }.map(\.version.reason)
    #expect(history == [.write, .create])
    #expect(try rig.place.bytes(live) == new)
  }

  @Test func `a lock ends although the state from before it is not here for a while`() throws {
    let rig = try Rig()
    try rig.start()
    let store = try rig.open("phone")
    _ = try store.lock()
    let versions = rig.companion("phone").appending("versions")
    for name in try FileSystem().list(versions) {
      try FileSystem().unlink(versions.appending(name))
    }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edited')", rig.database("phone"))
    #expect(try store.unlock().version != nil)
  }

  @Test func `a moved file in WAL mode blocks nobody`() throws {
    let rig = try Rig()
    try rig.start()
    let incoming = rig.folder("mac").appending(".incoming")
    try rig.copy(rig.database("mac"), incoming)
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('waits')") }
    let copy = rig.folder("mac").appending("openwo.sync-conflict-20991231-120000-ABCDEFG.sqlite")
    try rig.place.sqlite3(
      "PRAGMA journal_mode=WAL; INSERT INTO t(v) VALUES('tool')", rig.database("mac"))
    try FileSystem().rename(rig.database("mac"), to: copy)
    try FileSystem().rename(incoming, to: rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    _ = try store.reconcile()
    try store.close()
    #expect(try rig.rows("mac") == ["one", "waits", "tool"])
  }
}
