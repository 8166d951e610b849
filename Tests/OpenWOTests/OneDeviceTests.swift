import Corpora
import Dispatch
import OpenWO
import OpenWOFiles
import Synchronization
import SystemPackage
import Testing

/// Several handles of one device on one store, as several processes have them.
struct OneDeviceTests {
  private func open(_ place: Place) throws -> SyncedDatabase {
    try SyncedDatabase(
      path: place.database.string, configuration: place.configuration(realTime: false))
  }

  @Test
  func `a long burst of writes becomes several versions, so that no write stores all of it again`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
        INSERT INTO t SELECT i, printf('%.2000c', 'x') FROM n
      """)
    let store = try rig.open("mac")
    // Each row shares its page with one other.
    for row in stride(from: 1, to: 240, by: 2) {
      try store.write { try $0.execute("UPDATE t SET v = 'y' || substr(v, 2) WHERE id = ?", row) }
    }
    let history = try store.history()
    #expect((12...20).contains(history.count))
    #expect(history.map(\.isLive) == [true] + Array(repeating: false, count: history.count - 1))
    let sides = history.dropLast().map(\.version.parents.count)
    #expect(sides == Array(repeating: 1, count: sides.count))
    try store.close()
    let shown = rig.place.root.appending("shown.sqlite")
    try store.export(history[1].version.id, to: shown)
    let rows = try rig.place.sqlite3("SELECT count(*) FROM t WHERE v LIKE 'y%'", shown)
    #expect(try (100..<120).contains(#require(Int(rows.dropLast()))))
  }

  @Test func `another process's writes before a checkout are never lost`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    let swaps = Mutex(0)
    let ambush = Ambush { call in
      if call.kind == .exchange { swaps.withLock { $0 += 1 } }
      return call.kind == .flock && call.path?.string.hasSuffix("/writer.lock") ?? false
    }
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: ambush)
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    try rig.deliver("phone", "mac", live: false)
    let (path, plain) = (rig.database("mac").string, rig.configuration("mac"))
    ambush.arm {
      guard let other = try? SyncedDatabase(path: path, configuration: plain) else { return }
      _ = try? other.write { try $0.execute("INSERT INTO t(v) VALUES('three')") }
      try? other.close()
    }
    _ = try store.reconcile()
    try store.close()
    #expect(ambush.hasActed)
    // The other one has brought it in before it wrote.
    #expect(swaps.withLock { $0 } == 0)
    #expect(try rig.rows("mac") == ["one", "two", "three"])
  }

  @Test func `writes in quick succession become one version, even if somebody looks meanwhile`()
    throws
  {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let app = try open(place)
    for number in 2...4 {
      try app.write { db in try db.execute("INSERT INTO t VALUES(?, 'x')", number) }
      _ = try open(place).status()
    }
    #expect(try app.history().map(\.version.reason) == [.write, .create])
    #expect(try app.history().first?.isPublished == false)
  }

  @Test func `a write is published after a pause, whichever process made it`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let app = try open(place)
    try app.write { db in try db.execute("INSERT INTO t VALUES(2, 'x')") }
    place.clock.advance(milliseconds: 3_600_000)
    let other = try open(place)
    #expect(try other.history().allSatisfy(\.isPublished))
    try app.write { db in try db.execute("INSERT INTO t VALUES(3, 'x')") }
    #expect(try app.history().map(\.version.reason) == [.write, .write, .create])
    #expect(try app.history().map(\.version.parents.count) == [1, 1, 0])
  }

  @Test func `handles that write in turn make one line of history`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let handles = [try open(place), try open(place)]
    for number in 2...9 {
      try handles[number % 2].write { db in try db.execute("INSERT INTO t VALUES(?, 'x')", number) }
      if number % 3 == 0 { _ = try handles[(number + 1) % 2].reconcile() }
    }
    for handle in handles { try handle.close() }
    let history = try handles[0].history()
    #expect(history.allSatisfy { $0.version.parents.count < 2 && $0.isPublished })
    #expect(Set(history.map(\.version.reason)) == [.create, .write])
    #expect(try place.sqlite3("SELECT count(*) FROM t") == "9\n")
  }

  @Test func `a read under a lock returns another process's last write`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let (app, other) = (try open(place), try open(place))
    let count = "SELECT count(*) FROM t"
    try other.write { try $0.execute("INSERT INTO t VALUES(2, 'x')") }
    _ = try app.reconcile()
    // This takes the place of the version that the app knows.
    try other.write { try $0.execute("INSERT INTO t VALUES(3, 'x')") }
    _ = try other.lock()
    #expect(try app.read { try $0.value(count, as: Int.self) } == 3)
    try place.sqlite3("DELETE FROM t")
    #expect(try app.read { try $0.value(count, as: Int.self) } == 3)
    _ = try other.unlock()
    #expect(try app.read { try $0.value(count, as: Int.self) } == 0)
  }

  @Test func `a journal that a killed program leaves beside an unchanged file is cleared up`()
    throws
  {
    let place = try Place()
    try place.makeDatabase(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 200) INSERT INTO t SELECT i, hex(randomblob(2000)) FROM n
      """)
    _ = try place.initialize()
    let journal = place.root.appending("synced").appending("openwo.sqlite-journal")
    let before = try place.bytes()
    // As when the program dies once its journal is safe and before it writes to the database.
    let copy = place.root.appending("copy.sqlite")
    try AtomicFile.write(before, to: copy, fileSystem: FileSystem())
    try place.sqlite3(
      "PRAGMA cache_size = 2; BEGIN; UPDATE t SET v = hex(randomblob(2000))", copy, thenKilled: true
    )
    try FileSystem().rename(place.root.appending("copy.sqlite-journal"), to: journal)
    #expect(try FileSystem().statusIfPresent(journal) != nil)
    _ = try open(place).reconcile()
    #expect(try FileSystem().statusIfPresent(journal) == nil)
    #expect(try place.bytes() == before)
  }

  @Test func `a version that was named stays, whatever another process writes`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let (app, other) = (try open(place), try open(place))
    for row in 2...3 { try other.write { try $0.execute("INSERT INTO t VALUES(?, 'x')", row) } }
    let named = try app.version(named: "@")
    #expect(try other.history().first?.version.id == named.id)
    for row in 4...5 { try other.write { try $0.execute("INSERT INTO t VALUES(?, 'x')", row) } }
    #expect(try app.version(named: "@~1").id == named.id)
    let path = place.root.appending("named.sqlite")
    try app.export(named.id, to: path.string)
    #expect(try place.sqlite3("SELECT group_concat(id) FROM t", path) == "1,2,3\n")
    #expect(try app.diff(from: .version(named.id)).tables.map(\.inserted) == [2])
    #expect(throws: StoreError.self) { try app.version(named: "ffff") }
  }

  @Test func `a copy that another process removes before it is opened is made again`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let ambush = Ambush(.after) { call in
      call.kind == .rename && call.otherPath?.string.contains("/scratch/") ?? false
    }
    var configuration = place.configuration()
    configuration.files = FileSystem(observer: ambush)
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    let first = try store.version(named: "@").id
    try store.write { try $0.execute("DELETE FROM t") }
    // As another process does that needs one of its own.
    ambush.arm {
      _ = place.run(["find", place.root.string, "-path", "*/scratch/*.sqlite", "-delete"])
    }
    #expect(try store.diffScript(from: .version(first)) { _ in }.tables.map(\.deleted) == [1])
    #expect(ambush.hasActed)
  }

  @Test func `a half-done replacement of a version does not count as two sides`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let meeting = Meeting()
    let other = try SyncedDatabase(
      path: place.database.string, configuration: meeting.configuration(place, .other))
    let app = try SyncedDatabase(
      path: place.database.string, configuration: meeting.configuration(place, .app))
    try app.write { db in try db.execute("INSERT INTO t VALUES(2, 'x')") }
    meeting.begin { _ = try? other.reconcile() }
    try app.write { db in try db.execute("INSERT INTO t VALUES(3, 'x')") }
    #expect(meeting.end())
    #expect(try app.history().allSatisfy { $0.version.parents.count < 2 })
  }
}

/// Lets another handle look at the folder while the app drops a version that it has folded into the next one.
private final class Meeting: Sendable {
  enum Side { case app, other }

  private let look = Mutex<(@Sendable () -> Void)?>(nil)
  private let hasLooked = DispatchSemaphore(value: 0)
  private let isOver = DispatchSemaphore(value: 0)

  func configuration(_ place: Place, _ side: Side) -> Configuration {
    var configuration = place.configuration()
    configuration.files = FileSystem(observer: Seat(meeting: self, side: side))
    return configuration
  }

  func begin(_ look: @escaping @Sendable () -> Void) { self.look.withLock { $0 = look } }

  /// Whether the other handle has looked and is done.
  func end() -> Bool { isOver.wait(timeout: .now() + 60) == .success }

  private struct Seat: SystemCallObserver {
    let meeting: Meeting
    let side: Side

    func willCall(_ call: SystemCall) throws(FileError) {
      let path = call.path?.string ?? ""
      switch side {
      case .app where call.kind == .unlink && path.contains("/pending/"): meeting.invite()
      case .other where call.kind == .flock && path.hasSuffix("/writer.lock"):
        meeting.hasLooked.signal()
      default: break
      }
    }

    func didCall(_ call: SystemCall) {}
  }

  private func invite() {
    let guest = look.withLock { look in
      defer { look = nil }
      return look
    }
    guard let guest else { return }
    DispatchQueue.global().async { @Sendable [isOver] in
      guest()
      isOver.signal()
    }
    _ = hasLooked.wait(timeout: .now() + 60)
  }
}
