import Foundation
import OpenWO
import OpenWOFiles
import SystemPackage
import Testing

/// Devices that make a store each, and a service that connects their folders part by part.
final class Pair {
  let rig: Rig
  private let files = FileSystem()
  private let policy: SettlePolicy
  /// How often each device was told that stores were joined.
  private var told: [String: Int] = [:]
  private var conflicts = 0

  init(policy: SettlePolicy, seeds: String) throws {
    self.policy = policy
    rig = try Rig([])
    for device in ["phone", "mac"] { try begin(device, seeds) }
  }

  /// Makes a store of its own on a device.
  func begin(_ device: String, _ seeds: String) throws {
    try rig.add(device)
    rig.clock.advance(milliseconds: 60_000)
    try rig.place.sqlite3(seeds, rig.database(device))
    var configuration = rig.configuration(device)
    configuration.settling = policy
    _ = try SyncedDatabase.initialize(
      path: rig.database(device).string, configuration: configuration)
  }

  func write(_ device: String, _ values: String...) async throws {
    for value in values {
      try await on(device) { store in
        try store.write { try $0.execute("INSERT INTO t(v) VALUES(?)", value) }
      }
    }
  }

  func run(_ device: String, _ sql: String) async throws {
    try await on(device) { store in try store.write { try $0.execute(sql) } }
  }

  func look(_ device: String) async throws { try await on(device) { _ = try $0.reconcile() } }

  func rows(_ device: String) async throws -> [String] {
    try await on(device) { store in
      try store.read { try $0.rows("SELECT v FROM t ORDER BY v") { try $0.get(0) as String } }
    }
  }

  func status(_ device: String) async throws -> StoreStatus {
    try await on(device) { try $0.status() }
  }

  /// How many versions a device has.
  func history(_ device: String) async throws -> Int {
    try await on(device) { try $0.history().count }
  }

  func exercises(_ device: String) async throws -> [String] {
    try await on(device) { store in
      try store.read {
        try $0.rows("SELECT id || ' ' || name FROM exercise ORDER BY id") {
          try $0.get(0) as String
        }
      }
    }
  }

  @discardableResult
  private func on<Result>(
    _ device: String, _ body: (SyncedDatabase) throws -> Result
  ) async throws -> Result {
    rig.clock.advance(milliseconds: 20_000)
    let (result, events) = try open(device, body)
    for await event in events {
      if case .joined = event { told[device, default: 0] += 1 }
    }
    return result
  }

  /// Opens a device's store and releases it, which ends its events.
  private func open<Result>(
    _ device: String, _ body: (SyncedDatabase) throws -> Result
  ) throws -> (Result, AsyncStream<StoreEvent>) {
    let (store, events) = try SyncedDatabase.listening(
      at: rig.database(device), configuration: rig.configuration(device))
    let result = try body(store)
    try store.close()
    return (result, events)
  }

  /// Lets the service bring one part from each device to the other one; both have the winner's file then, and the other's under the service's
  /// name for a conflict.
  func connect(
    _ part: BeganApartTests.Part, _ one: String = "phone", _ other: String = "mac", winner: String
  ) throws {
    let loser = winner == one ? other : one
    switch part {
    case .versions: try share(one, other)
    case .manifest:
      try clash(
        rig.companion(loser).appending("store.json"), rig.companion(winner).appending("store.json"),
        "store.sync-conflict-2026112\(conflicts)-071500-ABCDEFG.json")
    case .live:
      try clash(
        rig.database(loser), rig.database(winner),
        "openwo.sync-conflict-2026112\(conflicts)-071500-ABCDEFG.sqlite")
    }
    rig.clock.advance(milliseconds: 20_000)
  }

  private func clash(_ loser: FilePath, _ winner: FilePath, _ name: String) throws {
    conflicts += 1
    for file in [winner, loser] {
      try rig.copy(loser, file.removingLastComponent().appending(name + ".part"))
    }
    for file in [winner, loser] {
      let folder = file.removingLastComponent()
      try files.rename(folder.appending(name + ".part"), to: folder.appending(name))
    }
    try rig.copy(winner, loser)
  }

  /// Carries files of versions and devices, which have names of their own, and the newest `store.json`.
  private func share(_ one: String, _ other: String) throws {
    for (from, to) in [(one, other), (other, one)] {
      for part in ["versions", "devices"] {
        for name in try files.list(rig.companion(from).appending(part)) {
          let target = rig.companion(to).appending(part).appending(name)
          guard try files.statusIfPresent(target) == nil else { continue }
          try rig.copy(rig.companion(from).appending(part).appending(name), target)
        }
      }
    }
  }

  /// Brings the version that a device made last, without those that it was made from.
  func bringNewest(from one: String, to other: String) throws {
    let folder = rig.companion(one).appending("versions")
    let newest = try files.list(folder).max {
      try files.lstat(folder.appending($0)).mtime < files.lstat(folder.appending($1)).mtime
    }
    guard let newest else { return }
    try rig.copy(
      folder.appending(newest), rig.companion(other).appending("versions").appending(newest))
  }

  /// Lets everything settle.
  func settle() async throws {
    for _ in 0..<4 {
      for one in rig.devices {
        for other in rig.devices where other != one {
          guard try areConnected(one, other) else { continue }
          try share(one, other)
          try shareManifest(one, other)
        }
      }
      for device in rig.devices { try await look(device) }
    }
  }

  /// Whether a device has been connected with another one: they share versions then.
  private func areConnected(_ one: String, _ other: String) throws -> Bool {
    let names = try [one, other].map {
      Set(try files.list(rig.companion($0).appending("versions")).map(\.string))
    }
    return !names[0].isDisjoint(with: names[1])
  }

  private func shareManifest(_ one: String, _ other: String) throws {
    let paths = [one, other].map { rig.companion($0).appending("store.json") }
    let times = try paths.map { try files.lstat($0).mtime }
    guard try rig.place.bytes(paths[0]) != rig.place.bytes(paths[1]) else { return }
    let newer = times[0] < times[1] ? 1 : 0
    try rig.copy(paths[newer], paths[1 - newer])
  }

  func copyTree(_ from: FilePath, _ to: FilePath) throws {
    try FileManager.default.copyItem(atPath: from.string, toPath: to.string)
  }

  func expectOne(
    _ expected: [String], _ comment: String, sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    var manifests: Set<[UInt8]> = []
    var contents: Set<[UInt8]> = []
    for device in rig.devices {
      let comment: Comment = "\(comment): \(device)"
      let found = try await rows(device)
      #expect(found == expected.sorted(), comment, sourceLocation: sourceLocation)
      let status = try await on(device) { try $0.status() }
      #expect(
        status.state == .synced && status.joined != nil, comment, sourceLocation: sourceLocation)
      let names = try files.list(rig.companion(device)).map(\.string).filter {
        $0.hasPrefix("store")
      }
      #expect(names == ["store.json"], comment, sourceLocation: sourceLocation)
      try manifests.insert(rig.place.bytes(rig.companion(device).appending("store.json")))
      try contents.insert(rig.place.bytes(rig.database(device)))
      #expect(told[device] == 1, comment, sourceLocation: sourceLocation)
    }
    #expect(manifests.count == 1, "\(comment): one store id", sourceLocation: sourceLocation)
    #expect(contents.count == 1, "\(comment): one content", sourceLocation: sourceLocation)
  }
}
