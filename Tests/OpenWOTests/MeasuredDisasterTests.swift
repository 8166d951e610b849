import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

/// Three losses that real services were seen to cause with plain SQLite, each made by hand.
struct MeasuredDisasterTests {
  private let files = FileSystem()

  /// A store whose table fills several pages, and time to let everything count as old.
  private func rig() throws -> Rig {
    let rig = try Rig()
    try rig.start()
    try rig.on("mac") { store in
      try store.write { db in
        for number in 2...2000 { try db.execute("INSERT INTO t VALUES(?, 'first')", number) }
      }
    }
    try rig.settle()
    return rig
  }

  private func script(_ text: String, _ rig: Rig) throws {
    let path = rig.place.root.appending("script")
    try AtomicFile.write(Array(text.utf8), to: path, fileSystem: files)
    let status = rig.place.run([
      "sh", "-c", "sqlite3 -bail \"$1\" < \"$2\"", "sh", rig.database("mac").string, path.string,
    ])
    #expect(status == 0)
  }

  @Test func `a stale journal beside a newer file is set aside and never replayed`() throws {
    let rig = try rig()
    let journal = FilePath(rig.database("mac").string + "-journal")
    let stale = rig.place.root.appending("stale")
    try script(
      """
      PRAGMA cache_size = 2;
      BEGIN IMMEDIATE;
      UPDATE t SET v = 'never' || id;
      .shell cp '\(journal.string)' '\(stale.string)'
      ROLLBACK;
      """, rig)
    try rig.write("mac", "newer")
    let newer = try rig.place.bytes(rig.database("mac"))
    // Plain SQLite loses the newer row here, and more: that is what makes it a disaster.
    let plain = rig.place.root.appending("plain.sqlite")
    try rig.copy(rig.database("mac"), plain)
    try rig.copy(stale, FilePath(plain.string + "-journal"))
    let damaged = try? rig.place.sqlite3("SELECT v FROM t WHERE v = 'newer'", plain)
    #expect(damaged != "newer\n" || (try? rig.place.bytes(plain)) != newer)

    try rig.copy(stale, journal)
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac").last == "newer")
    #expect(try rig.place.bytes(rig.database("mac")) == newer)
    #expect(try files.statusIfPresent(journal) == nil)
    #expect(try rig.evidence("mac", "journal") == [rig.place.bytes(stale)])
  }

  @Test func `a program's commits before an interrupted one are in the history`() throws {
    let rig = try rig()
    try rig.place.sqlite3(
      """
      UPDATE t SET v = 'acknowledged' WHERE id = 7;
      PRAGMA cache_size = 2;
      BEGIN;
      UPDATE t SET v = 'cut short';
      """, rig.database("mac"), thenKilled: true)
    let journal = FilePath(rig.database("mac").string + "-journal")
    #expect(try files.lstat(journal).size > 0)
    rig.clock.advance(milliseconds: 60_000)
    var kept: [String] = []
    try rig.on("mac") { store in
      for entry in try store.history() {
        let shown = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: shown.string)
        kept.append(try rig.place.sqlite3("SELECT v FROM t WHERE id = 7", shown))
        try files.unlink(shown)
      }
    }
    #expect(kept.contains("acknowledged\n"))
    #expect(try files.statusIfPresent(journal) == nil)
  }

  @Test func `a program's writing that was cut short and left the file broken is undone`() throws {
    let rig = try rig()
    try rig.place.sqlite3(
      """
      UPDATE t SET v = 'acknowledged' WHERE id = 7;
      PRAGMA cache_size = 2;
      BEGIN;
      UPDATE t SET v = printf('%.3000c', 'x') WHERE id <> 7;
      """, rig.database("mac"), thenKilled: true)
    let copy = rig.place.root.appending("copy.sqlite")
    try rig.copy(rig.database("mac"), copy)
    try #require(try rig.place.sqlite3("PRAGMA integrity_check", copy) != "ok\n")
    rig.clock.advance(milliseconds: 60_000)
    try rig.on("mac") { _ = try $0.reconcile() }
    let sql = """
      PRAGMA integrity_check; SELECT v FROM t WHERE id = 7; SELECT max(length(v)) < 3000 FROM t
      """
    #expect(try rig.place.sqlite3(sql, rig.database("mac")) == "ok\nacknowledged\n1\n")
  }

  @Test func `a torn file that passes the integrity check is never captured nor kept`() throws {
    let rig = try rig()
    let old = try rig.place.bytes(rig.database("mac"))
    try rig.on("mac") { store in
      try store.write { try $0.execute("UPDATE t SET v = 'later' WHERE v = 'first'") }
    }
    let new = try rig.place.bytes(rig.database("mac"))
    try #require(old.count == new.count)
    let half = new.count / 8192 * 4096
    try AtomicFile.write(
      Array(new[..<half] + old[half...]), to: rig.database("mac"), fileSystem: files)
    #expect(try rig.place.sqlite3("PRAGMA integrity_check", rig.database("mac")) == "ok\n")
    rig.clock.advance(milliseconds: 60_000)
    let history = try rig.on("mac") { try $0.history() }
    #expect(try rig.place.bytes(rig.database("mac")) == new)
    #expect(!history.contains { $0.version.reason == .external })
  }

  @Test func `a commit into a file that has lost its name is a version, and so is the new file`()
    throws
  {
    let rig = try rig()
    let database = rig.database("mac")
    let incoming = rig.folder("mac").appending(".incoming")
    try rig.copy(database, incoming)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('from elsewhere')", incoming)
    let mac = try rig.open("mac")
    do {
      try mac.write { db in
        try db.execute("INSERT INTO t(v) VALUES('committed')")
        try files.rename(incoming, to: database)
      }
    } catch let error as StoreError where error.code == .setAside {}
    try mac.close()
    rig.clock.advance(milliseconds: 60_000)
    var found: Set<String> = []
    try rig.on("mac") { store in
      for entry in try store.history() {
        let path = rig.place.root.appending("shown.sqlite")
        try store.export(entry.version.id, to: path.string)
        found.formUnion(
          try rig.place.sqlite3("SELECT DISTINCT v FROM t", path).split(separator: "\n")
            .map(String.init))
      }
    }
    #expect(found.isSuperset(of: ["committed", "from elsewhere", "first"]))
  }

  @Test func `a write whose file was replaced says that it can be repeated`() throws {
    let rig = try rig()
    let database = rig.database("mac")
    let incoming = rig.folder("mac").appending(".incoming")
    try rig.copy(database, incoming)
    let mac = try rig.open("mac")
    let error = try #require(throws: StoreError.self) {
      try mac.write { db in
        try files.rename(incoming, to: database)
        try db.execute("INSERT INTO t(v) VALUES('refused')")
      }
    }
    #expect(error.code == .unavailable)
    #expect(error.description.contains("before anything was written"))
    try mac.write { try $0.execute("INSERT INTO t(v) VALUES('made again')") }
    #expect(
      try mac.read { try $0.value("SELECT v FROM t ORDER BY id DESC") as String? } == "made again")
    try mac.close()
  }
}
