import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO

/// What the background thread does while an app pauses, on a clock that is moved.
struct TickTests {
  private let place: Place

  init() throws {
    place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
  }

  private func open(capturing: Capturing = .immediately) throws -> SyncedDatabase {
    var configuration = place.configuration(realTime: false)
    configuration.capturing = capturing
    return try SyncedDatabase(path: place.database.string, configuration: configuration)
  }

  private func tick(_ store: SyncedDatabase, after milliseconds: Int64) throws {
    place.clock.advance(milliseconds: milliseconds)
    _ = try store.core.with { try $0.tick(folderChanged: false) }
  }

  private func write(_ store: SyncedDatabase) throws {
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('x')") }
  }

  @Test func `what waits to be captured is one version as soon as the app pauses`() throws {
    let store = try open(capturing: .whenIdle)
    for _ in 0..<3 {
      try write(store)
      try tick(store, after: 500)
    }
    #expect(try store.history().map(\.version.reason) == [.create])
    try tick(store, after: 1)
    #expect(try store.history().map(\.version.reason) == [.write, .create])
    #expect(try store.core.with { $0.live == nil })
    try store.close()
  }

  @Test func `an app that named its last write has nothing left to do`() throws {
    let store = try open()
    try write(store)
    _ = try store.version(named: "@")
    try tick(store, after: 4_000)
    #expect(try store.core.with { try $0.tick(folderChanged: false) } == nil)
    try store.close()
  }

  @Test func `after a burst the file's time moves once, so that services see the last commit`()
    throws
  {
    let store = try open()
    func time() throws -> Int64 { try FileSystem().lstat(place.database).mtime }
    try write(store)
    try write(store)
    let last = try time()
    try tick(store, after: 2_999)
    #expect(try time() == last)
    try tick(store, after: 1)
    #expect(try time() != last)
    let moved = try time()
    try tick(store, after: 3_000)
    #expect(try time() == moved)
    #expect(try store.history().map(\.version.reason) == [.write, .create])
    try store.close()
  }

  @Test func `the lock of a program that is gone goes, and the app writes on`() throws {
    let store = try open()
    var dead = ProcessIdentity.current
    dead.startTime += 1
    let (paths, device) = try store.core.with { ($0.paths, $0.device) }
    let lock = StoreLock(
      format: 1, id: "0000dead", device: device.id, deviceName: device.name, user: "u", host: "h",
      process: dead, program: "openwo edit", note: nil,
      since: Timestamp(milliseconds: place.clock.now()), until: nil, head: nil, state: .held)
    try FileSystem().makeDirectories(paths.locks)
    try CompanionFile.write(lock, to: paths.lock(device.id), FileSystem())
    try tick(store, after: 1)
    #expect(try FileSystem().statusIfPresent(paths.lock(device.id)) == nil)
    try write(store)
    try store.close()
  }
}
