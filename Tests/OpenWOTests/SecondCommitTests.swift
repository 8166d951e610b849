import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO

/// A machine stops in the middle of a commit while the one before it, that was acknowledged, waits to be captured.
///
/// Nothing knows the state in between: only the journal's own mark proves that it leads back to it.
struct SecondCommitTests {
  private static let pageSize = 4096
  private let files = FileSystem()

  /// The bytes of such a crash: the state between the commits, that after them, and the journal of the second.
  private struct Crash {
    var between: [UInt8]
    var after: [UInt8]
    var journal: [UInt8]

    /// The pages of the second commit, the first page left out.
    var pages: [Int] {
      (1..<after.count / pageSize).filter { between[range($0)] != after[range($0)] }
    }

    func range(_ page: Int) -> Range<Int> { page * pageSize..<(page + 1) * pageSize }
  }

  /// The state of the app after it came back.
  private struct Found {
    var live: [UInt8]
    var versions: [[UInt8]]

    /// Whether a state is live, and nothing else became a version after the first.
    func isOnly(_ state: [UInt8]) -> Bool { live == state && versions.count == 2 }
  }

  private func crash(_ rig: Rig) throws -> Crash {
    try rig.start(
      """
      CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
      WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 600)
        INSERT INTO t SELECT i, printf('%.100c', 'x') FROM n
      """)
    let store = try open(rig)
    let path = rig.database("mac")
    let first = try WritePath(store: store).begin()
    try first.connection.execute("UPDATE t SET v = 'first' || v WHERE id % 50 = 0")
    try WritePath(store: store).commit(first, reason: .write)
    WritePath(store: store).end()
    let between = try rig.place.bytes(path)
    let second = try WritePath(store: store).begin()
    try second.connection.execute("UPDATE t SET v = 'second' || substr(v, 7) WHERE id % 20 = 0")
    // So that the first page is in the journal now and not only with the commit.
    try second.connection.execute("PRAGMA user_version = 2")
    // Under another name it outlives the commit, with all that the commit has put into it.
    try files.link(store.paths.journal, to: kept(rig))
    try WritePath(store: store).commit(second, reason: .write)
    WritePath(store: store).end()
    let (journal, after) = (try rig.place.bytes(kept(rig)), try rig.place.bytes(path))
    // The app dies, and captures nothing.
    store.workingCopy.close()
    store.coordinator.leave()
    return Crash(between: between, after: after, journal: journal)
  }

  /// The path of the second commit's journal, which has outlived it.
  private func kept(_ rig: Rig) -> FilePath { rig.place.root.appending("journal") }

  private func open(_ rig: Rig) throws -> Store {
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    return try Store.open(rig.database("mac"), configuration, EventHub())
  }

  /// Leaves a state and a journal, in the file that there was or in a new one, and lets the app come back.
  private func comeBack(
    _ rig: Rig, from state: [UInt8], _ journal: [UInt8], inPlace: Bool = true,
    isOwnJournal: Bool = true
  ) throws -> Found {
    let path = rig.database("mac")
    let given = rig.place.root.appending("given")
    try AtomicFile.write(state, to: given, fileSystem: files)
    if inPlace {
      #expect(rig.place.run(["cp", given.string, path.string]) == 0)
    } else {
      try files.rename(given, to: path)
    }
    // The very file that the commit made is still there, or one that was brought.
    let found = kept(rig)
    try AtomicFile.write(journal, to: given, fileSystem: files)
    #expect(rig.place.run(["cp", given.string, found.string]) == 0)
    try files.rename(
      isOwnJournal ? found : given, to: FilePath(path.string + "-journal"))
    let store = try SyncedDatabase(path: path.string, configuration: rig.configuration("mac"))
    rig.clock.advance(milliseconds: 60_000)
    _ = try store.reconcile()
    let shown = rig.place.root.appending("shown.sqlite")
    let versions = try store.history().map { entry in
      try store.export(entry.version.id, to: shown)
      return try rig.place.bytes(shown)
    }
    try store.close()
    #expect(try files.statusIfPresent(FilePath(path.string + "-journal")) == nil)
    return Found(live: try rig.place.bytes(path), versions: versions)
  }

  private func isKept(_ bytes: [UInt8], _ rig: Rig) throws -> Bool {
    let folder = try open(rig).state.quarantine
    return try files.list(folder).contains { try rig.place.bytes(folder.appending($0)) == bytes }
  }

  @Test(arguments: [0, 1, 4])
  func `the second commit is undone, and the first one is kept`(written: Int) throws {
    let rig = try Rig(["mac"])
    let crash = try crash(rig)
    #expect(crash.pages.count > 4)
    var state = crash.between
    for page in crash.pages.prefix(written) {
      state.replaceSubrange(crash.range(page), with: crash.after[crash.range(page)])
    }
    #expect(try comeBack(rig, from: state, crash.journal).isOnly(crash.between))
    // Half of it may look whole.
    #expect(try isKept(state, rig))
  }

  @Test func `a complete commit whose journal is still there is undone`() throws {
    let rig = try Rig(["mac"])
    let crash = try crash(rig)
    #expect(try comeBack(rig, from: crash.after, crash.journal).isOnly(crash.between))
    #expect(try isKept(crash.after, rig))
  }

  @Test func `a commit whose first page was written before others is undone`() throws {
    let rig = try Rig(["mac"])
    let crash = try crash(rig)
    let state = crash.after[..<Self.pageSize] + crash.between[Self.pageSize...]
    #expect(try comeBack(rig, from: Array(state), crash.journal).isOnly(crash.between))
  }

  /// Journals that must not be trusted although they have a mark.
  enum Doubt: CaseIterable {
    case otherFile, broughtBack, otherKey, longKey, noKey, changedMark, otherJournal, laterState
  }

  @Test(arguments: Doubt.allCases)
  func `a mark that proves nothing changes nothing`(doubt: Doubt) throws {
    let rig = try Rig(["mac"])
    let crash = try crash(rig)
    var (state, journal) = (crash.after, crash.journal)
    let key = try open(rig).state.journalKey
    switch doubt {
    case .otherFile, .broughtBack: break
    case .otherKey:
      try AtomicFile.write(
        Array(String(repeating: "0", count: 64).utf8), to: key, fileSystem: files)
    case .longKey: try AtomicFile.write(crash.journal, to: key, fileSystem: files)
    case .noKey: try files.unlink(key)
    case .changedMark: journal[50] ^= 1
    // How long the database was belongs to the mark: one page less would cut it.
    case .otherJournal: journal[19] -= 1
    // Two more commits by a program that asks nobody, to the change counter and what goes with it.
    case .laterState: for byte in [27, 95] { state[byte] += 2 }
    }
    let found = try comeBack(
      rig, from: state, journal, inPlace: doubt != .otherFile, isOwnJournal: doubt != .broughtBack)
    #expect(found.versions.contains(state))
    #expect(try isKept(journal, rig))
  }
}
