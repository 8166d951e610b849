import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Several devices, each with a folder of its own, and a service between them that copies files when told to.
final class Rig {
  let place: Place
  let clock: ManualClock
  private let files = FileSystem()
  private(set) var devices: [String] = []
  /// How the devices' configurations settle; nil: as the store says.
  var settling: SettlePolicy?
  /// The rows that a device pins.
  var pinned: [String: [PinnedRows]] = [:]

  init(_ names: [String] = ["phone", "mac"]) throws {
    place = try Place()
    clock = ManualClock(now: SystemClock().now(), notBehind: SystemClock())
    for name in names { try add(name) }
  }

  /// The same devices once more, with copies of all their files.
  init(copying other: Rig) throws {
    place = try Place()
    clock = ManualClock(now: other.clock.now(), notBehind: SystemClock())
    devices = other.devices
    try FileManager.default.removeItem(atPath: place.root.string)
    try FileManager.default.copyItem(
      atPath: other.place.root.string, toPath: place.root.string)
  }

  func add(_ name: String) throws {
    devices.append(name)
    try files.makeDirectories(folder(name))
  }

  func folder(_ device: String) -> FilePath { place.root.appending("folder-\(device)") }
  func database(_ device: String) -> FilePath { folder(device).appending("openwo.sqlite") }
  func companion(_ device: String) -> FilePath { folder(device).appending("openwo.sqlite.openwo") }

  func configuration(_ device: String) -> Configuration {
    var configuration = place.configuration(device)
    configuration.clock = clock
    configuration.settling = settling
    configuration.pinned = pinned[device] ?? []
    return configuration
  }

  /// A database with three rows, made a store on the first device and delivered to all.
  func start(
    _ schema: String =
      "CREATE TABLE t(id INTEGER PRIMARY KEY, v TEXT); INSERT INTO t VALUES(1,'one')"
  ) throws {
    let first = devices[0]
    try place.sqlite3(schema, database(first))
    _ = try SyncedDatabase.initialize(
      path: database(first).string, configuration: configuration(first))
    for other in devices.dropFirst() {
      try deliver(first, other)
      try open(other).close()
      try deliver(other, first, live: false)
    }
    clock.advance(milliseconds: 10_000)
  }

  func open(_ device: String) throws -> SyncedDatabase {
    try SyncedDatabase(path: database(device).string, configuration: configuration(device))
  }

  /// Opens a device's store, does something, publishes and closes.
  @discardableResult
  func on<Result>(_ device: String, _ body: (SyncedDatabase) throws -> Result) throws -> Result {
    clock.advance(milliseconds: 1_000)
    let store = try open(device)
    let result = try body(store)
    try store.close()
    return result
  }

  /// Does something as a command does, which opens the store without a sync.
  @discardableResult
  func command<Result>(_ device: String, _ body: (SyncedDatabase) throws -> Result) throws -> Result
  {
    clock.advance(milliseconds: 1_000)
    var configuration = configuration(device)
    configuration.opensAsFound = true
    let store = try SyncedDatabase(path: database(device).string, configuration: configuration)
    let result = try body(store)
    try store.close()
    return result
  }

  func write(_ device: String, _ value: String) throws {
    try on(device) { store in
      try store.write { try $0.execute("INSERT INTO t(v) VALUES(?)", value) }
    }
  }

  func rows(_ device: String) throws -> [String] {
    try on(device) { store in
      try store.read { try $0.rows("SELECT v FROM t ORDER BY id") { try $0.get(0) as String } }
    }
  }

  /// Carries new companion files from one device to another, and the live file.
  func deliver(_ from: String, _ to: String, live: Bool = true, companion: Bool = true) throws {
    if companion {
      for part in ["", "versions", "devices", "locks"] {
        let source = part.isEmpty ? self.companion(from) : self.companion(from).appending(part)
        let target = part.isEmpty ? self.companion(to) : self.companion(to).appending(part)
        guard try files.statusIfPresent(source) != nil else { continue }
        try files.makeDirectories(target)
        for name in try files.list(source) {
          let path = source.appending(name)
          guard try files.lstat(path).kind == .regular else { continue }
          // Each device's own files travel from it only.
          if ["devices", "locks"].contains(part), !(try owns(from, name)) { continue }
          try copy(path, target.appending(name))
        }
      }
    }
    if live { try copy(database(from), database(to)) }
  }

  private func owns(_ device: String, _ name: FilePath.Component) throws -> Bool {
    let identity = place.root.appending("state-\(device)").appending("device.json")
    let text = String(decoding: try files.readSmall(identity, limit: 4096), as: UTF8.self)
    return text.contains("\"\(name.stem)\"")
  }

  /// The files that a device keeps as evidence under names that begin with a word.
  func evidence(_ device: String, _ word: String) throws -> [[UInt8]] {
    let stores = place.root.appending("state-\(device)").appending("stores")
    return try files.list(stores).flatMap { store in
      let aside = stores.appending(store).appending("quarantine")
      return try files.list(aside) { $0.string.hasPrefix(word + "-") }
        .map { try place.bytes(aside.appending($0)) }
    }
  }

  func copy(_ from: FilePath, _ to: FilePath) throws {
    let (source, status) = try files.openRegular(from)
    try AtomicFile.write(
      to: to, permissions: status.mode & 0o777, durable: false, fileSystem: files
    ) {
      try $0.append(contentsOf: source)
    }
    try files.setTimes(to, modified: status.mtime)
  }

  /// Carries everything in every direction until nothing moves, without live files: those follow from the versions.
  func settle(rounds: Int = 3) throws {
    for _ in 0..<rounds {
      for from in devices {
        for to in devices where to != from { try deliver(from, to, live: false) }
      }
      clock.advance(milliseconds: 10_000)
      for device in devices { try on(device) { _ = try $0.reconcile() } }
    }
  }
}
