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
  }

  private func process(_ files: FileSystem = FileSystem()) -> FileCoordinator {
    FileCoordinator(
      paths: paths, state: paths.state(of: "s"), device: device, files: files, clock: place.clock)
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

  @Test func `who takes a dead process's lock away never takes the next one with it`() throws {
    var dead = ProcessIdentity.current
    dead.startTime += 1
    var (number, takings) = (0, 0)
    while true {
      try CompanionFile.write(lock("0000dead", of: dead), to: paths.lock(device.id), FileSystem())
      let isTaken = Mutex(false)
      let interloper = Interloper(before: number) { [self] in
        let other = process()
        guard (try? other.removeLock("0000dead")) != nil else { return }
        isTaken.withLock { $0 = (try? other.publish(lock("11112222"))) != nil }
      }
      let sweeper = process(FileSystem(observer: interloper))
      for (lock, _) in try sweeper.board().ended { try sweeper.removeLock(lock.id) }
      guard interloper.hasActed else { break }
      if isTaken.withLock({ $0 }) {
        takings += 1
        #expect(try standing?.id == "11112222", "before call \(number), \(interloper.call)")
        try process().removeLock("11112222")
      }
      number += 1
    }
    #expect(takings > 1 && takings < number)
    #expect(try standing == nil)
  }

  @Test(arguments: ["", "garbage", "{", "{}"])
  func `what is no lock is in nobody's way`(text: String) throws {
    try AtomicFile.write(Array(text.utf8), to: paths.lock(device.id), fileSystem: FileSystem())
    try process().publish(lock("11112222"))
    #expect(try standing?.id == "11112222")
    let refused = #expect(throws: StoreError.self) { try process().publish(lock("33334444")) }
    #expect(refused?.code == .locked)
  }

  @Test func `another device's lock under this device's name is in nobody's way`() throws {
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

  @Test func `a lock that has ended makes room for the next one`() throws {
    var old = lock("0000aaaa")
    old.until = Timestamp(milliseconds: place.clock.now() - 1)
    try CompanionFile.write(old, to: paths.lock(device.id), FileSystem())
    try process().publish(lock("11112222"))
    #expect(try standing?.id == "11112222")
  }

  private func foreign(_ id: String = "0000aaaa", until: Timestamp? = nil) -> StoreLock {
    var lock = lock(id)
    (lock.device, lock.until) = ("ffffffffffff", until)
    return lock
  }

  /// As some services deliver, and as a copy over a network does.
  @Test(arguments: [false, true])
  func `a lock file that is written on in place is seen as soon as it is whole`(
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

  @Test(arguments: [Errno.permissionDenied, .notPermitted])
  func `a lock file that may not be read is not taken for none`(error: Errno) throws {
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
    // Whatever stands under another name than a device's is none.
    try FileSystem().rename(file, to: paths.locks.appending("a copy.json"))
    #expect(try process().lockInSight() == nil)
  }

  @Test func `nothing is written through a link that stands in a companion folder's place`() throws
  {
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
