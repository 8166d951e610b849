import Corpora
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// A lock that ended before its holder unlocked: nothing is pretended, and nothing of anybody is undone.
struct LostLockTests {
  private let files = FileSystem()
  private let request = LockRequest(outlivesProcess: true)

  private func standing(_ rig: Rig) throws -> StoreLock? {
    try rig.command("mac") { try $0.core.with { try $0.coordinator.board().standing.first } }
  }

  /// As the command does it, which captures nothing before.
  @Test(arguments: [false, true])
  func `an unlock of a lock that was lost undoes nothing that others wrote since`(
    discard: Bool
  ) throws {
    let rig = try Rig()
    try rig.start()
    let lock = try rig.on("mac") { try $0.lock(request) }.lock
    try rig.deliver("mac", "phone", live: false)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    try rig.on("phone") { _ = try $0.unlock(UnlockRequest(force: lock.id)) }
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 10_000)
    let lost = #expect(throws: StoreError.self) {
      try rig.command("mac") { _ = try $0.unlock(UnlockRequest(discard: discard)) }
    }
    #expect(lost?.code == .lockLost)
    let kept = try rig.on("mac") { try $0.history() }.map(\.version)
      .first { $0.id == lost?.version }
    #expect(kept?.reason == .external)
    #expect(try rig.rows("mac") == ["one", "two"])
    try rig.settle()
    #expect(try rig.rows("phone") == ["one", "two"])
  }

  /// One of a later format keeps everybody off, but for who ends a lock of his own.
  @Test func `a lock that only a newer openwo can read prevents writes, but not an unlock`() throws
  {
    let rig = try Rig()
    try rig.start()
    _ = try rig.on("mac") { try $0.lock(request) }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    let newer = rig.companion("mac").appending("locks").appending("ffffffffffff.json")
    try AtomicFile.write(Array("{\"format\":9}".utf8), to: newer, fileSystem: files)
    #expect(try rig.command("mac") { try $0.unlock() }.version != nil)
    try rig.command("mac") { store in
      let rows = try store.read { try $0.rows("SELECT v FROM t") { try $0.get(0) as String } }
      #expect(rows == ["one", "edit"])
      let refused = #expect(throws: StoreError.self) {
        try store.write { try $0.execute("INSERT INTO t(v) VALUES('under a lock')") }
      }
      #expect(refused?.code == .newerFormat)
    }
    try files.unlink(newer)
    #expect(try rig.rows("mac") == ["one", "edit"])
  }

  @Test(arguments: ["", "{", "{\"format\":1}"])
  func `a device's own lock file that a power failure truncated is not a lock and blocks nobody`(
    text: String
  ) throws {
    let rig = try Rig()
    try rig.start()
    let theirs = try rig.on("phone") { try $0.lock(request) }.lock
    let own = try rig.on("mac") { try $0.status() }.device.id
    let file = rig.companion("mac").appending("locks").appending("\(own).json")
    try files.makeDirectories(rig.companion("mac").appending("locks"))
    try AtomicFile.write(Array(text.utf8), to: file, fileSystem: files)
    let none = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(none?.code == .notYourLock)
    try rig.deliver("phone", "mac", live: false)
    try rig.command("mac") { _ = try $0.unlock(UnlockRequest(force: theirs.id)) }
    _ = try rig.on("mac") { try $0.lock(request) }
    _ = try rig.on("mac") { try $0.unlock() }
  }

  /// The other process was first, and both waited for the same app to close the database.
  @Test(arguments: [false, true])
  func `if two processes end one lock at once, one does and the other changes nothing`(
    discard: Bool
  ) throws {
    let rig = try Rig(["mac"])
    try rig.start()
    _ = try rig.on("mac") { try $0.lock(request) }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    let session = Ambush { call in call.kind == .flock }
    var configuration = rig.configuration("mac")
    (configuration.files, configuration.opensAsFound) = (FileSystem(observer: session), true)
    let late = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    let first = Mutex<VersionID?>(nil)
    // All on the one thread of this test.
    nonisolated(unsafe) let other = rig
    session.arm {
      let edit = try? other.command("mac") { try $0.unlock() }.version
      first.withLock { $0 = edit }
    }
    let lost = #expect(throws: StoreError.self) {
      _ = try late.unlock(UnlockRequest(discard: discard))
    }
    let edit = first.withLock(\.self)
    #expect(session.hasActed && edit != nil && lost?.code == .lockLost && lost?.version == edit)
    try late.close()
    #expect(try rig.rows("mac") == ["one", "edit"])
    #expect(try rig.on("mac") { try $0.history() }.count == 2)
  }

  @Test func `an edit with broken references does not block the end of a lost lock`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT REFERENCES t)")
    let timed = LockRequest(duration: .seconds(60), outlivesProcess: true)
    _ = try rig.on("mac") { try $0.lock(timed) }
    try rig.place.sqlite3("INSERT INTO t VALUES(1, 99)", rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    let asked = #expect(throws: StoreError.self) {
      try rig.command("mac") { _ = try $0.unlock(UnlockRequest(dryRun: true)) }
    }
    #expect(asked?.code == .lockLost && asked?.message.contains("not in a version yet") == true)
    let lost = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(lost?.code == .lockLost && lost?.version != nil)
    #expect(try rig.rows("mac") == ["99"])
    #expect(try standing(rig) == nil)
  }

  @Test func `a damaged edit does not block the end of a lost lock, and is repaired`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let timed = LockRequest(duration: .seconds(60), outlivesProcess: true)
    _ = try rig.on("mac") { try $0.lock(timed) }
    let whole = try rig.place.bytes(rig.database("mac"))
    try AtomicFile.write(Array(whole[..<6000]), to: rig.database("mac"), fileSystem: files)
    rig.clock.advance(milliseconds: 60_000)
    let lost = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(lost?.code == .lockLost && lost?.version == nil)
    #expect(lost?.message.contains("damaged") == true)
    #expect(try rig.place.bytes(rig.database("mac")) == whole)
    let again = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(again?.code == .notYourLock)
  }

  @Test func `an edit under a lost lock becomes a version although another lock holds`() throws {
    let rig = try Rig()
    try rig.start()
    let lock = try rig.on("mac") { try $0.lock(request) }.lock
    try rig.deliver("mac", "phone", live: false)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    let edited = try rig.place.bytes(rig.database("mac"))
    try rig.on("phone") { _ = try $0.unlock(UnlockRequest(force: lock.id)) }
    let next = try rig.on("phone") { try $0.lock(request) }.lock
    try rig.deliver("phone", "mac", live: false)
    let lost = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(lost?.code == .lockLost)
    let version = try #require(lost?.version)
    let copy = rig.place.root.appending("version")
    try rig.command("mac") { try $0.export(version, to: copy.string) }
    #expect(try rig.place.bytes(copy) == edited)
    #expect(try rig.place.bytes(rig.database("mac")) == edited)
    #expect(try standing(rig)?.id == next.id)
  }

  @Test func `an uncaptured edit is reported if the next holder of the lock shares the file`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    let lock = try rig.on("mac") { try $0.lock(request) }.lock
    var other = rig.configuration("mac")
    other.stateFolder = rig.place.root.appending("state-other")
    let holder = try SyncedDatabase(path: rig.database("mac").string, configuration: other)
    _ = try holder.unlock(UnlockRequest(force: lock.id))
    _ = try holder.lock(request)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    let lost = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(lost?.code == .lockLost && lost?.version == nil)
    #expect(lost?.message.contains("not in a version yet") == true)
    _ = try holder.unlock()
    try holder.close()
  }

  @Test func `a lost lock is kept until the program that has the database open is done`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    let timed = LockRequest(duration: .seconds(60), outlivesProcess: true)
    _ = try rig.on("mac") { try $0.lock(timed) }
    let program = try Connection(
      path: rig.database("mac"),
      Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    try program.begin(.exclusive)
    try program.execute("INSERT INTO t(v) VALUES('edit')")
    rig.clock.advance(milliseconds: 60_000)
    let busy = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(busy?.code == .busy)
    try program.commit()
    program.close()
    let lost = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(lost?.code == .lockLost && lost?.version != nil)
  }

  /// A person ends it in a second terminal, and takes the next one.
  @Test func `an unlock ends no lock but the one that was taken`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let app = try rig.open("mac")
    _ = try app.lock()
    _ = try rig.command("mac") { try $0.unlock() }
    let second = try rig.command("mac") { try $0.lock(request) }.lock
    try app.leaveLockStanding()
    #expect(try standing(rig) == second)
    let lost = #expect(throws: StoreError.self) { try app.unlock() }
    #expect(lost?.code == .lockLost)
    #expect(try standing(rig) == second)
    try app.close()
    _ = try rig.command("mac") { try $0.unlock() }
  }

  @Test func `an edit under a lock that somebody else ended is a version when its program ends`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    let app = try rig.open("mac")
    _ = try app.lock()
    _ = try rig.command("mac") { try $0.unlock() }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    rig.clock.advance(milliseconds: 10_000)
    let lost = #expect(throws: StoreError.self) { try app.unlock() }
    #expect(lost?.code == .lockLost && lost?.version != nil)
    // It may take the next one, and end it.
    _ = try app.lock()
    #expect(try app.unlock().version == nil)
    try app.close()
  }
}
