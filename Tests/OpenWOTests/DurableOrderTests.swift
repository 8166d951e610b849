import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

/// Data that must be on the disk before the next step, in case of a power failure in between.
struct DurableOrderTests {
  /// The calls that a device makes while a body runs on its store.
  private func calls(
    _ rig: Rig, _ body: (SyncedDatabase) throws -> Void
  ) throws -> [SystemCall] {
    let log = CallLog()
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: log)
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    try body(store)
    try store.close()
    return log.calls
  }

  /// When the first file whose path passes got its name, and from which one.
  private func naming(
    in calls: [SystemCall], _ passes: (String) -> Bool
  ) throws -> (at: Int, from: FilePath) {
    let at = try #require(
      calls.firstIndex { call in
        [.rename, .renameNew, .exchange].contains(call.kind)
          && call.otherPath.map { passes($0.string) } ?? false
      })
    return (at, try #require(calls[at].path))
  }

  /// The files that got their names in a folder, in order.
  private func names(in folder: String, _ calls: [SystemCall]) -> [String] {
    calls.filter { $0.kind == .rename }.compactMap(\.otherPath)
      .filter { $0.string.contains(folder) }.compactMap { $0.lastComponent?.string }
  }

  /// When something was made durable, within some of the calls.
  private func syncing(_ calls: ArraySlice<SystemCall>, _ passes: (FilePath) -> Bool) -> Int? {
    calls.firstIndex { $0.kind == .fsync && $0.path.map(passes) ?? false }
  }

  /// When the first version was durable in the folder.
  private func publishing(in calls: [SystemCall]) throws -> Int {
    let version = try naming(in: calls) { $0.contains("/versions/") }
    return try #require(syncing(calls[version.at...]) { $0.string.hasSuffix("/versions") })
  }

  @Test func `a write is captured durably before it is reported as done`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let log = CallLog()
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: log)
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    let calls = log.calls
    let version = try naming(in: calls) { $0.contains("/pending/") }
    #expect(syncing(calls[..<version.at]) { $0 == version.from } != nil)
    #expect(syncing(calls[version.at...]) { $0.string.hasSuffix("/pending") } != nil)
    try store.close()
  }

  @Test func `a version is durable in the folder before it leaves the state folder`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let calls = try calls(rig) { store in
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
      try store.publish()
    }
    let version = try naming(in: calls) { $0.contains("/versions/") }
    #expect(syncing(calls[..<version.at]) { $0 == version.from } != nil)
    let folder = try publishing(in: calls)
    let leaving = try #require(
      calls.firstIndex { call in
        call.kind == .unlink && call.path?.string.contains("/pending/") ?? false
      })
    #expect(folder < leaving)
  }

  @Test func `a version is stored before the version that it replaces is dropped`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let calls = try calls(rig) { store in
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('three')") }
      #expect(try store.history().map(\.version.reason) == [.write, .create])
    }
    let namings = calls.indices.filter { index in
      calls[index].kind == .rename
        && calls[index].otherPath?.string.contains("/pending/") ?? false
    }
    try #require(namings.count == 2)
    let first = calls[namings[0]].otherPath
    let folder = try #require(syncing(calls[namings[1]...]) { $0.string.hasSuffix("/pending") })
    let dropping = try #require(calls.firstIndex { $0.kind == .unlink && $0.path == first })
    #expect(folder < dropping)
  }

  @Test
  func `a write that waits to be published is so before the settlement that has it as parent`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    let calls = try calls(rig) { store in
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('three')") }
      try rig.deliver("phone", "mac", live: false)
      _ = try store.reconcile()
      #expect(try store.history().first?.version.reason == .settle)
    }
    let published = names(in: "/versions/", calls)
    #expect(published.count == 2)
    #expect(published.first == names(in: "/pending/", calls).first)
  }

  @Test func `pending versions are published in the order in which they were made`() throws {
    let rig = try Rig(["mac"])
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 100)
        INSERT INTO t SELECT i, printf('%.2000c', 'x') FROM n
      """)
    let calls = try calls(rig) { store in
      // Too many pages for one version.
      for _ in 1...3 { try store.write { try $0.execute("UPDATE t SET v = 'y' || v") } }
      try store.publish()
    }
    let published = names(in: "/versions/", calls)
    #expect(published.count == 3)
    #expect(published == names(in: "/pending/", calls))
  }

  @Test func `earlier writes are in the folder before a lock is held`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let calls = try calls(rig) { store in
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
      _ = try store.lock(LockRequest(outlivesProcess: true))
    }
    let folder = try publishing(in: calls)
    // First it is asked for, then held.
    let holding = try #require(
      calls.lastIndex { call in
        call.kind == .rename && call.otherPath?.string.contains("/locks/") ?? false
      })
    #expect(folder < holding)
  }

  @Test func `an edit is in the folder before its lock is given back`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let calls = try calls(rig) { store in
      _ = try store.lock(LockRequest(outlivesProcess: true))
      try rig.place.sqlite3("UPDATE t SET v = 'uno'", rig.database("mac"))
      #expect(try store.unlock().version != nil)
    }
    let folder = try publishing(in: calls)
    let giving = try #require(
      calls.firstIndex { call in
        call.kind == .unlink && call.path?.string.contains("/locks/") ?? false
      })
    #expect(folder < giving)
  }

  @Test func `another device's version is durable before the live file becomes it`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac", live: false)
    rig.clock.advance(milliseconds: 60_000)
    let calls = try calls(rig) { _ = try $0.reconcile() }
    let database = rig.database("mac")
    let swap = try naming(in: calls) { $0 == database.string }
    let built = try naming(in: calls) { $0 == swap.from.string }
    #expect(built.at < swap.at)
    #expect(syncing(calls[..<built.at]) { $0 == built.from } != nil)
    let arrived = syncing(calls[..<swap.at]) { $0.string.contains("/versions/") }
    #expect(arrived != nil)
    #expect(syncing(calls[(arrived ?? 0)..<swap.at]) { $0.string.hasSuffix("/versions") } != nil)
    #expect(syncing(calls[swap.at...]) { $0 == rig.folder("mac") } != nil)
    #expect(try rig.rows("mac") == ["one", "two"])
  }

  @Test func `another device's version is durable before the delivered file counts as its copy`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac")
    rig.clock.advance(milliseconds: 60_000)
    let calls = try calls(rig) { _ = try $0.reconcile() }
    let record = try naming(in: calls) { $0.hasSuffix("/record") }
    let arrived = syncing(calls[..<record.at]) { $0.string.contains("/versions/") }
    #expect(arrived != nil)
    #expect(syncing(calls[(arrived ?? 0)..<record.at]) { $0.string.hasSuffix("/versions") } != nil)
    #expect(try rig.rows("mac") == ["one", "two"])
  }

  @Test func `a restored version has the name durably before the earlier file is removed`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    try rig.write("mac", "two")
    let first = try rig.on("mac") { try #require(try $0.history().last).version.id }
    let calls = try calls(rig) { _ = try $0.restore(first) }
    let swap = try naming(in: calls) { $0 == rig.database("mac").string }
    let folder = try #require(syncing(calls[swap.at...]) { $0 == rig.folder("mac") })
    let going = try #require(
      calls[swap.at...].firstIndex { $0.kind == .unlink && $0.path == swap.from })
    #expect(folder < going)
    #expect(try rig.rows("mac") == ["one"])
  }

  @Test func `a restored database has its name durably before that is recorded`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    try FileSystem().unlink(rig.database("mac"))
    let calls = try calls(rig) { _ = try $0.reconcile() }
    let naming = try naming(in: calls) { $0 == rig.database("mac").string }
    let record = try #require(
      calls[naming.at...].firstIndex { $0.otherPath?.string.hasSuffix("/record") ?? false })
    #expect(syncing(calls[naming.at..<record]) { $0 == rig.folder("mac") } != nil)
    #expect(try rig.rows("mac") == ["one"])
  }

  @Test func `another device's version is durable before a restored one is based on it`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    try rig.write("phone", "three")
    try rig.deliver("phone", "mac")
    rig.clock.advance(milliseconds: 60_000)
    #expect(try rig.rows("mac") == ["one", "two", "three"])
    let history = try rig.on("mac") { try $0.history().map(\.version.id) }
    try #require(history.count == 3)
    let calls = try calls(rig) { _ = try $0.restore(history[1]) }
    try expectArrivedDurable(before: naming(in: calls) { $0.contains("/pending/") }.at, in: calls)
    #expect(try rig.rows("mac") == ["one", "two"])
  }

  @Test func `another device's version is durable before a copy's rests on it`() throws {
    let rig = try Rig()
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t(v) VALUES('one');
      CREATE TABLE filler(b); INSERT INTO filler VALUES(randomblob(1000000))
      """)
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac", live: false)
    let copy = rig.folder("mac").appending("openwo (conflicted copy 2026-11-21 101112).sqlite")
    try rig.copy(rig.database("phone"), copy)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('three')", copy)
    rig.clock.advance(milliseconds: 60_000)
    let calls = try calls(rig) { _ = try $0.reconcile() }
    try expectArrivedDurable(before: naming(in: calls) { $0.contains("/pending/") }.at, in: calls)
    #expect(try rig.rows("mac") == ["one", "two", "three"])
  }

  /// Expects that a version from elsewhere, and its name, were made durable before a call.
  private func expectArrivedDurable(before call: Int, in calls: [SystemCall]) throws {
    let arrived = try #require(syncing(calls[..<call]) { $0.string.contains("/versions/") })
    #expect(syncing(calls[arrived..<call]) { $0.string.hasSuffix("/versions") } != nil)
  }
}
