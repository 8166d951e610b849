import Foundation
import OpenWO
import OpenWOApp
import OpenWOFiles
import SystemPackage

/// The checks when a device continues after a stop.
///
/// The store is opened and reconciled as any app does it, or by the command. It is looked at, at
/// once and two hours later: rows, history, names, and whether it stays as it is.
struct Recovery {
  private let scene: Scene
  /// The verb that was stopped; it runs again if that is the way to continue.
  private let verb: Verb?
  /// The rows that were acknowledged before the stop.
  private let kept: Set<String>
  private let clock: ManualClock
  private let files = FileSystem()
  /// The state when the verb ended with 0; nil if it was stopped before.
  var end: Standing?
  /// Whether the machine has stopped with it.
  var isPowerFailure = false
  /// The rows of contents that were read before: a content is what its hash says.
  private var known: KnownContents
  private(set) var violations: [String] = []

  init(_ scene: Scene, _ verb: Verb?, kept: Set<String>, _ known: KnownContents) {
    (self.scene, self.verb, self.kept, self.known) = (scene, verb, kept, known)
    clock = ManualClock(now: SystemClock().now() + 1_000)
  }

  /// Looks at everything; what is wrong is in `violations`.
  mutating func run(byCommand: Bool = false) {
    do {
      let found = try firstLook(byCommand: byCommand)
      violations +=
        end?.losses(in: found, promised: kept, byPowerFailure: isPowerFailure) ?? []
      clock.advance(milliseconds: 7_200_000)
      let store = try goOn()
      _ = try checkHistory(of: store, isAtRest: true)
      try store.close()
      try checkRest()
      try checkUse()
      checkOthers()
    } catch {
      violations.append("recovery fails: \(error)")
    }
  }

  /// Looks at what a verb has left that ended with 0 and was not disturbed: what its success promises.
  mutating func undisturbed() throws -> Standing {
    let found = try firstLook(byCommand: false)
    violations += verb?.violations(of: found) ?? []
    return found
  }

  private mutating func firstLook(byCommand: Bool) throws -> Standing {
    let isLocked = try isLocked()
    let isBrought = try files.statusIfPresent(scene.local) == nil
    if byCommand { try goOnByCommand() }
    // If the command makes no store and brings no file, that step is repeated.
    let isWaiting = try !isStore() || verb?.bringsLocal == true
    let store = try !byCommand || isWaiting ? goOn() : open()
    var found = try checkHistory(of: store, isAtRest: false)
    try store.close()
    (found.isLocked, found.isBrought) = (isLocked, isBrought)
    return found
  }

  /// Whether a lock is held, as somebody sees who changes nothing.
  private func isLocked() throws -> Bool {
    guard try isStore() else { return false }
    var configuration = configuration
    configuration.opensAsFound = true
    let store = try SyncedDatabase(path: scene.database.string, configuration: configuration)
    defer { try? store.close() }
    return try store.status().lock != nil
  }

  /// Takes over what was found wrong before.
  mutating func expect(_ wrong: [String]) {
    violations += wrong
  }

  private var configuration: Configuration {
    var configuration = scene.configuration()
    configuration.clock = clock
    return configuration
  }

  private func open() throws -> SyncedDatabase {
    try SyncedDatabase(path: scene.database.string, configuration: configuration)
  }

  /// The next step of the person or the app: repeat the interrupted verb, end a lock, open the
  /// store.
  private func goOn() throws -> SyncedDatabase {
    let isStore = try isStore()
    let isThere = try files.statusIfPresent(scene.database) != nil
    if try verb?.bringsLocal == true && files.statusIfPresent(scene.local) != nil {
      // As somebody does who was told of no success.
      if isStore || !isThere {
        _ = try LocalMigration(scene.local, to: scene.database, configuration).run()
        return try open()
      }
    }
    if !isStore {
      _ = try SyncedDatabase.initialize(
        path: scene.database.string, create: !isThere, configuration: configuration)
    }
    let store = try open()
    // A lock of another device that was to be ended is.
    if let lock = try store.status().lock {
      _ = try store.unlock(UnlockRequest(force: scene.foreignLock == lock.id ? lock.id : nil))
    }
    _ = try store.reconcile()
    return store
  }

  private func isStore() throws -> Bool {
    try files.statusIfPresent(scene.companion.appending("store.json")) != nil
  }

  /// The next step of a script; it may get an error only if it could not know better.
  private mutating func goOnByCommand() throws {
    var allowed: Set<Int32> = [0]
    if try !isStore() {
      // The verb was stopped before it made the store: there is none (10).
      allowed = [10]
    } else if let locks = try? files.list(scene.companion.appending("locks")), !locks.isEmpty {
      // The person may still have the lock (11).
      allowed.insert(11)
    }
    let done = try Child.run([scene.tools.openwo, "sync"], scene.variables)
    violations += CommandEnd.violations(done, allowing: allowed).map { "openwo sync: \($0)" }
  }

  /// Every version is what its hash says, every acknowledged row is in one, no refused row is anywhere, and the live file is one of them.
  private mutating func checkHistory(
    of store: SyncedDatabase, isAtRest: Bool
  ) throws -> Standing {
    let history = try store.history()
    var found: Set<String> = []
    for entry in history {
      // Only the last look reads each version again.
      let known = isAtRest ? nil : known.rows[entry.version.content]
      found.formUnion(try known ?? rows(of: entry.version, store))
    }
    // Another program's commits may wait for a moment, until a verb has reported them as captured.
    let pending = isAtRest || end != nil ? [] : scene.unseen
    let missing = kept.subtracting(found).subtracting(pending)
    if !missing.isEmpty { violations.append("lost: \(missing.sorted())") }
    var standing = Standing(versions: Set(history.map(\.version.id.description)))
    let status = try store.status()
    if isAtRest, status.state != .synced { violations.append("the state is \(status.state)") }
    if isAtRest || status.lock == nil {
      let contents = Set(history.map(\.version.content))
      if pending.isEmpty, let content = status.content, !contents.contains(content) {
        violations.append("the live file is no version")
      }
      (standing.rows, standing.tables) = try checkLive(store)
      found.formUnion(standing.rows ?? [])
    }
    for (row, code) in scene.refused where found.contains(row) {
      violations.append("\(row) was refused with \(code) and is there")
    }
    return standing
  }

  /// The rows and the tables of the live file, which has to be whole.
  private mutating func checkLive(
    _ store: SyncedDatabase
  ) throws -> (rows: Set<String>, tables: Set<String>) {
    let (problems, rows, tables) = try store.read { db in
      let names = try db.rows("SELECT name FROM sqlite_schema") { try $0.get(0) as String }
      return (try db.integrityCheck(limit: 1), try Self.rows(db), names)
    }
    if !problems.isEmpty { violations.append("the live file is damaged: \(problems)") }
    if let rows, rows.first != rows.second { violations.append("half a transaction is live") }
    return (rows?.first ?? [], Set(tables))
  }

  /// The rows of a version, which have to be in both tables.
  private mutating func rows(of version: Version, _ store: SyncedDatabase) throws -> Set<String> {
    let path = scene.root.appending("shown.sqlite")
    try store.export(version.id, to: path)
    defer { try? files.unlink(path) }
    if let rows = known.rows[version.content] { return rows }
    let connection = try Connection(
      path: path, Connection.Options(mode: .readOnly, immutable: true, guardPolicy: .privateCopy))
    defer { connection.close() }
    guard try connection.integrityCheck(limit: 1).isEmpty else {
      violations.append("the version \(version.id.short) is damaged")
      return []
    }
    guard let (first, second) = try Self.rows(connection) else { return [] }
    // A state that a journal without a mark undoes can look whole; then it is a version.
    let isUndone = verb?.runsPrograms == true && version.note == "undone by a journal"
    if first != second, !isUndone {
      violations.append("half a transaction in \(version.id.short): \(first) and \(second)")
    }
    known.rows[version.content] = first
    return first
  }

  /// The rows of both tables; nil before they are made.
  private static func rows(_ db: Connection) throws -> (first: Set<String>, second: Set<String>)? {
    let isOurs = try db.value("SELECT count(*) FROM sqlite_schema WHERE name = 'u'") ?? 0
    guard isOurs == 1 else { return nil }
    let first = Set(try db.rows("SELECT v FROM t") { try $0.get(0) as String })
    return (first, Set(try db.rows("SELECT v FROM u") { try $0.get(0) as String }))
  }

  /// Nobody else's file has changed, and nothing is left that only a person could remove.
  private mutating func checkOthers() {
    for path in [scene.outside.appending("letter"), scene.folder.appending("notes.txt")]
    where (try? files.readSmall(path, limit: 100)) != Array("not ours".utf8) {
      violations.append("\(path.lastComponent?.string ?? "") is not what it was")
    }
    let own: Set = ["openwo.sqlite", "openwo.sqlite.openwo", "notes.txt"]
    let names = (try? files.list(scene.folder).map(\.string)) ?? []
    let left = names.filter { !own.contains($0) }
    if !left.isEmpty { violations.append("left in the folder: \(left.sorted())") }
    let beneath = (try? Disk.listing(of: scene.disk))?.keys.filter {
      $0.contains(".~openwo-") || $0.contains("-journal")
        || $0.contains("/scratch/") && Disk.name(of: $0).utf8.count < 64
    }
    if let beneath, !beneath.isEmpty { violations.append("left behind: \(beneath.sorted())") }
  }

  /// Going on once more changes nothing in the folder.
  private mutating func checkRest() throws {
    let before = try listing()
    clock.advance(milliseconds: 120_000)
    try goOn().close()
    let after = try listing()
    guard before != after else { return }
    let paths = Set(before.keys).union(after.keys).filter { before[$0] != after[$0] }
    violations.append("the second recovery changes \(paths.sorted())")
  }

  /// Every file by its inode, its size and its mtime; reading a journal as root changes its ctime.
  private func listing() throws -> [String: [Int64]] {
    try Disk.listing(of: scene.folder).filter { $0.value.kind != .directory }.mapValues {
      [Int64($0.inode), $0.size, $0.mtime]
    }
  }

  /// The store takes a write.
  private mutating func checkUse() throws {
    let store = try open()
    try store.write { db in try db.execute("CREATE TABLE IF NOT EXISTS afterwards(v)") }
    try store.close()
    guard try open().status().state == .synced else {
      violations.append("a write afterwards does not lead to rest")
      return
    }
  }
}

/// The contents that were read; one cache for each thread.
final class KnownContents {
  var rows: [ContentHash: Set<String>] = [:]
}
