import Foundation
import OpenWOFiles
import OpenWOTestSupport
import Synchronization
import SystemPackage
import Testing

struct OSLockTests {
  let scratch: ScratchFolder
  let files = FileSystem()
  let clock = ManualClock()

  init() throws { scratch = try ScratchFolder() }

  private func take(
    _ mode: FileSystem.LockMode, _ target: OSLock.Target, waiting: Duration = .zero
  ) throws(OSLock.Failure) -> OSLock {
    try OSLock.acquire(mode, on: target, waitingUpTo: waiting, clock: clock, fileSystem: files)
  }

  private func targets() -> [OSLock.Target] { [.file(scratch("l")), .folder(scratch.path)] }

  @Test func `shared locks coexist, and an exclusive one excludes all others until released`()
    throws
  {
    for target in targets() {
      let (one, two) = (try take(.shared, target), try take(.shared, target))
      #expect(throws: OSLock.Failure.busy(target.path)) { try take(.exclusive, target) }
      one.release()
      two.release()
      two.release()
      let all = try take(.exclusive, target)
      #expect(throws: OSLock.Failure.busy(target.path)) { try take(.shared, target) }
      all.release()
      _ = try take(.shared, target)
    }
  }

  @Test(arguments: [
    (Errno.ioError, true), (.noMemory, true), (.notSupported, false), (.noLocks, false),
  ])
  func `a lock that fails is none, and no file system without locks`(
    code: Errno, isFailure: Bool
  ) throws {
    for target in targets() {
      let failure = #expect(throws: OSLock.Failure.self) {
        try OSLock.acquire(
          .shared, on: target, clock: clock,
          fileSystem: FileSystem(observer: Calls.failing(.flock, code, first: 1)))
      }
      if case .file = failure { #expect(isFailure) } else { #expect(!isFailure) }
    }
  }

  @Test func `a lock without references is released`() throws {
    for target in targets() {
      do { _ = try take(.exclusive, target) }
      _ = try take(.exclusive, target)
    }
  }

  @Test func `a descriptor that a forked child still has does not keep the lock`() throws {
    for target in targets() {
      let lock = try take(.exclusive, target)
      let locked = try files.stat(target.path)
      let childs = try #require(
        (3..<4096).first { number in
          var status = stat()
          return fstat(number, &status) == 0 && status.st_ino == locked.inode
        }.map { dup($0) })
      lock.release()
      _ = try take(.exclusive, target)
      close(childs)
    }
  }

  @Test func `another open and close of the file in this process does not drop the lock`() throws {
    let lock = try take(.exclusive, .file(scratch("l")))
    try files.close(files.open(scratch("l"), .readWrite))
    try #expect(OtherProcess("flock -n $1 true", scratch("l")).end() == 1)
    withExtendedLifetime(lock) {}
  }

  @Test func `processes exclude each other, and a process loses the lock when it ends`() throws {
    for target in targets() {
      if case .file(let path) = target { try AtomicFile.write([], to: path, fileSystem: files) }
      let holder = try OtherProcess("exec 9<$1; flock 9; echo held; read x", target.path)
      #expect(holder.line() == "held")
      #expect(throws: OSLock.Failure.busy(target.path)) { try take(.exclusive, target) }
      holder.kill()
      let lock = try take(.exclusive, target)
      try #expect(OtherProcess("flock -n $1 true", target.path).end() == 1)
      lock.release()
      try #expect(OtherProcess("flock -n $1 true", target.path).end() == 0)
    }
  }

  @Test func `a wait ends at its deadline and not later`() throws {
    let held = try take(.exclusive, .file(scratch("l")))
    let start = clock.monotonic()
    #expect(throws: OSLock.Failure.busy(scratch("l"))) {
      try take(.shared, .file(scratch("l")), waiting: .seconds(30))
    }
    #expect(clock.monotonic() - start == 30_000_000_000)
    held.release()
  }

  @Test func `a wait ends when the other process releases the lock`() throws {
    let held = try take(.exclusive, .file(scratch("l")))
    let clock = ManualClock { clock in
      if clock.monotonic() > 500_000_000 { held.release() }
    }
    let lock = try OSLock.acquire(
      .shared, on: .file(scratch("l")), waitingUpTo: .seconds(3600), clock: clock,
      fileSystem: files)
    #expect(clock.monotonic() < 503_000_000)
    lock.release()
  }

  @Test func `the pauses of a wait begin short and never get long`() {
    #expect(OSLock.pause(after: 0) == 250_000)
    #expect(OSLock.pause(after: 100_000_000) == 500_000)
    #expect(OSLock.pause(after: .max) == 2_500_000)
  }

  @Test func `a lock file that is replaced while it is being locked is locked again`() throws {
    let path = try scratch.make("l")
    let spare = try scratch.make("spare")
    let isReplaced = Mutex(false)
    let calls = Calls { [files] call, _ in
      guard call.kind == .flock, !isReplaced.withLock({ $0 }) else { return nil }
      isReplaced.withLock { $0 = true }
      return (try? files.rename(spare, to: path)) == nil ? .ioError : nil
    }
    let lock = try OSLock.acquire(
      .exclusive, on: .file(path), clock: clock, fileSystem: FileSystem(observer: calls))
    #expect(try lock.isCurrent(files))
    #expect(throws: OSLock.Failure.busy(path)) { try take(.shared, .file(path)) }
    try files.unlink(path)
    #expect(try !lock.isCurrent(files))
    let second = try take(.exclusive, .file(path))
    #expect(try second.isCurrent(files))
  }

  @Test func `a lock file that is replaced each time ends in busy and not in a hang`() throws {
    let path = scratch("l")
    let calls = Calls { [files] call, _ in
      if call.kind == .flock { try? files.unlink(path) }
      return nil
    }
    #expect(throws: OSLock.Failure.busy(path)) {
      try OSLock.acquire(
        .exclusive, on: .file(path), waitingUpTo: .milliseconds(10), clock: clock,
        fileSystem: FileSystem(observer: calls))
    }
  }

  @Test(arguments: [Errno.notSupported, .noLocks, .badFileDescriptor, .noFunction])
  func `a file system without locks is distinguished from a busy lock`(errno: Errno) throws {
    let calls = Calls.failing(.flock, errno)
    let failure = #expect(throws: OSLock.Failure.self) {
      try OSLock.acquire(
        .shared, on: .folder(scratch.path), clock: clock, fileSystem: FileSystem(observer: calls))
    }
    #expect(failure == .unsupported(FileError(.flock, scratch.path, errno: errno.rawValue)))
  }

  @Test func `a missing or unreadable folder is distinguished from a busy lock`() throws {
    let missing = #expect(throws: OSLock.Failure.self) {
      try take(.shared, .folder(scratch("none")))
    }
    guard case .file(let error) = missing else { throw missing ?? .busy("") }
    #expect(error.isMissing)
    let calls = Calls.failing(.open, .readOnlyFileSystem)
    let readOnly = #expect(throws: OSLock.Failure.self) {
      try OSLock.acquire(
        .shared, on: .file(scratch("l")), clock: clock, fileSystem: FileSystem(observer: calls))
    }
    guard case .unsupported = readOnly else { throw readOnly ?? .busy("") }
  }

  @Test func `a real hand-over from another process needs no help`() throws {
    let holder = try OtherProcess("exec 9<$1; flock 9; echo held; read x", scratch.path)
    #expect(holder.line() == "held")
    holder.go()
    let lock = try OSLock.acquire(
      .exclusive, on: .folder(scratch.path), waitingUpTo: .seconds(60), clock: SystemClock(),
      fileSystem: files)
    lock.release()
    #expect(holder.end() == 0)
  }
}
