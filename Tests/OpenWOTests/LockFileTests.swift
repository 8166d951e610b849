import Corpora
import OpenWOFiles
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO

/// This device's lock file, which all of its processes write and take away.
struct LockFileTests {
  private let place: Place
  private let paths: StorePaths
  private let device = DeviceIdentity(id: "a1b2c3d4e5f6", name: "mac", machine: "m")

  init() throws {
    place = try Place()
    paths = StorePaths(database: place.database, stateRoot: place.root.appending("state-mac"))
    for folder in [paths.locks, paths.devices, paths.state(of: "s").root] {
      try FileSystem().makeDirectories(folder)
    }
    let manifest = StoreManifest(
      format: 1, store: "s", app: "", environment: "production", database: "openwo.sqlite",
      created: Timestamp(milliseconds: 0))
    try CompanionFile.write(manifest, to: paths.manifest, FileSystem())
  }

  private func process(_ files: FileSystem = FileSystem()) -> FileCoordinator {
    FileCoordinator(
      companion: Companion(
        paths: paths, store: "s", files: files.refusingLinks(at: paths.ownFolders)),
      state: paths.state(of: "s"), device: device, clock: place.clock)
  }

  private func lock(_ id: String, of process: ProcessIdentity? = nil) -> StoreLock {
    StoreLock(
      format: 1, id: id, device: device.id, deviceName: device.name, user: "u", host: "h",
      process: process, program: "openwo lock", note: nil,
      since: Timestamp(milliseconds: place.clock.now()), until: nil, head: nil, state: .held)
  }

  private var standing: StoreLock? {
    get throws {
      try CompanionFile.read(StoreLock.self, at: paths.lock(device.id), FileSystem())
    }
  }

  @Test func `removing a dead process's lock never removes the next one`() throws {
    var dead = ProcessIdentity.current
    dead.startTime += 1
    var (number, takings) = (0, 0)
    while true {
      try CompanionFile.write(lock("0000dead", of: dead), to: paths.lock(device.id), FileSystem())
      let isTaken = Mutex(false)
      let ambush = Ambush(before: number) { [self] in
        let other = process()
        guard (try? other.removeLock("0000dead")) != nil else { return }
        isTaken.withLock { $0 = (try? other.publish(lock("11112222"))) != nil }
      }
      let sweeper = process(FileSystem(observer: ambush))
      for (lock, _) in try sweeper.board().ended { try sweeper.removeLock(lock.id) }
      guard ambush.hasActed else { break }
      if isTaken.withLock({ $0 }) {
        takings += 1
        #expect(try standing?.id == "11112222", "before call \(number), \(ambush.call)")
        try process().removeLock("11112222")
      }
      number += 1
    }
    #expect(takings > 1 && takings < number)
    #expect(try standing == nil)
  }

  @Test(arguments: ["", "garbage", "{", "{}"])
  func `a file that is not a lock blocks nobody`(text: String) throws {
    try AtomicFile.write(Array(text.utf8), to: paths.lock(device.id), fileSystem: FileSystem())
    try process().publish(lock("11112222"))
    #expect(try standing?.id == "11112222")
    let refused = #expect(throws: StoreError.self) { try process().publish(lock("33334444")) }
    #expect(refused?.code == .locked)
  }

  @Test func `another device's lock under this device's name blocks nobody`() throws {
    var foreign = lock("0000aaaa")
    foreign.device = "ffffffffffff"
    try CompanionFile.write(foreign, to: paths.lock(device.id), FileSystem())
    try process().publish(lock("11112222"))
    #expect(try standing?.id == "11112222")
  }

  @Test func `a lock that this device has ended stays so without its own record in the folder`()
    throws
  {
    var foreign = lock("0000aaaa")
    foreign.device = "ffffffffffff"
    try CompanionFile.write(foreign, to: paths.lock(foreign.device), FileSystem())
    let own = process()
    #expect(try own.board().effective?.id == "0000aaaa")
    try own.updateOwnRecord { $0.revoke("0000aaaa") }
    #expect(try own.board().effective == nil)
    // The service has taken it away, or has not brought it yet.
    try FileSystem().unlink(paths.device(device.id))
    #expect(try own.board().effective == nil)
    #expect(try process().board().effective == nil)
  }

  @Test func `the end of a lock is recorded durably before others learn of it`() throws {
    let log = CallLog()
    try process(FileSystem(observer: log)).revoke("0000aaaa")
    let (calls, state) = (log.calls, paths.state(of: "s"))
    let noting = try #require(calls.firstIndex { $0.otherPath == state.said })
    let telling = try #require(calls.firstIndex { $0.otherPath == paths.device(device.id) })
    let syncs = calls.indices.filter { calls[$0].kind == .fsync }
    #expect(syncs.contains { $0 < noting && calls[$0].path == calls[noting].path })
    #expect(syncs.contains { (noting..<telling).contains($0) && calls[$0].path == state.root })
  }

  @Test func `everything that two processes of this device record at once is kept`() throws {
    var (number, both) = (0, 0)
    while true {
      let isSaid = Mutex(false)
      let ambush = Ambush(before: number) { [self] in
        isSaid.withLock { $0 = (try? process().revoke("22222222")) != nil }
      }
      try process(FileSystem(observer: ambush)).revoke("11111111")
      guard ambush.hasActed else { break }
      var words: Set = ["11111111"]
      if isSaid.withLock(\.self) {
        words.insert("22222222")
        both += 1
      }
      #expect(try process().revocations() == words, "before call \(number), \(ambush.call)")
      for path in [paths.device(device.id), paths.state(of: "s").said] {
        try? FileSystem().unlink(path)
      }
      number += 1
    }
    #expect(both > 0 && both < number)
  }

  @Test(arguments: ["eeeeeeeeeeee (copy)", "$(id)"])
  func `a file that is not a device file does not end a lock`(name: String) throws {
    try CompanionFile.write(foreign(), to: paths.lock("ffffffffffff"), FileSystem())
    let record = DeviceRecord(
      format: DeviceRecord.currentFormat, id: name == "$(id)" ? name : "eeeeeeeeeeee", name: "old",
      lastSeen: Timestamp(milliseconds: place.clock.now()), acknowledged: [],
      revoked: ["0000aaaa"])
    try CompanionFile.write(record, to: paths.devices.appending(name + ".json"), FileSystem())
    #expect(try process().board().effective?.id == "0000aaaa")
  }

  @Test func `after a lock has ended the next one can be taken`() throws {
    var old = lock("0000aaaa")
    old.until = Timestamp(milliseconds: place.clock.now() - 1)
    try CompanionFile.write(old, to: paths.lock(device.id), FileSystem())
    try process().publish(lock("11112222"))
    #expect(try standing?.id == "11112222")
  }

  @Test func `replacing an ended lock never replaces the next one`() throws {
    var (number, takings) = (0, 0)
    while true {
      var old = lock("0000aaaa")
      old.until = Timestamp(milliseconds: place.clock.now() - 1)
      try CompanionFile.write(old, to: paths.lock(device.id), FileSystem())
      let isTaken = Mutex(false)
      let ambush = Ambush(before: number) { [self] in
        isTaken.withLock { $0 = (try? process().publish(lock("11112222"))) != nil }
      }
      var refused: StoreError?
      do {
        try process(FileSystem(observer: ambush)).publish(lock("33334444"))
      } catch let error as StoreError {
        refused = error
      }
      guard ambush.hasActed else { break }
      let other = isTaken.withLock(\.self)
      #expect(refused?.code == (other ? .locked : nil), "before call \(number)")
      let holder = other ? "11112222" : "33334444"
      #expect(try standing?.id == holder, "before call \(number), \(ambush.call)")
      try process().removeLock(holder)
      takings += other ? 1 : 0
      number += 1
    }
    #expect(takings > 1 && takings < number)
  }

  @Test func `a lock in a folder that was empty for long is seen`() throws {
    place.clock.advance(milliseconds: 1_000)
    let own = process()
    #expect(try own.lockInSight() == nil)
    try CompanionFile.write(foreign(), to: paths.lock("ffffffffffff"), FileSystem())
    #expect(try own.lockInSight()?.id == "0000aaaa")
  }

  /// Two changes of a moment may leave a file or a folder with the same times.
  @Test func `only a file that changed a moment ago is read again`() throws {
    let record = DeviceRecord(
      format: DeviceRecord.currentFormat, id: "ffffffffffff", name: "old",
      lastSeen: Timestamp(milliseconds: 0), acknowledged: [], revoked: [])
    let file = paths.device("ffffffffffff")
    try CompanionFile.write(record, to: file, FileSystem())
    let log = CallLog()
    let own = process(FileSystem(observer: log))
    func areRead() throws -> [Bool] {
      let before = log.calls.count
      #expect(try own.lockInSight() == nil && own.deviceRecords() == [record])
      let calls = log.calls[before...]
      return [
        calls.contains { $0.kind == .list && $0.path == paths.locks },
        calls.contains { $0.kind == .open && $0.path == file },
      ]
    }
    let times = try [paths.locks, file].map { try FileSystem().lstat($0) }
    let latest = times.map { max($0.mtime, $0.ctime) / 1_000_000 }
    place.clock.setWall((latest.min() ?? 0) + 100)
    #expect(try areRead() == [true, true])
    #expect(try areRead() == [true, true])
    place.clock.setWall((latest.max() ?? 0) + 101)
    #expect(try areRead() == [true, true])
    #expect(try areRead() == [false, false])
  }

  private func foreign(_ id: String = "0000aaaa", until: Timestamp? = nil) -> StoreLock {
    var lock = lock(id)
    (lock.device, lock.until) = ("ffffffffffff", until)
    return lock
  }

  /// As some services deliver, and as a copy over a network does.
  @Test(arguments: [false, true])
  func `a lock file written in place counts as soon as it is whole`(
    hadEnded: Bool
  ) throws {
    let (file, whole) = (paths.lock("ffffffffffff"), place.root.appending("whole"))
    if hadEnded {
      let past = Timestamp(milliseconds: place.clock.now() - 1)
      try CompanionFile.write(foreign("0000bbbb", until: past), to: file, FileSystem())
    } else {
      try AtomicFile.write(Array("{".utf8), to: file, fileSystem: FileSystem())
    }
    place.clock.advance(milliseconds: 1_000)
    let own = process()
    #expect(try own.lockInSight() == nil)
    try CompanionFile.write(foreign(), to: whole, FileSystem())
    #expect(place.run(["cp", whole.string, file.string]) == 0)
    #expect(try own.lockInSight()?.id == "0000aaaa")
  }

  @Test(arguments: [Errno.permissionDenied, .notPermitted, .ioError])
  func `an unreadable lock file does not count as missing`(error: Errno) throws {
    try CompanionFile.write(foreign(), to: paths.lock("ffffffffffff"), FileSystem())
    let refusal = Refusal(.open, "ffffffffffff.json", error, isOn: true)
    let own = process(FileSystem(observer: refusal))
    #expect(throws: FileError.self) { try own.lockInSight() }
    refusal.set(false)
    #expect(try own.lockInSight()?.id == "0000aaaa")
  }

  @Test(arguments: ["{\"format\":2}", "{\"format\":2,\"id\":7}"])
  func `a lock of a newer openwo is refused, not passed over`(text: String) throws {
    let file = paths.lock("ffffffffffff")
    try AtomicFile.write(Array(text.utf8), to: file, fileSystem: FileSystem())
    let refused = #expect(throws: StoreError.self) { try process().lockInSight() }
    #expect(refused?.code == .newerFormat)
    #expect(try process().board().problems.count == 1)
    // A file with another name than a device's is not a lock.
    try FileSystem().rename(file, to: paths.locks.appending("a copy.json"))
    #expect(try process().lockInSight() == nil)
  }

  @Test func `nothing is written through a link in the place of a companion folder`() throws {
    let elsewhere = place.root.appending("elsewhere")
    try FileSystem().makeDirectories(elsewhere)
    for folder in [paths.locks, paths.devices] {
      try FileSystem().removeDirectory(folder)
      #expect(place.run(["ln", "-s", elsewhere.string, folder.string]) == 0)
    }
    #expect(throws: FileError.self) { try process().publish(lock("11112222")) }
    #expect(throws: FileError.self) { try process().updateOwnRecord { $0.revoke("0000aaaa") } }
    #expect(try FileSystem().list(elsewhere).isEmpty)
  }
}
