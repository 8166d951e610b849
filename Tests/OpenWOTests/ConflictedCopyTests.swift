import Corpora
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

struct ConflictedCopyTests {
  private let copyName = "openwo.sync-conflict-20261121-003549-W42IXU7.sqlite"

  /// The phone's file took the name on the mac, whose own became a conflict copy, as Syncthing does
  /// it; no version file has arrived.
  private func conflict() throws -> Rig {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "phone's")
    try rig.write("mac", "mac's")
    let files = FileSystem()
    try files.rename(rig.database("mac"), to: rig.folder("mac").appending(copyName))
    try rig.deliver("phone", "mac", companion: false)
    rig.clock.advance(milliseconds: 60_000)
    return rig
  }

  private func siblings(_ rig: Rig, _ device: String) throws -> [String] {
    try FileSystem().list(rig.folder(device)).map(\.string).sorted()
  }

  @Test func `a copy that is a version is removed and the last writer stays live`() throws {
    let rig = try conflict()
    #expect(try rig.rows("mac") == ["one", "mac's"])
    #expect(try siblings(rig, "mac") == ["openwo.sqlite", "openwo.sqlite.openwo"])
    try rig.settle()
    #expect(try rig.rows("phone") == ["one", "mac's"])
    #expect(try rig.place.bytes(rig.database("phone")) == rig.place.bytes(rig.database("mac")))
  }

  /// A file with such a name that is not a copy of this database.
  struct Stranger: Sendable, CustomTestStringConvertible {
    var name: String
    /// The shell command on a copy of the database.
    var shell: String
    var problem: String
    /// Whether it may be a copy, so that it is listed.
    var isListed = false

    var testDescription: String { "\(problem), \(name)" }
  }

  private static let strangers =
    [
      ("PRAGMA application_id = 7", "it belongs to another app"),
      ("ALTER TABLE t RENAME TO u", "it has other tables"),
    ].flatMap { sql, problem in
      ["openwo (conflict).sqlite", "openwo.sync-conflict-20261121-003549-W42IXU7.sqlite"].map {
        Stranger(name: $0, shell: "sqlite3 \"$1\" '\(sql)'", problem: problem)
      }
    } + [
      // Where people choose such names too, all tables have to be the same.
      Stranger(
        name: "openwo (conflict).sqlite", shell: "sqlite3 \"$1\" 'CREATE TABLE u(v)'",
        problem: "it has other tables"),
      Stranger(
        name: "openwo.sync-conflict-20261121-003549-W42IXU7.sqlite",
        shell: "truncate -s -4096 \"$1\"", problem: "it is cut", isListed: true),
      Stranger(
        name: "openwo 2.sqlite", shell: "echo 'groceries and more of the like' > \"$1\"",
        problem: "it is not a database"),
      Stranger(
        name: "openwo 2.sqlite", shell: "yes groceries | head -c 9000 > \"$1\"",
        problem: "it is not a database"),
      Stranger(
        name: "openwo.sync-conflict-20261121-003549-W42IXU7.sqlite",
        shell: "rm \"$1\"; mkfifo \"$1\"", problem: "it is not a regular file"),
    ]

  @Test(arguments: strangers)
  func `a file that is not a copy stays, and the reason is reported`(stranger: Stranger) throws {
    let rig = try Rig()
    try rig.start()
    let path = rig.folder("mac").appending(stranger.name)
    try rig.copy(rig.database("mac"), path)
    #expect(rig.place.run(["sh", "-c", stranger.shell, "sh", path.string]) == 0)
    let before = try FileSystem().lstat(path).signature
    rig.clock.advance(milliseconds: 60_000)
    try rig.on("mac") { store in
      let found = try store.conflictedCopies()
      #expect(found.map(\.path) == (stranger.isListed ? [stranger.name] : []))
      #expect(found.allSatisfy { $0.relation == .unknown && $0.problem == stranger.problem })
      #expect(try store.history().count == 1)
      let status = try store.status()
      #expect(status.state == (stranger.isListed ? .conflict : .synced))
      #expect(status.conflicts == found.map(\.path))
    }
    let named = try SyncedDatabase.examine(
      path: rig.database("mac").string, configuration: rig.configuration("mac")
    ).filter { $0.message.contains(stranger.name) }
    #expect(named.map(\.severity) == [stranger.isListed ? .warning : .info], "\(named)")
    #expect(named.allSatisfy { $0.message.contains(stranger.problem) }, "\(named)")
    #expect(try FileSystem().lstat(path).signature == before)
  }

  @Test func `a copy without a version is captured before it is removed`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    let copy = rig.folder("phone").appending("openwo (Ana's conflicted copy 2026-11-21).sqlite")
    try rig.copy(rig.database("mac"), copy)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edited elsewhere')", copy)
    rig.clock.advance(milliseconds: 60_000)
    let rows = try rig.rows("phone")
    #expect(try siblings(rig, "phone") == ["openwo.sqlite", "openwo.sqlite.openwo"])
    let found = try rig.on("phone") { store -> [[String]] in
      try store.history().map { entry in
        let path = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: path.string)
        return try rig.place.sqlite3("SELECT v FROM t ORDER BY id", path).split(separator: "\n")
          .map(String.init)
      }
    }
    #expect(found.contains(["one", "edited elsewhere"]))
    #expect(found.contains(["one", "two"]))
    #expect(rows == ["one", "two"] || rows == ["one", "edited elsewhere"])
  }

  @Test func `a copy that was made while the database was in WAL mode is the version of it`() throws
  {
    let rig = try Rig()
    try rig.start()
    let phone = rig.database("phone")
    try rig.place.sqlite3("PRAGMA journal_mode=WAL; INSERT INTO t(v) VALUES('elsewhere')", phone)
    let copy = rig.folder("phone").appending("openwo-DESKTOP-AB12CD3.sqlite")
    try rig.copy(phone, copy)
    #expect(try rig.place.bytes(copy)[18...19] == [2, 2])
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("phone") == ["one", "elsewhere"])
    #expect(try siblings(rig, "phone") == ["openwo.sqlite", "openwo.sqlite.openwo"])
    #expect(try rig.on("phone") { try $0.history().count } == 2)
  }

  @Test func `a copy in WAL mode that wins becomes a database that can be written`() throws {
    let rig = try Rig()
    try rig.start()
    let copy = rig.folder("phone").appending("openwo (Ana's conflicted copy 2026-11-21).sqlite")
    try rig.copy(rig.database("mac"), copy)
    try rig.place.sqlite3("PRAGMA journal_mode=WAL; INSERT INTO t(v) VALUES('elsewhere')", copy)
    #expect(try rig.place.bytes(copy)[18...19] == [2, 2])
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("phone") == ["one", "elsewhere"])
    try rig.write("phone", "two")
    #expect(try rig.rows("phone") == ["one", "elsewhere", "two"])
    #expect(try rig.place.bytes(rig.database("phone"))[18...19] == [1, 1])
    try rig.settle()
    #expect(try rig.rows("mac") == ["one", "elsewhere", "two"])
    #expect(try rig.place.bytes(rig.database("phone")) == rig.place.bytes(rig.database("mac")))
  }

  @Test(arguments: [
    "openwo (backup).sqlite", "openwo 2.sqlite", "openwo (1).sqlite", "openwo copy.sqlite",
  ])
  func `a person's backup is never touched`(name: String) throws {
    let rig = try Rig()
    try rig.start()
    let backup = rig.folder("phone").appending(name)
    try rig.copy(rig.database("phone"), backup)
    let before = try FileSystem().lstat(backup)
    try rig.write("phone", "two")
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("phone") == ["one", "two"])
    #expect(try FileSystem().lstat(backup) == before)
  }

  @Test func `a database of another app with a copy's name is never touched`() throws {
    let rig = try Rig()
    try rig.start()
    let other = rig.folder("phone").appending(copyName)
    try rig.place.sqlite3("CREATE TABLE other(x)", other)
    rig.clock.advance(milliseconds: 60_000)
    let before = try FileSystem().lstat(other)
    #expect(try rig.rows("phone") == ["one"])
    #expect(try FileSystem().lstat(other) == before)
  }

  @Test func `a copy whose version was replaced by the next one is examined again`() throws {
    let rig = try Rig()
    try rig.start()
    let live = rig.database("phone")
    let store = try rig.open("phone")
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    try rig.copy(live, rig.folder("phone").appending("openwo 2.sqlite"))
    let content = ContentHash(of: try rig.place.bytes(live))
    // A look finds that the copy is a version, which the next write folds.
    try FileSystem().setTimes(live, modified: rig.clock.now() * 1_000_000)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('three')") }
    #expect(try !store.history().contains { $0.version.content == content })
    rig.clock.advance(milliseconds: 60_000)
    _ = try store.reconcile()
    #expect(try store.history().contains { $0.version.content == content })
    try store.close()
    #expect(try rig.rows("phone") == ["one", "two", "three"])
  }

  @Test func `a copy can be compared while another process replaces the version`()
    throws
  {
    let rig = try Rig(["phone"])
    try rig.start()
    let other = try rig.open("phone")
    try other.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    let copy = rig.folder("phone").appending(copyName)
    try rig.copy(rig.database("phone"), copy)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('copy')", copy)
    let ambush = Ambush { $0.path?.lastComponent?.string.hasPrefix("copy-") ?? false }
    var configuration = rig.configuration("phone")
    configuration.files = FileSystem(observer: ambush)
    configuration.opensAsFound = true
    let looking = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    ambush.arm { _ = try? other.write { try $0.execute("INSERT INTO t(v) VALUES('three')") } }
    #expect(try looking.status().conflicts == [copyName])
    #expect(ambush.hasActed)
    try looking.close()
    try other.close()
  }

  @Test func `a mix of two versions is replaced by the newest version`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.on("phone") { store in
      try store.write { db in
        for i in 0..<2000 {
          try db.execute(
            "INSERT INTO t(v) VALUES(?)", "row \(i) \(String(repeating: "x", count: 40))")
        }
      }
    }
    let old = try rig.place.bytes(rig.database("phone"))
    try rig.on("phone") { store in
      try store.write { try $0.execute("UPDATE t SET v = 'y' || substr(v, 2)") }
    }
    let new = try rig.place.bytes(rig.database("phone"))
    try #require(old.count == new.count)
    let half = new.count / 8192 * 4096
    try AtomicFile.write(
      Array(new[..<half] + old[half...]), to: rig.database("phone"), fileSystem: FileSystem())
    rig.clock.advance(milliseconds: 60_000)
    let report = try rig.on("phone") { try $0.history() }
    #expect(try rig.place.bytes(rig.database("phone")) == new)
    #expect(!report.contains { $0.version.reason == .external })
  }

  @Test(arguments: 1...3)
  func `a copy in WAL mode that wins becomes live as a file without WAL`(_ writes: Int) throws {
    let rig = try Rig()
    try rig.start()
    let name = "openwo.sync-conflict-20991231-120000-ABCDEFG.sqlite"
    let copy = rig.place.root.appending("copy.sqlite")
    try rig.copy(rig.database("phone"), copy)
    for number in 1...writes { try rig.write("phone", "phone's \(number)") }
    // Folding it back gives its first page the change counter that the phone's own file has after two writes.
    try rig.place.sqlite3("PRAGMA journal_mode=WAL; INSERT INTO t(v) VALUES('mac''s')", copy)
    rig.clock.advance(milliseconds: 1_000)
    try FileSystem().setTimes(copy, modified: rig.clock.now() * 1_000_000)
    try FileSystem().rename(copy, to: rig.folder("phone").appending(name))
    for _ in 0..<3 {
      rig.clock.advance(milliseconds: 60_000)
      try rig.on("phone") { _ = try $0.reconcile() }
    }
    #expect(try rig.on("phone") { try $0.status().state } == .synced)
    #expect(try rig.rows("phone") == ["one", "mac's"])
  }
}
