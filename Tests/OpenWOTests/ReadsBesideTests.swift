import Dispatch
import OpenWOFiles
import OpenWOSQLite
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// Reads of the live file run beside each other and beside other calls, and what changes the file waits for them.
struct ReadsBesideTests {
  private let rig: Rig

  init() throws {
    rig = try Rig(["mac", "phone"])
    try rig.start()
  }

  private static func rows(_ store: SyncedDatabase) throws -> [String] {
    try store.read { try $0.rows("SELECT v FROM t ORDER BY id") { try $0.get(0) as String } }
  }

  private static func add(_ value: String, _ store: SyncedDatabase) throws {
    try store.write { try $0.execute("INSERT INTO t(v) VALUES(?)", value) }
  }

  /// The code of the error that a body throws; nil if it throws none of a store.
  private func refusal<Result>(_ body: () throws -> Result) -> StoreError.Code? {
    do { _ = try body() } catch { return (error as? StoreError)?.code }
    return nil
  }

  private func inode() throws -> UInt64 {
    try FileSystem().lstat(rig.database("mac")).inode
  }

  @Test func `two reads are inside their closures at once, and looks go on beside them`() throws {
    let store = try rig.open("mac")
    let first = try LongRead(store)
    try store.read { db in
      let second = try LongRead(store)
      #expect(try db.value("SELECT count(*) FROM t", as: Int.self) == 1)
      #expect(try second.end() == ["one"])
    }
    #expect(try store.history().count == 1)
    #expect(try store.status().state == .synced)
    try store.lookOnce()
    #expect(try first.end() == ["one"])
    try Self.add("two", store)
    #expect(try Self.rows(store) == ["one", "two"])
  }

  @Test func `a write waits for a read, and the others do not wait for the write`() throws {
    let read = LaterRead()
    let beside = try Meanwhile(rig) { (store: SyncedDatabase) throws in
      #expect(try Self.rows(store) == ["one"])
      #expect(try store.status().device.name == "mac")
      #expect(try read.end() == ["one"])
    }
    try read.begin(beside.store)
    beside.arm()
    try Self.add("two", beside.store)
    #expect(beside.waits > 0)
    #expect(try Self.rows(beside.store) == ["one", "two"])
  }

  @Test func `a write gives up on a read that does not end, and harms neither`() throws {
    let beside = try Meanwhile(rig) { _ in }
    let read = try LongRead(beside.store)
    let begun = beside.clock.monotonic()
    #expect(refusal { try Self.add("two", beside.store) } == .busy)
    #expect(beside.clock.monotonic() - begun >= Configuration().busyTimeout.nanoseconds)
    #expect(try Self.rows(beside.store) == ["one"])
    #expect(try read.end() == ["one"])
    try Self.add("two", beside.store)
    #expect(try Self.rows(beside.store) == ["one", "two"])
  }

  @Test func `a version that arrives replaces the file after a read has ended, not under it`()
    throws
  {
    let (read, before) = (LaterRead(), try inode())
    let beside = try Meanwhile(rig) { (_: SyncedDatabase) throws in
      #expect(try inode() == before)
      #expect(try read.end() == ["one"])
    }
    try read.begin(beside.store)
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac", live: false)
    beside.arm()
    try beside.store.lookOnce()
    #expect(beside.waits > 0)
    #expect(try inode() != before)
    #expect(try Self.rows(beside.store) == ["one", "two"])
  }

  @Test func `while a version waits for a read that does not end, the last content is read`() throws
  {
    let beside = try Meanwhile(rig) { _ in }
    let (read, before) = (try LongRead(beside.store), try inode())
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac", live: false)
    #expect(refusal { try beside.store.lookOnce() } == .busy)
    #expect(try Self.rows(beside.store) == ["one"])
    #expect(try inode() == before)
    #expect(try read.end() == ["one"])
    try beside.store.lookOnce()
    #expect(try Self.rows(beside.store) == ["one", "two"])
  }

  @Test(arguments: [true, false])
  func `a read keeps the database in use for other programs until its end`(isPaused: Bool) throws {
    let read = LaterRead()
    let other = try Store.open(rig.database("mac"), rig.configuration("mac"), EventHub())
    let beside = try Meanwhile(rig) { (_: SyncedDatabase) throws in
      #expect(throws: StoreError.self) { try other.coordinator.takeAlone(waitingUpTo: .zero) }
      #expect(try read.end() == ["one"])
    }
    try read.begin(beside.store)
    beside.arm()
    if isPaused { try beside.store.willResignActive() } else { try beside.store.close() }
    #expect(beside.waits > 0)
    #expect(try !other.coordinator.takeAlone(waitingUpTo: .zero).isEmpty)
  }

  @Test func `a lock of this handle waits for its own reads`() throws {
    let read = LaterRead()
    let beside = try Meanwhile(rig) { (store: SyncedDatabase) throws in
      #expect(refusal { try Self.add("two", store) } == .locked)
      #expect(try read.end() == ["one"])
    }
    try read.begin(beside.store)
    beside.arm()
    let lock = try beside.store.lock(LockRequest(outlivesProcess: true)).lock
    #expect(lock.state == StoreLock.State.held)
    #expect(beside.waits > 0)
    _ = try beside.store.unlock()
    try Self.add("two", beside.store)
  }

  @Test func `a copy that is the live file under a second name is not opened under a read`() throws
  {
    let read = LaterRead()
    let beside = try Meanwhile(rig) { (_: SyncedDatabase) throws in
      // Closing a second descriptor would have dropped the lock that keeps this program out.
      #expect(throws: (any Error).self) {
        try rig.place.sqlite3("BEGIN EXCLUSIVE; DELETE FROM t; COMMIT", rig.database("mac"))
      }
      #expect(try read.end() == ["one"])
    }
    try read.begin(beside.store)
    let copy = rig.folder("mac").appending("openwo.sync-conflict-20261121-071500-ABCDEFG.sqlite")
    try FileSystem().link(rig.database("mac"), to: copy)
    beside.clock.advance(milliseconds: 60_000)
    beside.arm()
    try beside.store.lookOnce()
    #expect(beside.waits > 0)
    #expect(try Self.rows(beside.store) == ["one"])
  }

  @Test func `a closure that throws, rolls back or leaves a statement open keeps no lock`() throws {
    struct Stop: Error {}
    let store = try rig.open("mac")
    #expect(throws: Stop.self) {
      try store.read { db in
        _ = try db.value("SELECT count(*) FROM t", as: Int.self)
        throw Stop()
      }
    }
    #expect(
      refusal { try store.read { try $0.executeScript("ROLLBACK; SELECT * FROM t") } } == .usage)
    var left: Statement?
    try store.read { db in
      left = try db.prepare("SELECT v FROM t UNION ALL SELECT 'more'")
      try left?.start()
      _ = try left?.next { _ in }
    }
    try Self.add("two", store)
    #expect(try Self.rows(store) == ["one", "two"])
    _ = left
  }

  @Test func `a read cannot write, and cannot keep its lock`() throws {
    let store = try rig.open("mac")
    #expect(refusal { try store.read { try $0.execute("DELETE FROM t") } } == .usage)
    let error = #expect(throws: SQLiteError.self) {
      try store.read { try $0.executeScript("PRAGMA locking_mode = EXCLUSIVE") }
    }
    #expect(error?.code == .authorization)
    try Self.add("two", store)
    #expect(try Self.rows(store) == ["one", "two"])
  }

  @Test func `inside a read the store is refused, and a write from another thread ends as busy`()
    throws
  {
    let beside = try Meanwhile(rig) { _ in }
    let store = beside.store
    try store.read { _ in
      #expect(refusal { try Self.rows(store) } == .nested)
      #expect(refusal { try Self.add("two", store) } == .nested)
      #expect(refusal { try store.close() } == .nested)
      #expect(refusal { try store.willResignActive() } == .nested)
      let done = DispatchSemaphore(value: 0)
      let code = Mutex<StoreError.Code?>(nil)
      DispatchQueue(label: "elsewhere").async {
        do { try Self.add("two", store) } catch let error as StoreError {
          code.withLock { $0 = error.code }
        } catch {}
        done.signal()
      }
      #expect(done.wait(timeout: .now() + 60) == .success)
      #expect(code.withLock(\.self) == .busy)
    }
    try Self.add("two", store)
    #expect(try Self.rows(store) == ["one", "two"])
  }

  @Test func `more reads than run at once take turns`() throws {
    let store = try rig.open("mac")
    let reads = try (0..<Readers.most).map { _ in try LongRead(store) }
    let done = DispatchSemaphore(value: 0)
    let further = Mutex<[String]>([])
    DispatchQueue(label: "further").async {
      let found = try? Self.rows(store)
      further.withLock { $0 = found ?? [] }
      done.signal()
    }
    for read in reads { #expect(try read.end() == ["one"]) }
    #expect(done.wait(timeout: .now() + 60) == .success)
    #expect(further.withLock(\.self) == ["one"])
  }

  @Test func `reads and writes at once see whole states only`() throws {
    let store = try rig.open("mac")
    try store.write {
      try $0.executeScript("CREATE TABLE sums(a, b); INSERT INTO sums VALUES(0, 0)")
    }
    let failures = Mutex<[String]>([])
    DispatchQueue.concurrentPerform(iterations: 6) { thread in
      for number in 0..<10 {
        do {
          guard thread > 1 else {
            try store.write {
              try $0.executeScript("UPDATE sums SET a = a + 1; UPDATE sums SET b = a")
            }
            continue
          }
          let isWhole = try store.read { db in
            let before = try db.value("SELECT a = b FROM sums", as: Bool.self)
            let after = try db.value("SELECT a = b FROM sums", as: Bool.self)
            return before == true && after == true
          }
          if !isWhole { failures.withLock { $0.append("a half state in \(number)") } }
        } catch {
          failures.withLock { $0.append("\(error)") }
        }
      }
    }
    #expect(failures.withLock(\.self) == [])
    #expect(try store.read { try $0.value("SELECT a FROM sums", as: Int.self) } == 20)
  }
}
