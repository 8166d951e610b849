import Corpora
import Foundation
import OpenWOFiles
import OpenWOSQLite
import SystemPackage

@testable import OpenWO

/// A journal of the pairings: how far the transaction was that left it.
enum PairedJournal: String, CaseIterable, Sendable {
  /// Killed before anything was written to the database: the journal was not synced either.
  case unsynced
  /// Killed after a small cache had made it write half of the transaction to the database.
  case spill
  /// Killed while it committed: all pages are in the journal, half of them are written.
  case commit
  /// The same, and only half of the journal has arrived.
  case commitCutHalf
}

/// A database of the pairings; all grew from `old`, and the journals' transaction began in `pre`.
enum PairedDatabase: String, CaseIterable, Sendable {
  case pre, post, old
  /// Another device's transaction, in `pre` as well, and one more.
  case otherB, otherB2
  /// The transaction, and one more.
  case post2
  case vacuumed, otherPageSize
  case tornFirst, tornCut, empty
  /// The database that the journal's crash left.
  case crashed
}

/// A journal beside a database.
struct JournalPair: Sendable, CustomStringConvertible {
  var journal: PairedJournal
  var database: PairedDatabase

  var description: String { "\(journal.rawValue) beside \(database.rawValue)" }

  /// The 47 pairings: each journal beside each database, and beside that of its own crash.
  static let all: [JournalPair] = PairedJournal.allCases.flatMap { journal in
    PairedDatabase.allCases
      .filter { $0 != .crashed || journal != .commitCutHalf }
      .map { JournalPair(journal: journal, database: $0) }
  }
}

/// The files of all pairings, and a store whose live file is exchanged for each.
final class JournalPairs: Sendable {
  let place: Place
  let databases: [PairedDatabase: [UInt8]]
  let journals: [PairedJournal: [UInt8]]
  let crashed: [PairedJournal: [UInt8]]
  /// The contents that are versions of the store.
  let known: Set<[UInt8]>
  let precious = Array("precious".utf8)

  private let paths: StorePaths
  private let state: StatePaths
  private let triage: JournalTriage
  private let files = FileSystem()

  /// The databases that are whole.
  static let whole: [PairedDatabase] = [
    .pre, .post, .old, .otherB, .otherB2, .post2, .vacuumed, .otherPageSize,
  ]

  /// Makes them; the given ones are captured by the store.
  init(knowing captured: [PairedDatabase]) throws {
    place = try Place()
    var databases = try Self.states(place)
    let (old, pre, post) = (databases[.old] ?? [], databases[.pre] ?? [], databases[.post] ?? [])
    var journals: [PairedJournal: [UInt8]] = [:]
    var crashed: [PairedJournal: [UInt8]] = [:]
    for journal in [PairedJournal.unsynced, .spill] {
      (crashed[journal], journals[journal]) = try Self.killed(place, pre, journal == .spill)
    }
    let (mix, full) = Self.commit(pre, post)
    (crashed[.commit], journals[.commit]) = (mix, full)
    journals[.commitCutHalf] = Array(full.prefix(full.count / 2))
    databases[.tornFirst] = Array(
      post.prefix(pre.count / 2048 * 1024) + pre.dropFirst(pre.count / 2048 * 1024))
    databases[.tornCut] = Array(post.prefix(post.count / 2048 * 1024))
    databases[.empty] = []
    try AtomicFile.write(old, to: place.database, durable: false, fileSystem: files)
    _ = try place.initialize()
    for state in captured where state != .old {
      try AtomicFile.write(
        databases[state] ?? [], to: place.database, durable: false, fileSystem: files)
      let store = try place.open()
      _ = try store.reconcile()
      try store.close()
    }
    known = Set(captured.compactMap { databases[$0] } + [old])
    (self.databases, self.journals, self.crashed) = (databases, journals, crashed)
    let store = try Store.open(place.database, place.configuration(), EventHub())
    (paths, state, triage) = (store.paths, store.state, JournalTriage(store.workingCopy))
    try AtomicFile.write(
      precious, to: place.folder.appending("precious"), durable: false, fileSystem: files)
  }
}

/// Making the files.
extension JournalPairs {
  private static let transaction = """
    UPDATE stamp SET v = 'A1'; \
    UPDATE t SET who = 'A1', n = n + 1, pad = pad || 'z' WHERE id BETWEEN 50 AND 130;
    """

  private static func states(_ place: Place) throws -> [PairedDatabase: [UInt8]] {
    var states: [PairedDatabase: [UInt8]] = [:]
    let path = place.root.appending("state.sqlite")
    func make(_ state: PairedDatabase, from: PairedDatabase?, _ sql: String) throws {
      try AtomicFile.write(
        from.flatMap { states[$0] } ?? [], to: path, durable: false, fileSystem: FileSystem())
      try place.sqlite3(sql, path)
      states[state] = try place.bytes(path)
    }
    try make(
      .old, from: nil,
      """
      PRAGMA page_size = 1024;
      CREATE TABLE t(id INTEGER PRIMARY KEY, who TEXT, n INT, pad TEXT);
      CREATE INDEX ti ON t(who, n);
      CREATE TABLE stamp(k PRIMARY KEY, v);
      INSERT INTO stamp VALUES('ver', 'v0');
      WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 300)
      INSERT INTO t SELECT i, 'base', i * 7919 % 1000, printf('%.*c', 20 + i * 31 % 180, 'p') FROM n;
      """)
    func edit(_ name: String, _ rows: String) -> String {
      "BEGIN; UPDATE stamp SET v = '\(name)'; UPDATE t SET who = '\(name)', n = n + 1, "
        + "pad = pad || 'z' WHERE id BETWEEN \(rows); COMMIT;"
    }
    try make(.pre, from: .old, edit("N", "0 AND 20"))
    try make(.post, from: .pre, "BEGIN; \(transaction) COMMIT;")
    try make(.otherB, from: .pre, edit("B1", "70 AND 150"))
    try make(
      .otherB2, from: .otherB, edit("B2", "0 AND 5") + "INSERT INTO t(pad) SELECT pad FROM t;")
    try make(.post2, from: .post, edit("A2", "10 AND 14"))
    try make(.vacuumed, from: .post, "VACUUM;")
    try make(.otherPageSize, from: .pre, "PRAGMA page_size = 2048; VACUUM;")
    return states
  }

  /// The files of a shell that is killed in the transaction.
  private static func killed(
    _ place: Place, _ pre: [UInt8], _ spills: Bool
  ) throws -> ([UInt8], [UInt8]) {
    let path = place.root.appending("killed.sqlite")
    try AtomicFile.write(pre, to: path, durable: false, fileSystem: FileSystem())
    let cache = spills ? "PRAGMA cache_size = 3;" : ""
    try place.sqlite3("\(cache) BEGIN IMMEDIATE; \(transaction)", path, thenKilled: true)
    let journal = place.root.appending("killed.sqlite-journal")
    defer { try? FileSystem().unlink(journal) }
    return try (place.bytes(path), place.bytes(journal))
  }

  /// The first half of the pages that a commit writes, and the journal that it has written before.
  static func commit(_ pre: [UInt8], _ post: [UInt8]) -> (database: [UInt8], journal: [UInt8]) {
    let changed = (0..<min(pre.count, post.count) / 1024).filter {
      pre[($0 * 1024)..<($0 * 1024 + 1024)] != post[($0 * 1024)..<($0 * 1024 + 1024)]
    }
    var mix = pre
    for page in changed.prefix((changed.count + 1) / 2) {
      mix.replaceSubrange(
        page * 1024..<page * 1024 + 1024, with: post[(page * 1024)..<(page * 1024 + 1024)])
    }
    let journal = HostileJournal(
      pages: changed.map { (UInt32($0 + 1), Array(pre[($0 * 1024)..<($0 * 1024 + 1024)])) },
      pageCount: UInt32(pre.count / 1024), pageSize: 1024)
    return (mix, journal.bytes)
  }
}

/// Playing one.
extension JournalPairs {
  /// The files of a database after the store has opened it.
  struct Outcome {
    var database: [UInt8]
    /// Files that were kept as evidence.
    var evidence: [[UInt8]]
    /// States that become versions at the next look.
    var captured: [[UInt8]]
    /// All files in the folder.
    var names: [String]
  }

  func database(_ pair: JournalPair) -> [UInt8] {
    (pair.database == .crashed ? crashed[pair.journal] : databases[pair.database]) ?? []
  }

  /// Opens a database beside a journal as the store does.
  func open(_ database: [UInt8], beside journal: [UInt8]) throws -> Outcome {
    try AtomicFile.write(database, to: paths.database, durable: false, fileSystem: files)
    try AtomicFile.write(journal, to: paths.journal, durable: false, fileSystem: files)
    defer { clear() }
    do {
      let connection = try Connection(
        path: paths.database, .init(mode: .readWrite, guardPolicy: .live(judge: triage.closure)))
      defer { connection.close() }
      _ = try connection.value("SELECT count(*) FROM sqlite_schema", as: Int.self)
    } catch is SQLiteError {}
    let names = try files.list(place.folder).map(\.string).sorted()
    return Outcome(
      database: try place.bytes(paths.database),
      evidence: try bytes(in: state.quarantine), captured: try bytes(in: state.unproven),
      names: names)
  }

  private func bytes(in folder: FilePath) throws -> [[UInt8]] {
    guard try files.statusIfPresent(folder) != nil else { return [] }
    return try files.list(folder).map { try place.bytes(folder.appending($0)) }
  }

  private func clear() {
    try? files.unlink(paths.journal)
    for folder in [state.quarantine, state.scratch, state.unproven] {
      for name in (try? files.list(folder)) ?? [] { try? files.unlink(folder.appending(name)) }
    }
  }

  /// Whether a file without its journal is a whole database.
  func isWhole(_ bytes: [UInt8]) throws -> Bool {
    let path = place.root.appending("whole.sqlite")
    try AtomicFile.write(bytes, to: path, durable: false, fileSystem: files)
    do {
      let connection = try Connection(
        path: path, .init(mode: .readOnly, immutable: true, guardPolicy: .privateCopy))
      defer { connection.close() }
      return try connection.integrityCheck(limit: 1).isEmpty
    } catch is SQLiteError {
      return false
    }
  }
}
