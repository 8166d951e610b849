import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Another file that takes the database's name, and what it is said to have been made from.
struct FoundFileTests {
  /// A mac that has locked what it wrote, and the version that it wrote.
  private func locked() throws -> (Rig, VersionID) {
    let rig = try Rig()
    try rig.start()
    try rig.write("mac", "two")
    let report = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) }
    return (rig, try #require(report.lock.head))
  }

  @Test func `an edit of a file delivered under a lock is not a child of the live version`()
    throws
  {
    let (rig, start) = try locked()
    // The state from before, which the phone still has.
    try rig.deliver("phone", "mac", companion: false)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("mac"))
    let edit = try #require(try rig.on("mac") { try $0.unlock() }.version)
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    let made = try #require(versions.first { $0.id == edit })
    #expect(!made.parents.contains(start))
    #expect(!made.parents.isEmpty)
    #expect(try rig.rows("mac") == ["one", "by hand"])
    // Rows that the edit does not have stay in a version.
    #expect(try staysAfterPruning(start, rig, "mac"))
  }

  /// As editors do that write a new file and rename it.
  @Test(arguments: [false, true])
  func `an edit in another file follows from the version with which it shares most pages`(
    isOfOlder: Bool
  ) throws {
    let rig = try Rig()
    try rig.start(
      """
      CREATE TABLE t(v TEXT); INSERT INTO t VALUES('one');
      CREATE TABLE filler(b BLOB); INSERT INTO filler VALUES(randomblob(20000));
      """)
    let edited = rig.place.root.appending("edited")
    if isOfOlder { try rig.copy(rig.database("mac"), edited) }
    let older = try rig.on("mac") { try #require(try $0.history().first).version.id }
    try rig.on("mac") { store in
      try store.write { try $0.execute("INSERT INTO filler VALUES(randomblob(9000))") }
    }
    let newer = try rig.on("mac") { try #require(try $0.history().first).version.id }
    if !isOfOlder { try rig.copy(rig.database("mac"), edited) }
    for row in ["two", "three"] {
      try rig.place.sqlite3("INSERT INTO t VALUES('\(row)')", edited)
    }
    try FileSystem().rename(edited, to: rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.on("mac") { try $0.reconcile() }
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    let found = try #require(versions.first { $0.reason == .external })
    #expect(found.parents == [isOfOlder ? older : newer])
  }

  /// A service that writes into the existing file, as `rsync --inplace --times` does.
  @Test(arguments: [false, true])
  func `what a service wrote into the file itself is not a child of the live version`(
    isUnderLock: Bool
  ) throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("mac", "two")
    try rig.write("phone", "three")
    let stood = try #require(try rig.on("mac") { try $0.history() }.first { $0.isLive }).version
    let lock = { _ = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) } }
    if isUnderLock { try lock() }
    let inode = try FileSystem().lstat(rig.database("mac")).inode
    #expect(rig.place.run(["cp", "-p", "\(rig.database("phone"))", "\(rig.database("mac"))"]) == 0)
    #expect(try FileSystem().lstat(rig.database("mac")).inode == inode)
    if isUnderLock { _ = try rig.on("mac") { try $0.unlock() } } else { try lock() }
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    let found = try #require(versions.first { [.edit, .external].contains($0.reason) })
    #expect(!found.parents.contains(stood.id))
  }

  @Test func `an edit of the file itself is a child of the live version, whatever it deletes`()
    throws
  {
    let (rig, start) = try locked()
    try rig.place.sqlite3("DELETE FROM t WHERE v = 'two'", rig.database("mac"))
    let edit = try #require(try rig.on("mac") { try $0.unlock() }.version)
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    #expect(versions.first { $0.id == edit }?.parents == [start])
  }

  /// Folding it gives the file a time, as a service does.
  @Test func `an edit by a tool that switched to WAL mode is a child of the live version`() throws {
    let (rig, start) = try locked()
    try rig.place.sqlite3(
      "PRAGMA journal_mode=WAL; DELETE FROM t WHERE v = 'two'; INSERT INTO t(v) VALUES('three')",
      rig.database("mac"))
    let edit = try #require(try rig.on("mac") { try $0.unlock() }.version)
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    #expect(versions.first { $0.id == edit }?.parents == [start])
    #expect(versions.first { $0.id == edit }?.reason == .edit)
  }

  /// Neither the pages nor the rows say so.
  @Test func `an edit without a lock is a child of the live version if no other device is known`()
    throws
  {
    let rig = try Rig(["phone"])
    try rig.start()
    try rig.write("phone", "two")
    let stood = try #require(try rig.on("phone") { try $0.history() }.first).version.id
    try rig.place.sqlite3("DELETE FROM t WHERE v = 'two'; VACUUM", rig.database("phone"))
    let made = try #require(try rig.on("phone") { try $0.history() }.first).version
    #expect(made.reason == .external && made.parents == [stood])
  }

  /// A service may have delivered it: if the pages do not tell, the rows decide.
  @Test func `among several devices an edit that undoes the live version is a rival`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("mac", "two")
    let stood = try #require(try rig.on("mac") { try $0.history() }.first).version.id
    try rig.place.sqlite3("DELETE FROM t WHERE v = 'two'", rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    let found = try #require(versions.first { $0.reason == .external })
    #expect(!found.parents.contains(stood))
    #expect(try staysAfterPruning(stood, rig, "mac"))
  }

  /// A service that nobody knows yet brings an older file, and a program writes into it before anybody looked.
  @Test func `an edit that counts no more commits than the live version is not its child`()
    throws
  {
    let rig = try Rig(["phone"])
    try rig.start()
    let old = rig.place.root.appending("old")
    try rig.copy(rig.database("phone"), old)
    try rig.write("phone", "two")
    let stood = try #require(try rig.on("phone") { try $0.history() }.first).version.id
    try writeOver(rig.database("phone"), with: old, rig)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("phone"))
    let versions = try rig.on("phone") { try $0.history() }.map(\.version)
    let found = try #require(versions.first { $0.reason == .external })
    #expect(!found.parents.contains(stood))
  }

  /// The live version cannot be compared while a service holds back its base.
  @Test func `an edit is not a child of a live version that cannot be read any more`() throws {
    let rig = try Rig(["phone"])
    try rig.start("CREATE TABLE t(v TEXT); CREATE TABLE filler AS SELECT randomblob(100000) AS b")
    let versions = rig.companion("phone").appending("versions")
    let first = try #require(try FileSystem().list(versions).first)
    let old = rig.place.root.appending("old")
    try rig.copy(rig.database("phone"), old)
    try rig.write("phone", "two")
    let stood = try #require(try rig.on("phone") { try $0.history() }.first).version.id
    try FileSystem().rename(versions.appending(first), to: rig.place.root.appending("held back"))
    for word in ["by", "hand"] { try rig.place.sqlite3("INSERT INTO t VALUES('\(word)')", old) }
    try writeOver(rig.database("phone"), with: old, rig)
    let all = try rig.on("phone") { try $0.history() }.map(\.version)
    let found = try #require(all.first { $0.reason == .external })
    #expect(all.contains { $0.id == stood } && !found.parents.contains(stood))
  }

  /// The file says that nothing was done to it since.
  ///
  /// An earlier openwo has kept no heads in the state folder.
  @Test func `a file whose version is missing is captured again as its child`()
    throws
  {
    let rig = try Rig(["phone"])
    try rig.start()
    let versions = rig.companion("phone").appending("versions")
    let before = try Set(FileSystem().list(versions))
    try rig.write("phone", "two")
    let stood = try #require(try rig.on("phone") { try $0.history() }.first).version
    let name = try #require(try FileSystem().list(versions).first { !before.contains($0) })
    let aside = rig.place.root.appending("held back")
    try FileSystem().rename(versions.appending(name), to: aside)
    let kept = try rig.on("phone") { try $0.core.with { $0.state.heads } }
    try FileManager.default.removeItem(atPath: kept.string)
    rig.clock.advance(milliseconds: 60_000)
    let again = try rig.on("phone") { try $0.history() }.map(\.version)
    #expect(again.first { $0.reason == .external }?.parents == [stood.id])
    #expect(again.first?.content == stood.content)
    try FileSystem().rename(aside, to: versions.appending(name))
    #expect(try rig.rows("phone") == ["one", "two"])
    let now = try rig.on("phone") { try $0.history() }
    #expect(now.first?.isLive == true && now.first?.version.content == stood.content)
    #expect(now.contains { $0.version.id == stood.id })
  }

  /// As `cp backup openwo.sqlite` does.
  @Test func `an old content that was written into the file is restored, and what it undid stays`()
    throws
  {
    let rig = try Rig(["phone"])
    try rig.start()
    let old = rig.place.root.appending("old")
    try rig.copy(rig.database("phone"), old)
    try rig.write("phone", "two")
    let stood = try #require(try rig.on("phone") { try $0.history() }.first).version.id
    try writeOver(rig.database("phone"), with: old, rig)
    let made = try #require(try rig.on("phone") { try $0.history() }.first).version
    #expect(made.reason == .restore && made.parents == [stood])
    #expect(try rig.rows("phone") == ["one"])
    #expect(try staysAfterPruning(stood, rig, "phone"))
  }

  /// A phone's write, which the mac met before its version came, and what the mac made of it.
  private func wentOn() throws -> (Rig, twin: VersionID, stood: VersionID) {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    let twin = try #require(try rig.on("phone") { try $0.history() }.first).version.id
    try rig.deliver("phone", "mac", companion: false)
    rig.clock.advance(milliseconds: 60_000)
    try rig.write("mac", "three")
    let live = try rig.on("mac") { try $0.history() }.first { $0.isLive }
    return (rig, twin, try #require(live).version.id)
  }

  /// The phone's row is two versions, as the mac met it before the phone's own version came, and wrote on.
  ///
  /// That one counts with what the mac wrote, and has the lower id.
  @Test func `an edit of a version is not a child of what another device made from that version`()
    throws
  {
    var (rig, twin, stood) = try wentOn()
    while twin > stood { (rig, twin, stood) = try wentOn() }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("phone"))
    try rig.deliver("phone", "mac", live: false)
    try writeOver(rig.database("mac"), with: rig.database("phone"), rig)
    rig.clock.advance(milliseconds: 60_000)
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    let found = versions.filter { $0.reason == .external }
    #expect(versions.contains { $0.id == twin } && found.count == 2)
    #expect(!found.contains { $0.parents.contains(stood) })
  }

  /// Writes a content into the very file.
  private func writeOver(_ database: FilePath, with content: FilePath, _ rig: Rig) throws {
    let inode = try FileSystem().lstat(database).inode
    #expect(rig.place.run(["cp", "\(content)", "\(database)"]) == 0)
    #expect(try FileSystem().lstat(database).inode == inode)
  }

  /// Whether a version stays, however little is to be kept.
  private func staysAfterPruning(
    _ version: VersionID, _ rig: Rig, _ device: String
  ) throws -> Bool {
    try rig.write(device, "later")
    var configuration = rig.configuration(device)
    configuration.retention = Retention(last: 1)
    let store = try SyncedDatabase(
      path: rig.database(device).string, configuration: configuration)
    _ = try store.prune()
    let stays = try store.history().contains { $0.version.id == version }
    try store.close()
    return stays
  }

  /// A service writes in place over rows that wait to be captured, and then puts another file there.
  @Test(arguments: [false, true])
  func `others' writes over a file that lost its name are not writes of this device`(
    isEdited: Bool
  ) throws {
    let rig = try Rig()
    try rig.start()
    let (old, next) = (rig.place.root.appending("old"), rig.place.root.appending("next"))
    try rig.copy(rig.database("mac"), old)
    if isEdited { try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", old) }
    try rig.write("mac", "two")
    let stood = try #require(try rig.on("mac") { try $0.history() }.first { $0.isLive }).version.id
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('waits')") }
    try rig.copy(rig.database("mac"), next)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('next')", next)
    try writeOver(rig.database("mac"), with: old, rig)
    try FileSystem().rename(next, to: rig.database("mac"))
    try store.close()
    rig.clock.advance(milliseconds: 60_000)
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    // The other one has all rows of what was captured last, so it may follow from that; what was written over has not.
    let followers = versions.filter { $0.parents.contains(stood) && $0.reason != .settle }
    #expect(followers.allSatisfy { $0.reason == .external } && followers.count <= 1)
    #expect(versions.count { $0.reason == .external } == (isEdited ? 2 : 1))
  }

  /// The live file travels faster than its version, and another device continues from it.
  @Test func `a version is not combined with the next one while another version is based on it`()
    throws
  {
    let rig = try Rig()
    let files = FileSystem()
    try rig.start(Self.twoTables)
    var configuration = rig.configuration("phone")
    configuration.publishing = .debounced(seconds: 3600)
    let store = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    try rig.deliver("phone", "mac", companion: false)
    rig.clock.advance(milliseconds: 60_000)
    try rig.on("mac") { _ = try $0.reconcile() }
    let folder = rig.companion("mac").appending("versions")
    let before = try Set(files.list(folder))
    try rig.write("mac", "three")
    let theirs = try #require(try rig.on("mac") { try $0.history() }.first).version
    #expect(theirs.reason == .write)
    let name = try #require(try files.list(folder).first { !before.contains($0) })
    try rig.copy(
      folder.appending(name), rig.companion("phone").appending("versions").appending(name))
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('four')") }
    let path = rig.place.root.appending("shown.sqlite")
    try store.export(theirs.id, to: path.string)
    #expect(try rig.place.sqlite3("SELECT v FROM t", path) == "two\nthree\n")
    try store.close()
  }

  private static let twoTables = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); CREATE TABLE exercise(name TEXT)
    """

  /// All rows of a version without parents are its own.
  @Test func `a file without a row of a found version is not its child`() throws {
    let rig = try Rig()
    try rig.start(Self.twoTables)
    try rig.on("phone") { store in
      try store.write { try $0.execute("INSERT INTO exercise VALUES('press')") }
    }
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac", companion: false)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac") == ["two", "by hand"])
    for value in ["three", "four"] { try rig.write("phone", value) }
    try rig.deliver("phone", "mac", companion: false)
    rig.clock.advance(milliseconds: 60_000)
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    let found = versions.filter { $0.reason == .external }
    #expect(found.count == 2)
    // At most of the beginning, which has no row; never of the other file.
    let beginning = Set(versions.filter { $0.reason == .create }.map(\.id))
    #expect(found.allSatisfy { Set($0.parents).isSubset(of: beginning) })
  }

  /// The found version's parent is a guess.
  @Test func `a file without a row of a found version's parent is not a child of that parent`()
    throws
  {
    let rig = try Rig()
    try rig.start(Self.twoTables)
    try rig.write("mac", "two")
    let database = rig.database("mac")
    try rig.place.sqlite3("INSERT INTO exercise VALUES('press')", database)
    rig.clock.advance(milliseconds: 60_000)
    let live = try rig.on("mac") { try $0.history() }.first { $0.isLive }
    let found = try #require(live).version
    #expect(found.reason == .external && !found.parents.isEmpty)
    let copy = rig.place.root.appending("copy")
    try rig.copy(database, copy)
    try rig.place.sqlite3("DELETE FROM t WHERE v = 'two'", copy)
    try FileSystem().rename(copy, to: database)
    rig.clock.advance(milliseconds: 60_000)
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    #expect(versions.filter { $0.reason == .external }.count == 2)
    #expect(!versions.contains { $0.parents.contains(found.id) && $0.reason == .external })
  }

  /// Its pages speak for what lost as well, and what was settled has no changes of its own.
  @Test func `an edit without a lock of what was settled is a child of it by its rows`() throws {
    let rig = try Rig()
    rig.settling = .lastWriterWins
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1, 'one');
      CREATE TABLE exercise(name TEXT);
      """)
    try rig.write("phone", "two")
    try rig.write("mac", "three")
    try rig.settle()
    let stood = try #require(try rig.on("mac") { try $0.history() }.first { $0.isLive }).version
    #expect(stood.reason == .settle)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('by hand')", rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    let versions = try rig.on("mac") { try $0.history() }.map(\.version)
    #expect(versions.first { $0.reason == .external }?.parents == [stood.id])
  }

  /// Pages that only point to others are alike where as many rows of one size were appended to both sides.
  @Test func `a file that shares pages with a version by chance is not its child`() throws {
    let rig = try Rig()
    try rig.start(
      """
      PRAGMA page_size = 512;
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 12)
      INSERT INTO t SELECT i, printf('%090d', i) FROM n
      """)
    let row = { (letter: String) in String(repeating: letter, count: 90) }
    let size = { try FileSystem().lstat(rig.database("phone")).size }
    let before = try size()
    var count = 0
    while try size() == before {
      try rig.write("phone", row("p"))
      count += 1
    }
    for _ in 0..<count { try rig.write("mac", row("m")) }
    try rig.on("mac") { try $0.write { try $0.execute("UPDATE t SET v = 'm' WHERE id = 1") } }
    let last = try #require(try rig.on("phone") { try $0.history() }.first { $0.isLive }).version
    #expect(last.reason == .write)
    try rig.deliver("mac", "phone", companion: false)
    rig.clock.advance(milliseconds: 60_000)
    try rig.on("phone") { _ = try $0.reconcile() }
    let versions = try rig.on("phone") { try $0.history() }.map(\.version)
    let found = try #require(versions.first { $0.reason == .external })
    #expect(!found.parents.contains(last.id))
  }
}
