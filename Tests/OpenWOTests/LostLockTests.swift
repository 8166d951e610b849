import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
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

  @Test func `an edit that leaves rows pointing nowhere does not hold up the end of a lost lock`()
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
    #expect(asked?.code == .lockLost && asked?.message.contains("in no version yet") == true)
    let lost = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(lost?.code == .lockLost && lost?.version != nil)
    #expect(try rig.rows("mac") == ["99"])
    #expect(try standing(rig) == nil)
  }

  @Test func `a damaged edit does not hold up the end of a lost lock, and is mended`() throws {
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

  @Test func `what stands in the file is not said to be nothing while another lock keeps it`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    let lock = try rig.on("mac") { try $0.lock(request) }.lock
    try rig.deliver("mac", "phone", live: false)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    try rig.on("phone") { _ = try $0.unlock(UnlockRequest(force: lock.id)) }
    let next = try rig.on("phone") { try $0.lock(request) }.lock
    try rig.deliver("phone", "mac", live: false)
    let lost = #expect(throws: StoreError.self) { try rig.command("mac") { _ = try $0.unlock() } }
    #expect(lost?.code == .lockLost && lost?.version == nil)
    #expect(lost?.message.contains("in no version yet") == true)
    #expect(try standing(rig)?.id == next.id)
  }

  @Test func `a lock that is lost while a program has the database open stands until it is done`()
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
