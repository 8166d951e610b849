import Foundation
package import OpenWO
import OpenWOFiles
import OpenWOTestSupport
package import SystemPackage

/// A device with a synced folder, its state folder and other people's files, and a second device that versions come from.
///
/// Everything that a verb may change is below `disk`. An acknowledged row is in `kept`; each write
/// puts its row into two tables, so that half a transaction shows.
package final class Scene {
  package let root: FilePath
  let tools: Tools
  let clock: ManualClock
  /// The rows that must never be lost.
  var kept: Set<String> = []
  /// Those of them that another program wrote, and that no openwo has told anybody of.
  private(set) var unseen: Set<String> = []
  /// The rows of writes that failed, each with the code of the error; they must never be anywhere.
  var refused: [String: String] = [:]
  /// The id of a lock that another device has.
  var foreignLock: String?
  /// How many writes lie behind, and how much they change.
  private(set) var history: SeededRandom
  private let beginnings: Beginnings?
  private let files = FileSystem()

  static let schema = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT UNIQUE, pad TEXT);
    CREATE TABLE u(id INTEGER PRIMARY KEY, v TEXT UNIQUE);
    CREATE TABLE filler(id INTEGER PRIMARY KEY, b BLOB);
    INSERT INTO filler(b) VALUES(randomblob(3000)),(randomblob(3000)),(randomblob(3000)),(randomblob(3000));
    INSERT INTO t(v) VALUES('first'); INSERT INTO u(v) VALUES('first');
    """

  /// With `beginnings`, what ``start(_:)`` makes is made once for each of them, and is a copy from then on.
  package init(
    _ folder: FilePath, _ tools: Tools, history: UInt64 = 0, _ beginnings: Beginnings? = nil
  ) throws {
    root = folder.appending("scene-\(randomHex(bytes: 8))")
    self.tools = tools
    self.history = SeededRandom(seed: history)
    self.beginnings = beginnings
    clock = ManualClock(now: SystemClock().now() - 240_000)
    for path in [self.folder, outside, self.folder(of: "mac")] { try files.makeDirectories(path) }
    try Data("not ours".utf8).write(to: URL(fileURLWithPath: outside.appending("letter").string))
    try Data("not ours".utf8).write(
      to: URL(fileURLWithPath: self.folder.appending("notes.txt").string))
  }

  deinit { try? FileManager.default.removeItem(atPath: root.string) }

  var disk: FilePath { root.appending("disk") }
  /// The files on the disk when a verb began, by their numbers there.
  var drawer: FilePath { root.appending("drawer") }
  var folder: FilePath { folder(of: "phone") }
  var outside: FilePath { disk.appending("outside") }
  var database: FilePath { folder.appending("openwo.sqlite") }
  var companion: FilePath { folder.appending("openwo.sqlite.openwo") }
  var state: FilePath { state(of: "phone") }
  var local: FilePath { outside.appending("local.sqlite") }

  private func place(of device: String) -> FilePath {
    device == "phone" ? disk : root.appending(device)
  }
  func folder(of device: String) -> FilePath { place(of: device).appending("Training") }
  func state(of device: String) -> FilePath { place(of: device).appending("state") }
  func database(of device: String) -> FilePath { folder(of: device).appending("openwo.sqlite") }

  /// The environment of every program of the device.
  var variables: [String: String] {
    [
      "OPENWO_STATE_DIR": state.string, "OPENWO_DEVICE_NAME": "phone", "HOME": outside.string,
      "TZ": "UTC", "OPENWO_DB": database.string,
    ]
  }

  /// The variables that make the shim watch this scene.
  func shimmed(_ more: [String: String]) -> [String: String] {
    variables.merging([
      "LD_PRELOAD": tools.shim.string, "OPENWO_SHIM_ROOT": disk.string,
    ]) { _, new in new }.merging(more) { _, new in new }
  }
}

/// Preparations before a verb.
extension Scene {
  func configuration(_ device: String = "phone") -> Configuration {
    var configuration = Configuration()
    configuration.stateFolder = state(of: device)
    configuration.deviceName = device
    configuration.monitors = false
    configuration.clock = clock
    return configuration
  }

  func open(_ device: String = "phone") throws -> SyncedDatabase {
    try SyncedDatabase(path: database(of: device).string, configuration: configuration(device))
  }

  /// Opens a device's store, does something, publishes and closes.
  @discardableResult
  func on<Result>(_ device: String, _ body: (SyncedDatabase) throws -> Result) throws -> Result {
    clock.advance(milliseconds: 5_000)
    let store = try open(device)
    let result = try body(store)
    try store.close()
    return result
  }

  /// Makes a database that is not a store yet.
  func makeDatabase() throws {
    try sqlite3(Self.schema)
    kept.insert("first")
  }

  /// A store with a few versions, known on both devices.
  func start(_ settling: SettlePolicy? = nil) throws {
    if let beginning = beginnings?.made[settling] {
      try begin(with: beginning)
      return
    }
    try makeStore(settling)
    try beginnings?.made[settling] = Beginnings.Beginning(
      disk: Disk(root), kept: kept, history: history, now: clock.now())
  }

  private func begin(with beginning: Beginnings.Beginning) throws {
    try beginning.disk.materialize(at: root, from: drawer)
    (kept, history) = (beginning.kept, beginning.history)
    clock.advance(milliseconds: max(0, beginning.now - clock.now()))
    // Each takes note of its files, which are others now.
    try on("mac") { _ in }
    try on("phone") { _ in }
  }

  private func makeStore(_ settling: SettlePolicy?) throws {
    try makeDatabase()
    var configuration = configuration()
    configuration.settling = settling
    _ = try SyncedDatabase.initialize(path: database.string, configuration: configuration)
    for number in 0...history.below(4) { try write("early-\(number)") }
    try deliver("phone", "mac")
    try on("mac") { _ in }
    try deliver("mac", "phone", live: false)
    try on("phone") { _ in }
  }

  func write(_ row: String, _ device: String = "phone") throws {
    let size = 100 + history.below(3) * 1500
    try on(device) { store in
      try store.write { db in try Self.insert(row, size, db) }
    }
    kept.insert(row)
  }

  /// One transaction of an app: it changes several pages.
  package static func insert(_ row: String, _ size: Int, _ db: Connection) throws {
    try db.execute("INSERT INTO t(v, pad) VALUES(?, ?)", row, String(repeating: "x", count: size))
    try db.execute("UPDATE filler SET b = randomblob(3000) WHERE id % 2 = 0")
    try db.execute("INSERT INTO u(v) VALUES(?)", row)
  }

  /// Takes note of a row that another program has written and nobody has seen.
  func noteOutside(_ row: String) {
    kept.insert(row)
    unseen.insert(row)
  }

  static func editing(_ row: String) -> String {
    """
    BEGIN; INSERT INTO t(v) VALUES('\(row)'); UPDATE filler SET b = randomblob(3000) WHERE id = 3;
    INSERT INTO u(v) VALUES('\(row)'); COMMIT
    """
  }

  /// Runs SQL with the shell, as another program of the person's.
  func sqlite3(_ sql: String, _ path: FilePath? = nil) throws {
    let done = try Child.run(["sqlite3", (path ?? database).string, sql])
    guard done.end == .exited(0) else { throw Failure("sqlite3: \(done.output)") }
  }

  /// Carries the companion's files from one device to another, and the live file.
  func deliver(_ from: String, _ to: String, live: Bool = true) throws {
    let (source, target) = (folder(of: from), folder(of: to))
    let own = "\(try open(to, ifThere: { try $0.status().device.id }) ?? "").json"
    for part in ["", "versions", "devices", "locks"] {
      let path = FilePath("openwo.sqlite.openwo").appending(part)
      guard try files.statusIfPresent(source.pushing(path)) != nil else { continue }
      try files.makeDirectories(target.pushing(path), mode: 0o755)
      for name in try files.list(source.pushing(path)) where name.string != own {
        let file = path.appending(name)
        guard try files.lstat(source.pushing(file)).kind == .regular else { continue }
        try copy(source.pushing(file), target.pushing(file))
      }
    }
    if live { try copy(database(of: from), database(of: to)) }
  }

  private func open<Result>(
    _ device: String, ifThere body: (SyncedDatabase) throws -> Result
  ) throws -> Result? {
    let manifest = folder(of: device).appending("openwo.sqlite.openwo").appending("store.json")
    guard try files.statusIfPresent(manifest) != nil else { return nil }
    var configuration = configuration(device)
    configuration.opensAsFound = true
    return try body(
      SyncedDatabase(path: database(of: device).string, configuration: configuration))
  }

  func copy(_ from: FilePath, _ to: FilePath) throws {
    let (source, status) = try files.openRegular(from)
    // As services do it: what takes the name has its time already.
    let incoming = root.appending("incoming-\(randomHex(bytes: 4))")
    try AtomicFile.write(
      to: incoming, permissions: status.mode & 0o777, durable: false, fileSystem: files
    ) { try $0.append(contentsOf: source) }
    try files.setTimes(incoming, modified: status.mtime)
    try files.rename(incoming, to: to)
  }

  /// Runs a program of this device that is killed at a call; what it had acknowledged is kept.
  func killed(_ words: [String], at call: String) throws {
    let done = try Child.run(words, shimmed(["OPENWO_SHIM_FAIL": "\(call):0:once"]))
    guard done.end == .signalled(SIGKILL) else {
      throw Failure("\(words) was not killed at \(call): \(done)")
    }
    note(told: done.output)
  }

  /// Takes note of the rows that a writer has told; nobody knows of one in doubt.
  func note(told output: String) {
    for line in output.split(separator: "\n") {
      let words = line.split(separator: " ").map(String.init)
      switch (words.first, words.count) {
      case ("ack", 2): kept.insert(words[1])
      case ("not", 3) where words[2] != "inDoubt": refused[words[1]] = words[2]
      default: break
      }
    }
  }
}

/// Stores as they are when a verb's scene begins; one for each thread.
package final class Beginnings {
  struct Beginning {
    let disk: Disk
    let kept: Set<String>
    let history: SeededRandom
    let now: Int64
  }

  var made: [SettlePolicy?: Beginning] = [:]

  package init() {}
}
