import Foundation
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

@testable import OpenWO

/// A store in the temporary folder, which is best in memory, whose live file is exchanged for each input.
struct JournalStage: Sendable {
  /// A database that can be beside a journal.
  struct Candidate: Sendable {
    var bytes: [UInt8]
    /// It is a version of the store.
    var isKnown = false
    /// The place of the journal that a crash left beside it, and of the database that it was before.
    var crash: (journal: Int, before: Int)?
  }

  let paths: StorePaths
  let precious: FilePath
  private(set) var databases: [Candidate] = []
  /// Journals of transactions that stopped half way.
  private(set) var journals: [[UInt8]] = []

  private let root: FilePath
  private let state: StatePaths
  private let triage: JournalTriage
  private let files = FileSystem()

  init() throws {
    root = FilePath(FileManager.default.temporaryDirectory.path)
      .appending("openwo-fuzz-\(randomHex(bytes: 8))")
    let folder = root.appending("synced")
    try files.makeDirectories(folder)
    let database = folder.appending("openwo.sqlite")
    precious = folder.appending("precious")
    try AtomicFile.write(Array("precious".utf8), to: precious, durable: false, fileSystem: files)
    var configuration = Configuration()
    configuration.stateFolder = root.appending("state")
    configuration.monitors = false
    configuration.publishing = .immediately
    try Self.connect(database, .create) { db in
      try db.executeScript(
        """
        PRAGMA page_size = 512;
        CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
        WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 40)
        INSERT INTO t SELECT i, printf('%0100d', i) FROM n
        """)
    }
    _ = try SyncedDatabase.initialize(path: database.string, configuration: configuration)
    let store = try SyncedDatabase(path: database.string, configuration: configuration)
    databases.append(Candidate(bytes: try files.readSmall(database, limit: 1 << 20), isKnown: true))
    for step in 1...2 {
      try store.write { try $0.execute("UPDATE t SET v = v || ? WHERE id % 3 = ?", "x", step) }
      databases.append(
        Candidate(bytes: try files.readSmall(database, limit: 1 << 20), isKnown: true))
    }
    try store.close()
    let inner = try Store.open(database, configuration, EventHub())
    (paths, state, triage) = (inner.paths, inner.state, JournalTriage(inner.workingCopy))
    try addCrashes()
    try addOthers()
  }

  private static func connect(
    _ path: FilePath, _ mode: Connection.Options.Mode, _ body: (Connection) throws -> Void
  ) throws {
    let connection = try Connection(path: path, .init(mode: mode, guardPolicy: .privateCopy))
    defer { connection.close() }
    try body(connection)
  }

  /// Stops transactions in each known state once they have written to the file.
  private mutating func addCrashes() throws {
    let copy = root.appending("crash.sqlite")
    let sides = ["UPDATE t SET v = v || 'half'", "DELETE FROM t WHERE id > 5", "DROP TABLE t"]
    for (place, sql) in sides.enumerated() {
      try write(databases[place].bytes, to: copy)
      try Self.connect(copy, .readWrite) { db in
        try db.executeScript("PRAGMA cache_size = 1; BEGIN IMMEDIATE; \(sql)")
        journals.append(try files.readSmall(root.appending("crash.sqlite-journal"), limit: 1 << 20))
        databases.append(
          Candidate(
            bytes: try files.readSmall(copy, limit: 1 << 20), crash: (journals.count - 1, place)))
        try db.executeScript("ROLLBACK")
      }
      try files.unlink(copy)
    }
  }

  /// An edit that nobody has captured, another layout, a torn file, a cut one, and none.
  private mutating func addOthers() throws {
    let copy = root.appending("other.sqlite")
    for sql in ["INSERT INTO t(v) VALUES('mine')", "PRAGMA page_size = 1024; VACUUM"] {
      try write(databases[2].bytes, to: copy)
      try Self.connect(copy, .readWrite) { try $0.executeScript(sql) }
      databases.append(Candidate(bytes: try files.readSmall(copy, limit: 1 << 20)))
      try files.unlink(copy)
    }
    let (old, new) = (databases[0].bytes, databases[2].bytes)
    databases.append(Candidate(bytes: Array(new[..<2048] + old[2048...])))
    databases.append(Candidate(bytes: Array(new[..<(new.count / 1024 * 512)])))
    databases.append(Candidate(bytes: []))
  }

  private func write(_ bytes: [UInt8], to path: FilePath) throws {
    try AtomicFile.write(bytes, to: path, durable: false, fileSystem: files)
  }
}

extension JournalStage {
  /// Opens a database beside a journal as the store does, and holds what is left against what was there.
  func play(_ place: Int, _ journal: [UInt8]) throws {
    let candidate = databases[place]
    try write(candidate.bytes, to: paths.database)
    try write(journal, to: paths.journal)
    defer { sweep() }
    do {
      let connection = try Connection(
        path: paths.database,
        .init(mode: .readWrite, guardPolicy: .live(judge: triage.closure)))
      defer { connection.close() }
      _ = try connection.value("SELECT count(*) FROM sqlite_schema", as: Int.self)
    } catch is SQLiteError {}
    // A file can be of any size now; that of a version is small.
    let size = try files.lstat(paths.database).size
    expect(size <= 1 << 30, "a journal makes no database of \(size) bytes")
    let after = try files.readSmall(paths.database, limit: 1 << 30)
    expect(!candidate.isKnown || after == candidate.bytes, "a version is not changed")
    if let crash = candidate.crash, journal == journals[crash.journal] {
      expect(after == databases[crash.before].bytes, "a crash is undone")
    }
    // Bytes after the last page are not part of a content.
    let end = DatabaseHeader.parse(after)?.contentSize(inFileOf: Int64(after.count))
    let content = Array(after.prefix(Int(end ?? Int64(after.count))))
    if after != candidate.bytes, !databases.contains(where: { $0.isKnown && $0.bytes == content }) {
      expect(try !isWhole(candidate.bytes), "a whole database is not changed")
      expect(try isWhole(after), "what was played leads to a whole database")
    }
    expect((try? files.readSmall(precious, limit: 100)) == Array("precious".utf8), "others stay")
  }

  private func isWhole(_ bytes: [UInt8]) throws -> Bool {
    let copy = root.appending("whole.sqlite")
    try write(bytes, to: copy)
    defer { try? files.unlink(copy) }
    do {
      let connection = try Connection(
        path: copy, .init(mode: .readOnly, immutable: true, guardPolicy: .privateCopy))
      defer { connection.close() }
      return try connection.integrityCheck(limit: 1).isEmpty
    } catch is SQLiteError {
      return false
    }
  }

  private func sweep() {
    try? files.unlink(paths.journal)
    for folder in [state.quarantine, state.scratch, state.unproven] {
      for name in (try? files.list(folder)) ?? [] { try? files.unlink(folder.appending(name)) }
    }
  }
}
