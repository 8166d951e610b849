import Corpora
import Foundation
import OpenWO
import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage

/// Something that must not be.
struct Violation: Error, Sendable, CustomStringConvertible {
  var description: String

  /// The broken invariant, without device and rows.
  var kind: Substring { description.prefix { $0 != ":" } }
}

/// A whole run: devices with real folders and stores, and a service that moves real files between them.
final class World {
  let scenario: Scenario
  let root: FilePath
  let clock = ManualClock(now: VirtualTimes.start)
  var devices: [Device] = []
  var cloud = Cloud()
  var copies = 0
  var rowCount = 0
  let contents = Contents()
  /// The rows that the database had at some moment, everywhere.
  var states: Set<Rows> = []
  /// Contents that the service left half-written before anybody could tell.
  var torn: Set<ContentHash> = []
  /// Contents that the service left half-written of versions that the device had: it can tell as long as it has them.
  var mixes: Set<ContentHash> = []
  /// Whether a torn content became a version.
  var isTorn = false
  /// The rows of which a half-written version has one half, as may all of its descendants.
  var halves = Rows()
  /// Whether a program wrote into what the service had written in place under a lock.
  var isEditedOverService = false
  /// Whether a merge that was asked for said that it decided against a row.
  var isDecided = false
  /// The versions that were looked at.
  var judged: Set<VersionID> = []
  /// Rows that a write took back, as it said.
  var failed = Rows()
  /// The story in words; nil: not recorded.
  var story: [String]?

  private static let schema = """
    CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT);
    CREATE TABLE filler(id INTEGER PRIMARY KEY, b TEXT);
    INSERT INTO filler(b) VALUES(printf('%.3000c', 'a')),(printf('%.3000c', 'b')),
      (printf('%.3000c', 'c')),(printf('%.3000c', 'd'));
    CREATE TABLE u(id INTEGER PRIMARY KEY, v TEXT);
    """

  init(_ scenario: Scenario) throws {
    self.scenario = scenario
    let files = FileSystem()
    let top: FilePath = try files.statusIfPresent("/dev/shm") == nil ? "/tmp" : "/dev/shm"
    root = try files.realpath(top).appending("openwo-filesim-\(randomHex(bytes: 8))")
    try files.makeDirectories(root.appending("service"))
    for place in 0..<scenario.devices {
      devices.append(try Device(place, in: root, scenario, clock))
    }
    try start()
  }

  deinit {
    for device in devices { device.store = nil }
    try? FileManager.default.removeItem(atPath: root.string)
  }

  /// One device makes the store; all have it.
  private func start() throws {
    let first = devices[0]
    let connection = try Connection(
      path: first.live, Connection.Options(mode: .create, guardPolicy: .privateCopy))
    try connection.executeScript(Self.schema)
    connection.close()
    states.insert(Rows())
    _ = try SyncedDatabase.initialize(
      path: first.live.string, configuration: first.configuration)
    for device in devices {
      try drain()
      try device.opened().close()
      device.store = nil
    }
    try drain()
    clock.advance(milliseconds: 10_000)
  }

  /// Does a step and checks what must hold after it.
  func apply(_ step: Step) throws {
    clock.advance(milliseconds: Int64(1 + step.number % 20))
    let device = devices[step.device % devices.count]
    tell("\(step)")
    var random = SeededRandom(seed: step.number)
    switch step.kind {
    case .up: try takeChange(of: device, &random)
    case .down: try bringChange(to: device, &random)
    case .complete: try complete(on: device, &random)
    case .late: try bringOld(to: device, &random)
    case .remove: try takeAway(from: device, &random)
    case .edit: try edit(device)
    case .editInWAL: try editInWAL(device)
    case .tick:
      let times: [Int64] = [5, 50, 300, 1_000, 2_500, 6_000, 70_000, 700_000]
      clock.advance(milliseconds: times[random.number(0...7)])
    case .clock:
      let day: Int64 = 86_400_000
      let skews = [0, 0, 20_000, -20_000, 240_000, -240_000, day, -day, 3650 * day, -3650 * day]
      device.clock.setSkew(skews[random.number(0...9)])
    default: try act(step.kind, device, &random)
    }
    try check(device)
  }

  func tell(_ text: @autoclosure () -> String) {
    guard story != nil else { return }
    story?.append("\(clock.now() - VirtualTimes.start) \(text())")
  }

  /// A row that nobody has used.
  func newRow() -> Int? {
    guard rowCount < Rows.limit else { return nil }
    rowCount += 1
    return rowCount - 1
  }

  /// One transaction: a row in two tables, and pages between them.
  static func insert(_ row: Int, _ db: Connection) throws {
    let word = Contents.word(row)
    try db.execute("INSERT INTO t(v) VALUES(?)", word)
    try db.execute(
      "UPDATE filler SET b = ? WHERE id = ?", String(repeating: word, count: 300), 1 + row % 4)
    try db.execute("INSERT INTO u(v) VALUES(?)", word)
  }
}

/// Other programs.
extension World {
  /// Whether the live file is what somebody meant to write: nobody edits a file that is half there.
  private func isEditable(_ device: Device) -> Bool {
    guard let bytes = device.bytes(Device.database) else { return false }
    let (content, facts) = contents.facts(of: bytes)
    return facts.isWhole && facts.isConsistent && states.contains(facts.rows)
      && !torn.contains(content) && !device.arrivals.contains { $0.path == Device.database }
  }

  private func edit(_ device: Device) throws {
    guard isEditable(device), let row = newRow() else { return }
    do {
      let connection = try Connection(
        path: device.live,
        Connection.Options(mode: .readWrite, guardPolicy: .privateCopy, busyTimeout: .zero))
      defer { connection.close() }
      try connection.transaction { try Self.insert(row, connection) }
    } catch let error as SQLiteError {
      // As with a database in WAL mode, which this connection refuses.
      guard error.code == .cannotOpen || error.code == .busy else { throw error }
      return
    }
    try noteEdit(row, device)
  }

  private func editInWAL(_ device: Device) throws {
    guard isEditable(device), let row = newRow() else { return }
    let word = Contents.word(row)
    let sql = """
      PRAGMA journal_mode=WAL; BEGIN; INSERT INTO t(v) VALUES('\(word)');
      UPDATE filler SET b = printf('%.2500c', 'w') WHERE id = 2; INSERT INTO u(v) VALUES('\(word)'); COMMIT
      """
    let shell = Process()
    shell.executableURL = URL(fileURLWithPath: "/usr/bin/env")
    shell.arguments = ["sqlite3", device.live.string, sql]
    shell.standardOutput = FileHandle.nullDevice
    try shell.run()
    shell.waitUntilExit()
    guard shell.terminationStatus == 0 else { return }
    try noteEdit(row, device)
  }

  private func noteEdit(_ row: Int, _ device: Device) throws {
    _ = try device.files.statusIfPresent(device.live)
    guard let bytes = device.bytes(Device.database) else { return }
    states.insert(contents.facts(of: bytes).1.rows)
    device.edits.insert(row)
    if device.isOverwrittenUnderLock { isEditedOverService = true }
    tell("\(device.name) edits row \(row)")
  }
}
