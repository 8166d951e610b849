import OpenWOFiles
import OpenWOHistory
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// Files that the service names and has not brought.
struct NotDownloadedTests {
  private let files = FileSystem()
  private let service = ScriptedFolder()

  private func configuration(_ rig: Rig) -> Configuration {
    var configuration = rig.configuration("phone")
    configuration.folderService = service
    return configuration
  }

  private func open(_ rig: Rig) throws -> SyncedDatabase {
    try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration(rig))
  }

  private func message(_ body: () throws -> Void) -> String? {
    do {
      try body()
      return nil
    } catch {
      return (error as? StoreError).map { "\($0.code): \($0.message)" }
    }
  }

  @Test(arguments: [true, false])
  func `a database that was not downloaded is asked for, and never put back or made`(
    hasOldName: Bool
  ) throws {
    let rig = try Rig()
    try rig.start()
    let store = try open(rig)
    let database = rig.database("phone")
    let away = rig.place.root.appending("away")
    try files.rename(database, to: away)
    let placeholder = rig.folder("phone").appending(".openwo.sqlite.icloud")
    if hasOldName {
      try AtomicFile.write([1], to: placeholder, fileSystem: files)
    } else {
      service.script.withLock { $0.notDownloaded = [database] }
    }
    rig.clock.advance(milliseconds: 3_600_000)
    let said =
      "unavailable: \(database) has not been downloaded to this device yet; nothing was "
      + "changed, your data is safe"
    #expect(message { _ = try store.read { _ in } } == said)
    #expect(message { try store.write { _ in } } == said)
    #expect(message { _ = try store.reconcile() } == said)
    #expect(message { _ = try store.status() } == said)
    #expect(
      message {
        _ = try SyncedDatabase.initialize(
          path: database.string, create: true, configuration: configuration(rig))
      } == said)
    #expect(try files.statusIfPresent(database) == nil)
    #expect(service.script.withLock { Set($0.downloads) } == [database])
    try files.rename(away, to: database)
    if hasOldName { try files.unlink(placeholder) }
    service.script.withLock { $0.notDownloaded = [] }
    #expect(
      try store.read { try $0.rows("SELECT v FROM t") { try $0.get(0) as String } } == ["one"])
    try store.close()
  }

  @Test(arguments: ["store.json", "locks/0123456789abcdef.json"])
  func `without a file that may forbid it nothing is written`(file: String) throws {
    let rig = try Rig(["phone"])
    try rig.start()
    let store = try open(rig)
    let path = rig.companion("phone").pushing(FilePath(file))
    service.script.withLock { $0.notDownloaded = [path] }
    #expect(throws: StoreError.self) {
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    }
    #expect(service.script.withLock { Set($0.downloads) } == [path])
    #expect(throws: StoreError.self) { try store.close() }
    try rig.place.sqlite3("PRAGMA locking_mode = exclusive; BEGIN EXCLUSIVE", rig.database("phone"))
  }

  @Test func `a device's file that was not downloaded stops nothing, and is asked for`() throws {
    let rig = try Rig()
    try rig.start()
    let store = try open(rig)
    let devices = rig.companion("phone").appending("devices")
    let own = "\(try store.core.with { $0.device.id }).json"
    let name = try #require(try files.list(devices) { $0.string != own }.first)
    let placeholder = try #require(FilePath(".\(name.string).icloud").lastComponent)
    try files.unlink(devices.appending(name))
    try AtomicFile.write([1], to: devices.appending(placeholder), fileSystem: files)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    #expect(service.script.withLock { Set($0.downloads) } == [devices.appending(name)])
    #expect(try store.core.with { try $0.coordinator.readableDevices().unread } != nil)
    #expect(try !store.core.with { try VersionDetector(store: $0).isAlone($0.versions.listed()) })
    try store.close()
  }

  @Test func `versions that were not downloaded are neither gone nor known`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "two")
    let store = try open(rig)
    let versions = rig.companion("phone").appending("versions")
    let names = try files.list(versions)
    let away = rig.place.root.appending("away")
    try files.makeDirectories(away)
    for name in names {
      try files.rename(versions.appending(name), to: away.appending(name))
      let placeholder = FilePath(".\(name.string).icloud").lastComponent
      try AtomicFile.write([1], to: versions.appending(#require(placeholder)), fileSystem: files)
    }
    rig.clock.advance(milliseconds: 60_000)
    #expect(message { _ = try store.reconcile() }?.contains("has not been downloaded") == true)
    #expect(message { _ = try store.status() }?.contains("has not been downloaded") == true)
    #expect(try files.list(versions) { !$0.string.hasSuffix(".icloud") }.isEmpty)
    #expect(service.script.withLock { Set($0.downloads) } == Set(names.map(versions.appending)))
    for name in names {
      try files.rename(away.appending(name), to: versions.appending(name))
      let placeholder = try #require(FilePath(".\(name.string).icloud").lastComponent)
      try files.unlink(versions.appending(placeholder))
    }
    rig.clock.advance(milliseconds: 3_600_000)
    #expect(try !store.reconcile().outcome.isUnsettled)
    try store.close()
  }
}
