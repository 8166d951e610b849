import Corpora
import OpenWOFiles
import OpenWOSQLite
import SystemPackage
import Testing

@testable import OpenWO

/// The step in which the live file makes place for another device's version.
struct SwapTests {
  private let files = FileSystem()

  /// Two devices; the phone's version has come to the mac and not yet its file.
  private func meeting(_ schema: String? = nil) throws -> Rig {
    let rig = try Rig()
    if let schema { try rig.start(schema) } else { try rig.start() }
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 60_000)
    return rig
  }

  private func allRows(_ rig: Rig) throws -> Set<String> {
    rig.clock.advance(milliseconds: 120_000)
    return try rig.on("mac") { store in
      _ = try store.reconcile()
      var found: Set<String> = []
      for entry in try store.history() {
        let shown = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: shown)
        let said = try rig.place.sqlite3("SELECT v FROM t", shown)
        found.formUnion(said.split(separator: "\n").map(String.init))
      }
      return found
    }
  }

  @Test func `the live file is not replaced while a program is in a transaction`() throws {
    let rig = try meeting()
    var configuration = rig.configuration("mac")
    configuration.busyTimeout = .zero
    let program = try Connection(
      path: rig.database("mac"),
      Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    try program.begin(.immediate)
    try program.execute("INSERT INTO t(v) VALUES('program')")
    let before = try files.lstat(rig.database("mac")).signature.inode
    #expect(throws: StoreError.self) {
      let store = try SyncedDatabase(
        path: rig.database("mac").string, configuration: configuration)
      defer { try? store.close() }
      _ = try store.reconcile()
    }
    #expect(try files.lstat(rig.database("mac")).signature.inode == before)
    try program.commit()
    program.close()
    #expect(try allRows(rig) == ["one", "two", "program"])
  }

  @Test func `a program that starts a transaction after a look is waited for without another look`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    var configuration = rig.configuration("mac")
    configuration.busyTimeout = .zero
    let program = try Connection(
      path: rig.database("mac"),
      Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    do {
      let database = try SyncedDatabase(
        path: rig.database("mac").string, configuration: configuration)
      defer { try? database.close() }
      try rig.place.sqlite3("INSERT INTO t(v) VALUES('found')", rig.database("mac"))
      rig.clock.advance(milliseconds: 60_000)
      try database.core.with { store in
        _ = try VersionDetector(store: store).look()
        try program.begin(.exclusive)
        let waiting = try SyncLoop(store: store).run()
        #expect(waiting.actions.isEmpty)
      }
    }
    try program.rollback()
    program.close()
    #expect(try allRows(rig) == ["one", "found"])
  }

  /// Brings the mac to the phone's version; something happens right before the files change places.
  ///
  /// Without exchange the file system has no such step, and links and renames do instead.
  private func swap(
    _ rig: Rig, exchange: Bool, _ refusal: Refusal? = nil,
    _ action: @escaping @Sendable () -> Void
  ) throws {
    let database = rig.database("mac")
    let ambush = Ambush { call in
      let isStep = [exchange ? .exchange : .link].contains(call.kind)
      return isStep && [call.path, call.otherPath].contains(database)
    }
    ambush.arm(action)
    let unsupported = Refusal(.exchange, "", .invalidArgument, isOn: !exchange)
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(
      observer: Several(all: [ambush, unsupported] + (refusal.map { [$0] } ?? [])))
    do {
      let store = try SyncedDatabase(path: database.string, configuration: configuration)
      defer { try? store.close() }
      _ = try store.reconcile()
    } catch let error as StoreError where refusal != nil {
      #expect(error.code == .io)
    }
    #expect(ambush.hasActed)
  }

  @Test(arguments: [true, false])
  func `a file that takes the name right before the swap is kept`(exchange: Bool) throws {
    let rig = try meeting()
    let (database, incoming) = (rig.database("mac"), rig.folder("mac").appending(".incoming"))
    try rig.copy(database, incoming)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('delivered')", incoming)
    try swap(rig, exchange: exchange) { [files] in try? files.rename(incoming, to: database) }
    #expect(try allRows(rig).isSuperset(of: ["one", "two", "delivered"]))
  }

  @Test func `a program's commit while the new file is built is found in the live file`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    let database = rig.database("mac")
    let ambush = Ambush { call in
      call.kind == .stat && call.path?.lastComponent?.string.hasPrefix(".~openwo-") ?? false
    }
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: ambush)
    let store = try SyncedDatabase(path: database.string, configuration: configuration)
    try rig.deliver("phone", "mac", live: false)
    ambush.arm { [place = rig.place] in
      _ = try? place.sqlite3("INSERT INTO t(v) VALUES('program')", database)
    }
    _ = try store.reconcile()
    #expect(ambush.hasActed)
    let found = try store.history().map(\.version).filter { $0.reason == .external }
    // The outgoing file of a swap would be captured like a conflict copy.
    #expect(found.count == 1 && found.allSatisfy { $0.note == nil })
    try store.close()
    #expect(try allRows(rig) == ["one", "two", "program"])
  }

  @Test(arguments: [true, false])
  func `a write without a lock right before the swap is kept`(exchange: Bool) throws {
    let rig = try meeting()
    let (database, other) = (rig.database("mac"), rig.place.root.appending("other.sqlite"))
    try rig.copy(database, other)
    try rig.place.sqlite3("UPDATE t SET v = 'written'", other)
    try #require(try files.lstat(other).size == files.lstat(database).size)
    try swap(rig, exchange: exchange) { [place = rig.place] in
      // Another process: closing the file in this one would drop SQLite's locks.
      _ = place.run(["cp", other.string, database.string])
    }
    #expect(try allRows(rig).isSuperset(of: ["one", "two", "written"]))
  }

  @Test(arguments: [SystemCall.Kind.exchange, .rename, .renameNew])
  func `a program's commit right after a swap is captured`(step: SystemCall.Kind) throws {
    let rig = try meeting()
    let database = rig.database("mac")
    if step == .renameNew {
      try files.unlink(database)
    }
    let ambush = Ambush(.after) { call in
      call.kind == step && call.otherPath == database
    }
    ambush.arm { [place = rig.place] in
      _ = try? place.sqlite3("INSERT INTO t(v) VALUES('program')", database)
    }
    var configuration = rig.configuration("mac")
    let unsupported = Refusal(.exchange, "", .invalidArgument, isOn: step == .rename)
    configuration.files = FileSystem(observer: Several(all: [ambush, unsupported]))
    let store = try SyncedDatabase(path: database.string, configuration: configuration)
    _ = try store.reconcile()
    #expect(ambush.hasActed)
    // An app's next write follows from it.
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('app')") }
    let newest = try #require(try store.history().first).version
    let shown = rig.place.root.appending("newest.sqlite")
    try store.export(newest.id, to: shown)
    let rows = try rig.place.sqlite3("SELECT v FROM t", shown)
    #expect(Set(rows.split(separator: "\n")) == ["one", "two", "program", "app"])
    #expect(rows == (try rig.place.sqlite3("SELECT v FROM t", database)))
    #expect(try store.status().state == .synced)
    try store.close()
  }

  @Test func `a program's commit after a swap is captured, even long after an app's write`()
    throws
  {
    // So large that what is captured of the app's write are the pages that changed.
    let rig = try meeting(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 9000)
        INSERT INTO t SELECT i, printf('%.100c', 'x') FROM n
      """)
    let database = rig.database("mac")
    let ambush = Ambush(.after) { $0.kind == .exchange && $0.otherPath == database }
    ambush.arm { [place = rig.place] in
      _ = try? place.sqlite3("UPDATE t SET v = 'program' WHERE id = 4500", database)
    }
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: ambush)
    let store = try SyncedDatabase(path: database.string, configuration: configuration)
    _ = try store.reconcile()
    #expect(ambush.hasActed)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('app')") }
    let newest = try #require(try store.history().first).version
    try store.close()
    let shown = rig.place.root.appending("newest.sqlite")
    try rig.on("mac") { try $0.export(newest.id, to: shown) }
    #expect(
      try rig.place.sqlite3("SELECT v FROM t WHERE id = 4500 OR id > 9000", shown)
        == "program\ntwo\napp\n")
    #expect(try rig.place.bytes(shown) == rig.place.bytes(database))
  }

  @Test func `the file that takes the name has the permissions of the one before`() throws {
    let rig = try meeting()
    try #require(rig.place.run(["chmod", "640", rig.database("mac").string]) == 0)
    try rig.on("mac") { _ = try $0.reconcile() }
    #expect(try rig.rows("mac") == ["one", "two"])
    #expect(try files.lstat(rig.database("mac")).mode & 0o777 == 0o640)
  }

  @Test func `the outgoing file of a swap is kept if the next step fails`() throws {
    let rig = try meeting()
    let (database, incoming) = (rig.database("mac"), rig.folder("mac").appending(".incoming"))
    try rig.copy(database, incoming)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('delivered')", incoming)
    let refusal = Refusal(.fsync, rig.folder("mac").string, .ioError)
    try swap(rig, exchange: true, refusal) { [files] in
      try? files.rename(incoming, to: database)
      refusal.set(true)
    }
    #expect(try allRows(rig).isSuperset(of: ["one", "two", "delivered"]))
  }

  @Test func `a file that takes the name between link and rename is kept`() throws {
    let rig = try meeting()
    let (database, incoming) = (rig.database("mac"), rig.folder("mac").appending(".incoming"))
    try rig.copy(database, incoming)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('delivered')", incoming)
    let ambush = Ambush(.after) { $0.kind == .link && $0.path == database }
    ambush.arm { [files] in try? files.rename(incoming, to: database) }
    var configuration = rig.configuration("mac")
    let unsupported = Refusal(.exchange, "", .invalidArgument, isOn: true)
    configuration.files = FileSystem(observer: Several(all: [ambush, unsupported]))
    let store = try SyncedDatabase(path: database.string, configuration: configuration)
    _ = try store.reconcile()
    try store.close()
    #expect(ambush.hasActed)
    #expect(try allRows(rig).isSuperset(of: ["one", "two", "delivered"]))
  }

  @Test func `a file that a crash left of a swap is captured, however old it is`() throws {
    let rig = try Rig()
    try rig.start()
    let left = rig.folder("mac").appending(".~openwo-0123456789abcdef.tmp")
    try rig.copy(rig.database("mac"), left)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('swapped')", left)
    try files.setTimes(left, modified: (rig.clock.now() - 7_200_000) * 1_000_000)
    #expect(try allRows(rig).isSuperset(of: ["one", "swapped"]))
    #expect(try files.statusIfPresent(left) == nil)
  }

  private struct Several: SystemCallObserver {
    let all: [any SystemCallObserver]

    func willCall(_ call: SystemCall) throws(FileError) {
      for observer in all { try observer.willCall(call) }
    }

    func didCall(_ call: SystemCall) {
      for observer in all { observer.didCall(call) }
    }
  }
}
