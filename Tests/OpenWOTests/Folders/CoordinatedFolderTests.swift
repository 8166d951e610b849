import OpenWOFiles
import OpenWOHistory
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// A folder that a service of the system coordinates, as on Apple's systems.
struct CoordinatedFolderTests {
  private let files = FileSystem()
  private let service = ScriptedFolder()

  private func open(
    _ rig: Rig, _ observer: (any SystemCallObserver)? = nil
  ) throws -> SyncedDatabase {
    try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration(rig, observer))
  }

  private func configuration(
    _ rig: Rig, _ observer: (any SystemCallObserver)? = nil
  ) -> Configuration {
    var configuration = rig.configuration("phone")
    configuration.folderService = service
    if let observer { configuration.files = FileSystem(observer: observer) }
    return configuration
  }

  private func rows(_ store: SyncedDatabase) throws -> [String] {
    try store.read { try $0.rows("SELECT v FROM t ORDER BY id") { try $0.get(0) as String } }
  }

  private func isOpen(_ store: SyncedDatabase) throws -> Bool {
    try store.core.with { $0.workingCopy.file != nil }
  }

  /// What is in the folder and its companion, with sizes.
  private func listing(_ rig: Rig) throws -> [String] {
    var found: [String] = []
    var folders = [rig.folder("phone")]
    while let folder = folders.popLast() {
      for name in try files.list(folder) {
        let path = folder.appending(name)
        let status = try files.lstat(path)
        if status.kind == .directory { folders.append(path) }
        if status.kind == .regular { found.append("\(path) \(status.size)") }
      }
    }
    return found.sorted()
  }

  @Test func `no file is opened, read or changed but in a turn for it`() throws {
    let rig = try Rig(["phone"])
    try rig.place.sqlite3("CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT)", rig.database("phone"))
    let observer = UncoordinatedCalls(rig.folder("phone"), service)
    _ = try SyncedDatabase.initialize(
      path: rig.database("phone").string, configuration: configuration(rig, observer))
    let store = try open(rig, observer)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('one')") }
    rig.clock.advance(milliseconds: 10_000)
    try store.lookOnce()
    #expect(try rows(store) == ["one"])
    let first = try #require(try store.history().last?.version.id)
    _ = try store.restore(first)
    _ = try store.status()
    _ = try store.lockReport()
    _ = try store.reconcile()
    _ = try store.lock()
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("phone"))
    _ = try store.unlock()
    #expect(try rows(store) == ["by hand"])
    try store.willResignActive()
    try store.close()
    _ = try SyncedDatabase.examine(
      path: rig.database("phone").string, configuration: configuration(rig, observer))
    _ = try SyncedDatabase.repair(
      path: rig.database("phone").string, configuration: configuration(rig, observer))
    #expect(observer.calls == [])
    #expect(service.script.withLock { Set($0.asked) } == [.reading, .writing])
  }

  @Test func `a turn that the system refuses changes nothing and can be asked for again`() throws {
    let rig = try Rig(["phone"])
    try rig.start()
    let store = try open(rig)
    service.script.withLock { $0.refuses = true }
    let before = try listing(rig)
    #expect(throws: StoreError.self) {
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    }
    #expect(try listing(rig) == before)
    service.script.withLock { $0.refuses = false }
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    #expect(try rows(store) == ["one", "two"])
    try store.close()
  }

  @Test func `a program that is about to use the database finds it closed and captured`() throws {
    let rig = try Rig(["phone"])
    try rig.start()
    var configuration = configuration(rig)
    configuration.capturing = .whenIdle
    let store = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    #expect(try isOpen(store))
    let events = try #require(service.script.withLock { $0.events })
    events.yield()
    #expect(try !isOpen(store))
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("phone"))
    events.changed()
    #expect(try rows(store) == ["one", "two", "by hand"])
    #expect(try store.history().count == 3)
    try store.close()
    #expect(service.script.withLock { $0.events == nil })
  }

  @Test func `in the background nobody waits for this app, and in front it looks at once`() throws {
    let rig = try Rig()
    try rig.start()
    let store = try open(rig)
    try store.willResignActive()
    #expect(service.script.withLock { $0.events == nil })
    #expect(try !isOpen(store))
    try rig.write("mac", "from the mac")
    try rig.deliver("mac", "phone")
    rig.clock.advance(milliseconds: 10_000)
    try store.didBecomeActive()
    #expect(service.script.withLock { $0.events != nil })
    #expect(try rows(store) == ["one", "from the mac"])
    try store.close()
  }

  @Test func `a hint of the service wakes the background thread`() async throws {
    let rig = try Rig(["phone"])
    try rig.start()
    var configuration = configuration(rig)
    configuration.clock = SystemClock()
    configuration.monitors = true
    // Without the hint it would look in an hour.
    configuration.pollInterval = .seconds(3600)
    let store = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    let events = store.events()
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("phone"))
    try #require(service.script.withLock { $0.events }).changed()
    for await case .captured in events { break }
    #expect(try rows(store) == ["one", "by hand"])
    try store.close()
  }
}
