import Corpora
import OpenWOFiles
import OpenWOSQLite
import SystemPackage
import Testing

@testable import OpenWO

/// A lock begins and ends while nobody else of this machine has the database, and yields to an older one.
struct LockAloneTests {
  private let files = FileSystem()
  private let request = LockRequest(outlivesProcess: true)

  private func lockFiles(_ rig: Rig) throws -> [String] {
    try files.list(rig.companion("mac").appending("locks")).map(\.string)
  }

  private func open(_ rig: Rig, _ files: FileSystem = FileSystem()) throws -> SyncedDatabase {
    var configuration = rig.configuration("mac")
    configuration.busyTimeout = .zero
    configuration.files = files
    return try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
  }

  @Test func `a lock does not begin while an app has the database open`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let (app, editor) = (try open(rig), try open(rig))
    #expect(try app.read { try $0.value("SELECT v FROM t", as: String.self) } == "one")
    let refused = #expect(throws: StoreError.self) { try editor.lock(request) }
    #expect(refused?.code == .busy)
    #expect(try lockFiles(rig).isEmpty)
    try app.close()
    _ = try editor.lock(request)
  }

  @Test func `a lock does not begin while a program is in a transaction`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let store = try open(rig)
    let program = try Connection(
      path: rig.database("mac"),
      Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    try program.begin(.immediate)
    let refused = #expect(throws: StoreError.self) { try store.lock(request) }
    #expect(refused?.code == .busy)
    #expect(try lockFiles(rig).isEmpty)
    try program.rollback()
    program.close()
    _ = try store.lock(request)
  }

  @Test func `a lock does not end while an app is about to look for it`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let editor = try open(rig)
    _ = try editor.lock(request)
    try rig.place.sqlite3("UPDATE t SET v = 'uno'", rig.database("mac"))
    let app = try Store.open(rig.database("mac"), rig.configuration("mac"), EventHub())
    try app.coordinator.enter()
    let refused = #expect(throws: StoreError.self) { try editor.unlock() }
    #expect(refused?.code == .busy)
    #expect(try lockFiles(rig).count == 1)
    app.session.letGo()
    #expect(try editor.unlock().version != nil)
    #expect(try lockFiles(rig).isEmpty)
  }

  @Test func `an edit that a service half overwrote is never taken for an edit`() throws {
    let rig = try Rig(["mac"])
    try rig.start("CREATE TABLE t(v TEXT); CREATE TABLE u(v TEXT)")
    let live = rig.database("mac")
    let store = try open(rig)
    let old = try rig.place.bytes(live)
    try store.write { try $0.executeScript("INSERT INTO t VALUES('a'); INSERT INTO u VALUES('a')") }
    let new = try rig.place.bytes(live)
    _ = try store.lock(request)
    let torn = Array(old[..<8192] + new[8192...])
    try AtomicFile.write(torn, to: live, fileSystem: files)
    let refused = #expect(throws: StoreError.self) { try store.unlock() }
    #expect(refused?.code == .damaged)
    #expect(refused?.message.contains("a mix of several versions") == true)
    #expect(try rig.place.bytes(live) == torn)
    #expect(try lockFiles(rig).count == 1)
    // The rest arrives: an older state in full, which is a version like any other.
    try AtomicFile.write(old, to: live, fileSystem: files)
    #expect(try store.unlock().version != nil)
    try store.close()
    // Nobody else can have brought it, so it counts as an earlier state that a person put back.
    let reasons = try rig.on("mac") { try $0.history() }.map(\.version.reason)
    #expect(reasons == [.restore, .write, .create])
  }

  @Test func `a lock that finds an older one at its start is withdrawn`() throws {
    let rig = try Rig()
    try rig.start()
    let older = try rig.on("phone") { try $0.lock(request) }.lock
    let name = "\(older.device).json"
    let arriving = try files.readSmall(
      rig.companion("phone").appending("locks").appending(name), limit: 65_536)
    rig.clock.advance(milliseconds: 10_000)
    let folder = rig.companion("mac").appending("locks")
    // It arrives when the mac has said that it wants one, and waits for its own processes.
    let ambush = Ambush { [files] call in
      guard call.kind == .flock, call.path?.string.hasSuffix("/session.lock") ?? false else {
        return false
      }
      return (try? files.list(folder).isEmpty) == false
    }
    ambush.arm { [files] in
      try? AtomicFile.write(arriving, to: folder.appending(name), fileSystem: files)
    }
    let store = try open(rig, FileSystem(observer: ambush))
    let refused = #expect(throws: StoreError.self) { try store.lock(request) }
    #expect(ambush.hasActed)
    #expect(refused?.code == .locked && refused?.lock?.id == older.id)
    #expect(try lockFiles(rig) == [name])
  }
}
