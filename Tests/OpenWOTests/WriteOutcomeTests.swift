import Corpora
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage
import Testing

@testable import OpenWO

/// The reported outcome of a write is true, whichever call of its commit failed and whatever
/// happened in between.
struct WriteOutcomeTests {
  private func rows(_ rig: Rig, _ path: FilePath) throws -> String {
    try rig.place.sqlite3("SELECT v FROM t ORDER BY id", path)
  }

  @Test func `a durable commit is a success, whatever SQLite reports`() throws {
    UnsyncedFolder.arrange()
    let device = UnsyncedFolder.ending
    let rig = try Rig([device])
    try rig.start()
    let store = try rig.open(device)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('stands')") }
    #expect(try store.history().first?.version.reason == .write)
    try store.close()
    #expect(try rows(rig, rig.database(device)) == "one\nstands\n")
  }

  @Test func `a commit that was undone is a failure, and the next one succeeds`() throws {
    RefusedRemoval.arrange()
    let device = RefusedRemoval.ofJournalOnce
    let rig = try Rig([device])
    try rig.start()
    let store = try rig.open(device)
    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('undone')") }
    }
    #expect(error?.code != .inDoubt)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('next')") }
    try store.close()
    #expect(try rows(rig, rig.database(device)) == "one\nnext\n")
  }

  @Test func `a commit that wrote nothing is a failure, whatever a service wrote over the file`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    let path = rig.database("mac")
    let older = rig.place.root.appending("older.sqlite")
    try rig.copy(path, older)
    try rig.write("mac", "two")
    let store = try rig.open("mac")
    let reader = try Connection(
      path: path, Connection.Options(mode: .readOnly, guardPolicy: .privateCopy))
    var hold: Statement?
    let error = #expect(throws: StoreError.self) {
      try store.write { db in
        try db.execute("INSERT INTO t(v) VALUES('refused')")
        // In another process, as closing a file releases all locks that its process has on it.
        #expect(rig.place.run(["cp", older.string, path.string]) == 0)
        hold = try reader.holdingReadLock()
      }
    }
    #expect(error?.code == .busy)
    hold?.finish()
    reader.close()
    try store.close()
    #expect(try rows(rig, path).contains("refused") == false)
  }

  @Test func `a write that loses to a file put there meanwhile is set aside, and is a version`()
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    let (path, files) = (rig.database("mac"), FileSystem())
    let other = rig.folder("mac").appending(".incoming")
    try rig.copy(path, other)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('theirs')", other)
    let captured = Ambush(.after) { call in
      call.kind == .rename && call.path?.string.contains("/pending/") ?? false
    }
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: captured)
    let store = try SyncedDatabase(path: path.string, configuration: configuration)
    // The other file is the later one, however long the write took.
    captured.arm { [clock = rig.clock] in clock.advance(milliseconds: 5_000) }
    try files.setTimes(other, modified: (rig.clock.now() + 60_000) * 1_000_000)
    let error = #expect(throws: StoreError.self) {
      try store.write { db in
        try db.execute("INSERT INTO t(v) VALUES('ours')")
        try files.rename(other, to: path)
      }
    }
    #expect(captured.hasActed)
    #expect(error?.code == .setAside)
    let shown = rig.place.root.appending("shown.sqlite")
    try store.export(#require(error?.version), to: shown.string)
    try store.close()
    #expect(try rows(rig, shown) == "one\nours\n")
    #expect(try rows(rig, path) == "one\ntheirs\n")
  }

  @Test func `a write that is merged with an arrival is a success`() throws {
    let rig = try Rig()
    rig.settling = .merge
    try rig.start()
    let store = try rig.open("mac")
    try rig.write("phone", "theirs")
    try store.write { db in
      try db.execute("INSERT INTO t(v) VALUES('ours')")
      try rig.deliver("phone", "mac")
    }
    #expect(try store.history().first?.version.reason == .merge)
    try store.close()
    #expect(try Set(rig.rows("mac")) == ["one", "ours", "theirs"])
  }

  @Test func `a write that was refused leaves nobody waiting`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let (refused, other) = (try rig.open("mac"), try rig.open("mac"))
    let program = try Connection(
      path: rig.database("mac"), Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    try program.begin(.immediate)
    let error = #expect(throws: StoreError.self) {
      try refused.write { try $0.execute("INSERT INTO t(v) VALUES('refused')") }
    }
    #expect(error?.code == .busy)
    try program.rollback()
    program.close()
    try other.write { try $0.execute("INSERT INTO t(v) VALUES('other')") }
    try other.close()
    try refused.close()
    #expect(try rig.rows("mac") == ["one", "other"])
  }

  @Test func `a migration is a version at once, even if writes are captured later`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    configuration.migrations = Migrations([
      .init(1) { try $0.execute("ALTER TABLE t ADD COLUMN n") }
    ])
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    #expect(try store.core.with { !$0.workingCopy.uncaptured.areAny })
    #expect(try store.history().map(\.version.reason) == [.migrate, .create])
    try store.close()
  }
}
