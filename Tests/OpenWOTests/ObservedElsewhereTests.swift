import OpenWOFiles
import OpenWOSQLite
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// Observed queries when something else than a write of this app changes the rows, and how they end.
struct ObservedElsewhereTests {
  private let observed: ObservedStore
  private var place: Place { observed.place }
  private var store: SyncedDatabase { observed.store }

  init() throws { observed = try ObservedStore() }

  @Test func `a commit of another program is seen`() async throws {
    var values = observed.values()
    _ = try await values.next()
    try place.sqlite3("INSERT INTO t(v) VALUES('shell')")
    _ = try store.reconcile()
    #expect(try await values.next() == ["one", "shell"])
  }

  @Test func `a commit of another process of this device is seen`() async throws {
    var values = observed.values()
    _ = try await values.next()
    let other = try place.open()
    try observed.run("INSERT INTO t(v) VALUES('theirs')", other)
    try other.close()
    _ = try store.core.with { try $0.housekeeping.tick(folderChanged: true) }
    #expect(try await values.next() == ["one", "theirs"])
  }

  @Test func `an edit is seen when it ends, and a discarded one is not`() async throws {
    var values = observed.values()
    _ = try await values.next()
    for isKept in [false, true] {
      _ = try store.lock(LockRequest())
      try place.sqlite3("UPDATE t SET v = 'edit'")
      #expect(try observed.rows("SELECT v FROM t") == ["one"])
      _ = try store.unlock(UnlockRequest(discard: !isKept))
    }
    #expect(try await values.next() == ["edit"])
  }

  @Test func `a restored version is seen`() async throws {
    let first = try store.version(named: "@")
    try observed.run("INSERT INTO t(v) VALUES('two')")
    var values = observed.values()
    #expect(try await values.next() == ["one", "two"])
    _ = try store.restore(first.id)
    #expect(try await values.next() == ["one"])
  }

  @Test func `a version from another device is seen, one that changes other rows is not`()
    async throws
  {
    let rig = try Rig()
    try rig.start(
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1,'one'); CREATE TABLE o(v)"
    )
    let mac = try rig.open("mac")
    var values = observed.values(of: mac)
    #expect(try await values.next() == ["one"])
    try rig.on("phone") { phone in
      try observed.run("INSERT INTO o VALUES('else')", phone)
    }
    for value in ["else", "two"] {
      if value == "two" { try rig.write("phone", value) }
      try rig.deliver("phone", "mac", live: false)
      rig.clock.advance(milliseconds: 20_000)
      _ = try mac.reconcile()
    }
    #expect(try await values.next() == ["one", "two"])
    try mac.close()
  }

  @Test func `the background thread brings a commit of another program`() async throws {
    var configuration = place.configuration()
    configuration.monitors = true
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    var values = observed.values(of: store)
    _ = try await values.next()
    try place.sqlite3("INSERT INTO t(v) VALUES('shell')")
    #expect(try await values.next() == ["one", "shell"])
    try store.close()
  }

  @Test func `under the commits of two programs each value is newer, and the last one has all`()
    async throws
  {
    var configuration = place.configuration()
    configuration.monitors = true
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    let (place, observed) = (place, observed)
    async let theirs: Void = Task.detached {
      for number in 0..<8 {
        try place.sqlite3(
          "PRAGMA busy_timeout = 60000; INSERT INTO t(v) VALUES('their \(number)')")
      }
    }.value
    async let ours: Void = Task.detached {
      for number in 0..<8 { try observed.run("INSERT INTO t(v) VALUES('our \(number)')", store) }
    }.value
    var counts: [Int] = []
    for try await rows in store.values({ try $0.rows("SELECT v FROM t") }) {
      counts.append(rows.count)
      if rows.count == 17 { break }
    }
    _ = try await (theirs, ours)
    #expect(zip(counts, counts.dropFirst()).allSatisfy { $0 < $1 }, "\(counts)")
    try store.close()
  }

  @Test func `a loop ends with its task`() async throws {
    let store = store
    let task = Task {
      var found = 0
      for try await _ in store.values({ try $0.rows("SELECT v FROM t") }) { found += 1 }
      return found
    }
    while !store.core.changes.hasObservers { await Task.yield() }
    task.cancel()
    #expect(try await task.value <= 1)
    #expect(!store.core.changes.hasObservers)
  }

  @Test func `a loop ends when the store is closed, and one after that does not begin`()
    async throws
  {
    var values = observed.values()
    _ = try await values.next()
    try store.close()
    #expect(try await values.next() == nil)
    var late = observed.values()
    #expect(try await late.next() == nil)
  }

  @Test func `an error of the query ends the loop`() async throws {
    var values = observed.values()
    _ = try await values.next()
    try observed.run("DROP VIEW seen; DROP TRIGGER noted; ALTER TABLE t RENAME TO gone")
    await #expect(throws: SQLiteError.self) { _ = try await values.next() }
    #expect(try await values.next() == nil)
    var wrong = observed.values("SELECT nothing FROM nowhere")
    await #expect(throws: SQLiteError.self) { _ = try await wrong.next() }
  }

  @Test func `a loop waits while the folder is away, and continues when it is back`() async throws {
    let folder = AwayFolder()
    var configuration = place.configuration()
    configuration.files = FileSystem(observer: folder)
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    var values = observed.values(of: store)
    _ = try await values.next()
    try observed.run("UPDATE t SET v = 'ONE'", store)
    folder.set(isAway: true)
    let before = observed.reads
    let waiting = values
    let next = Task {
      var values = waiting
      return try await values.next()
    }
    while !folder.wasAsked { await Task.yield() }
    #expect(observed.reads == before)
    folder.set(isAway: false)
    _ = try store.reconcile()
    #expect(try await next.value == ["ONE"])
    try store.close()
  }

  @Test func `a change that comes before a failed read is reported is not forgotten`() {
    let signal = ChangeSignal()
    signal.attempt()
    signal.note(TableSet(["t"]))
    signal.noteUsable()
    signal.failed()
    #expect(signal.isDue)
  }

  @Test func `a read that failed is not tried again before something has changed`() {
    let signal = ChangeSignal()
    signal.attempt()
    signal.begin()
    signal.used(TableSet(["t"]))
    signal.note(TableSet(["T"]))
    signal.noteUsable()
    #expect(signal.isDue)
    for _ in 0..<2 {
      signal.attempt()
      signal.failed()
      #expect(!signal.isDue)
      signal.noteUsable()
      #expect(signal.isDue)
    }
    signal.attempt()
    signal.failed()
    signal.note(TableSet(["other"]))
    #expect(signal.isDue)
  }
}

/// A folder that fails while it is away.
private final class AwayFolder: SystemCallObserver {
  private let state = Mutex((isAway: false, wasAsked: false))

  /// Whether anybody has looked while it was away.
  var wasAsked: Bool { state.withLock(\.wasAsked) }

  func set(isAway: Bool) { state.withLock { $0.isAway = isAway } }

  func willCall(_ call: SystemCall) throws(FileError) {
    let isRefused = state.withLock { state in
      guard state.isAway, call.kind == .stat || call.kind == .open else { return false }
      state.wasAsked = true
      return true
    }
    if isRefused { throw FileError(call, errno: Errno.ioError.rawValue) }
  }

  func didCall(_ call: SystemCall) {}
}
