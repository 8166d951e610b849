import Corpora
import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// A service puts another file in the database's place before each system call in turn: neither it nor a write is ever lost.
struct ReplacedAnywhereTests {
  private let files = FileSystem()
  /// Every seventh call, or every one in the long form.
  private static let stride = ProcessInfo.processInfo.environment["OPENWO_LONG"] == nil ? 7 : 1

  /// Runs a body on the mac with another database taking the name at each call; then every row must be in some version, also the one that
  /// the body says was acknowledged.
  private func everywhere(
    _ prepare: (Rig) throws -> Void = { _ in }, keeping rows: Set<String>,
    capturing: Capturing = .immediately, _ body: (SyncedDatabase) throws -> String?
  ) throws {
    let stencil = try Rig()
    try stencil.start()
    try prepare(stencil)
    var number = 0
    while true {
      let rig = try Rig(copying: stencil)
      var kept = rows.union(["delivered"])
      let ambush = try ambush(rig, before: number)
      var configuration = rig.configuration("mac")
      configuration.files = FileSystem(observer: ambush)
      configuration.capturing = capturing
      do {
        let store = try SyncedDatabase(
          path: rig.database("mac").string, configuration: configuration)
        if let row = try body(store) { kept.insert(row) }
        try store.close()
      } catch let error as StoreError {
        Issue.record("replaced before call \(number), \(ambush.call): \(error)")
      }
      guard ambush.hasActed else { break }
      let missing = try kept.subtracting(allRows(rig))
      #expect(missing.isEmpty, "replaced before call \(number), \(ambush.call)")
      number += Self.stride
    }
    #expect(number > 50)
  }

  @Test func `pending commits are kept if a program wrote over them and a service took the file`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('waits')") }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edited')", rig.database("mac"))
    try files.unlink(rig.database("mac"))
    #expect(try store.read { try $0.value("SELECT count(*) FROM t") } ?? 0 > 0)
    try store.close()
    #expect(try allRows(rig).isSuperset(of: ["waits", "edited"]))
  }

  @Test func `pending commits that another state half overwrote do not become a version`() throws {
    let rig = try Rig(["mac"])
    try rig.start(
      """
      CREATE TABLE last(v); CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)
        INSERT INTO t SELECT i, 'older' FROM n
      """)
    let (path, older) = (rig.database("mac"), rig.folder("mac").appending(".incoming"))
    try rig.copy(path, older)
    try rig.on("mac") { store in try store.write { try $0.execute("UPDATE t SET v = 'newer'") } }
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    let store = try SyncedDatabase(path: path.string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO last VALUES(1)") }
    // Another process: closing the file in this one would drop SQLite's locks.
    _ = rig.place.run(
      ["dd", "if=\(older)", "of=\(path)", "bs=4096", "count=5", "conv=notrunc"])
    try files.rename(older, to: path)
    _ = try store.reconcile()
    try store.close()
    try rig.on("mac") { store in
      for entry in try store.history() {
        let shown = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: shown.string)
        #expect(try rig.place.sqlite3("SELECT count(DISTINCT v) FROM t", shown) == "1\n")
      }
    }
  }

  private func ambush(_ rig: Rig, before number: Int) throws -> Ambush {
    let incoming = rig.folder("mac").appending(".incoming")
    try rig.copy(rig.database("mac"), incoming)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('delivered')", incoming)
    let database = rig.database("mac")
    return Ambush(before: number) { [files] in try? files.rename(incoming, to: database) }
  }

  private func allRows(_ rig: Rig) throws -> Set<String> {
    var found: Set<String> = []
    rig.clock.advance(milliseconds: 120_000)
    try rig.on("mac") { store in
      _ = try store.reconcile()
      for entry in try store.history() {
        let path = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: path.string)
        found.formUnion(
          try rig.place.sqlite3("SELECT v FROM t", path).split(separator: "\n").map(String.init))
      }
    }
    return found
  }

  /// With a journal beside it, so that a file that is known is opened as well.
  @Test func `no row is lost if the database is replaced during a look`() throws {
    for number in 0... {
      let rig = try Rig(["mac"])
      try rig.start()
      let (database, incoming) = (rig.database("mac"), rig.folder("mac").appending(".incoming"))
      try rig.copy(database, incoming)
      try Data().write(to: URL(fileURLWithPath: database.string + "-journal"))
      let ambush = Ambush { $0.path == database }
      ambush.arm(after: number) { [files] in try? files.rename(incoming, to: database) }
      var configuration = rig.configuration("mac")
      configuration.opensAsFound = true
      configuration.files = FileSystem(observer: ambush)
      do {
        let store = try SyncedDatabase(path: database.string, configuration: configuration)
        _ = try store.status()
        _ = try store.reconcile(dryRun: true)
        try store.close()
      } catch {
        Issue.record("replaced before call \(number), \(ambush.call): \(error)")
      }
      guard ambush.hasActed else {
        #expect(number > 5)
        break
      }
    }
  }

  @Test func `no row is lost if the database is replaced during a write`() throws {
    try everywhere(keeping: ["one"]) { store in
      do {
        try store.write { try $0.execute("INSERT INTO t(v) VALUES('written')") }
      } catch let error as StoreError where error.code == .setAside {}
      return "written"
    }
  }

  @Test func `no row is lost if the database is replaced before a capture`() throws {
    try everywhere(keeping: ["one"], capturing: .whenIdle) { store in
      for row in ["early", "written"] {
        do {
          try store.write { try $0.execute("INSERT INTO t(v) VALUES(?)", row) }
        } catch let error as StoreError where error.code == .setAside {}
      }
      return "written"
    }
  }

  @Test
  func `no row is lost if the database is replaced while another device's version is checked out`()
    throws
  {
    let prepare = { (rig: Rig) in
      try rig.write("phone", "phone's")
      try rig.deliver("phone", "mac", live: false)
      rig.clock.advance(milliseconds: 60_000)
    }
    try everywhere(prepare, keeping: ["one", "phone's"]) { store in
      _ = try store.reconcile()
      return nil
    }
  }
}
