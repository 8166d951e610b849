@_exported public import OpenWOApp
import OpenWOFiles
import SystemPackage

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// Several devices of one person in a temporary folder, with a fake service between their folders.
///
/// ```swift
/// let devices = try TestDevices()
/// try await devices.on("phone", profile) { app in
///   try app.database.write { try $0.execute("INSERT INTO todo (title) VALUES ('milk')") }
/// }
/// try devices.service.carry()
/// let count = try await devices.on("mac", profile) { app in
///   try app.database.read { try $0.value("SELECT count(*) FROM todo", as: Int.self) }
/// }
/// ```
///
/// Nothing happens by itself: no background thread runs, the clock moves only by its own calls and
/// the service's, and files move only when ``FakeService/carry(_:)`` is called. The folder is removed
/// with the last reference.
public final class TestDevices: Sendable {
  /// The temporary folder, in memory if the machine offers that.
  public let root: URL
  /// The clock of all devices.
  public let clock: TestClock
  /// The service that connects the devices' synced folders.
  public let service: FakeService
  /// The names of the devices.
  public let names: [String]

  /// Makes devices with an empty synced folder each.
  ///
  /// - Throws: An error of the file system.
  public init(
    _ names: [String] = ["phone", "mac"], conflictNames: FakeService.ConflictNames = .syncthing
  ) throws {
    // In memory if possible: fsync costs nothing there.
    let memory: FilePath = "/dev/shm"
    let files = FileSystem()
    let top =
      try files.statusIfPresent(memory) == nil
      ? FilePath(FileManager.default.temporaryDirectory.path) : memory
    let path = try files.realpath(top).appending("openwo-test-\(UUID())")
    root = URL(filePath: path.string)
    clock = TestClock()
    self.names = names
    service = FakeService(root, names, clock, conflictNames)
    for name in names {
      try FileManager.default.createDirectory(
        at: folder(name), withIntermediateDirectories: true)
    }
    try FileManager.default.createDirectory(at: root, withIntermediateDirectories: true)
  }

  deinit { try? FileManager.default.removeItem(at: root) }

  /// A device's synced folder.
  public func folder(_ device: String) -> URL { FakeService.folder(device, in: root) }

  /// The folder for an app's data that is on a device alone.
  public func data(_ device: String) -> URL { root.appending(path: "data-\(device)") }

  /// A device's memory of stores and settings.
  public func state(_ device: String) -> URL { root.appending(path: "state-\(device)") }

  /// How a device opens a store: the app's own configuration on this device, with this clock.
  public func configuration(
    _ device: String, _ configuration: Configuration = Configuration()
  ) -> Configuration {
    var configuration = configuration
    configuration.stateFolder = FilePath(state(device).path)
    configuration.deviceName = device
    configuration.monitors = false
    configuration.clock = clock.manual
    return configuration
  }

  /// Opens the database with this name in a device's synced folder, and creates it if it is missing.
  ///
  /// - Throws: `StoreError`, as `SyncedDatabase.open`.
  public func open(
    _ device: String, _ file: String, _ configuration: Configuration = Configuration()
  ) throws -> SyncedDatabase {
    try SyncedDatabase.open(
      folder(device).appending(path: file).path, .createIfMissing,
      self.configuration(device, configuration))
  }

  /// The places of an app on a device, for `AppStore.open`; the network is there.
  public func places(_ device: String) -> AppPlaces {
    var places = AppPlaces(syncFolder: folder(device).path)
    places.dataFolder = data(device).path
    places.configuration = configuration(device)
    places.networkProbe = FixedNetwork(.online)
    // A machine that is busy with other tests must not look like a dead file server.
    places.probeLimit = .seconds(60)
    return places
  }

  /// Opens an app on a device, does something, and closes it, as a person does; five seconds pass.
  ///
  /// - Throws: `StoreError` of opening and closing, and what the body throws.
  @discardableResult
  public func on<Result: Sendable>(
    _ device: String, _ profile: AppProfile, _ body: (AppStore) async throws -> Result
  ) async throws -> Result {
    clock.advance(by: .seconds(5))
    let app = try await AppStore.open(profile, places(device))
    _ = await app.attachment()
    let result = try await body(app)
    try await app.close()
    return result
  }

  /// Does once what the background thread of an open store does: publishes what is due by the clock,
  /// takes in arrivals, yields to locks.
  ///
  /// - Throws: `StoreError`, which the background thread would send as an event.
  public func runBackground(of store: SyncedDatabase) throws {
    try store.lookOnce()
  }

  /// Removes a device's own files, as deleting the app or buying a new device does; the synced
  /// folder is empty until the service fills it.
  ///
  /// - Throws: An error of the file system.
  public func wipe(_ device: String) throws {
    for url in [folder(device), data(device), state(device)] {
      try? FileManager.default.removeItem(at: url)
    }
    service.forget(device)
    try FileManager.default.createDirectory(at: folder(device), withIntermediateDirectories: true)
  }

  /// The names in a folder, sorted.
  ///
  /// - Throws: An error of the file system.
  public func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }
}
