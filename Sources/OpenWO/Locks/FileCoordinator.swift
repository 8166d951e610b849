import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Guards every access to the live file: OS locks between the processes of this machine, lock files between devices.
///
/// **How a lock excludes everybody on this machine.** Every process that has the live file open
/// holds the session locks shared. A process that locks first publishes a lock file and then takes
/// the session locks exclusively: the others see the file, finish their transaction, close the
/// database and release the locks. A process that comes later takes the session locks first and
/// then looks for lock files, so it cannot miss one.
///
/// There are two session locks: one on a file in the state folder, and one on the companion folder itself, which other users and
/// containers with a state folder of their own share. File systems without folder locks have the first only.
final class FileCoordinator {
  let paths: StorePaths
  let state: StatePaths
  let device: DeviceIdentity
  let companion: Companion
  let files: FileSystem
  let clock: any StoreClock
  /// The session locks that are held; a read of this process keeps them until its end.
  private(set) var session: [OSLock] = []
  private var writer: OSLock?
  /// Whether this process has the writer lock, which is nothing on a file system without locks.
  private(set) var isWriting = false
  /// Whether the locks are only tried.
  private var isTrying = false
  /// The folder of the lock files as it was when there was none in it; nil: it has to be read.
  private(set) var emptyFolder: FileSignature?
  /// The devices' own files as they were last read.
  var devicesRead: [FilePath.Component: (FileSignature, DeviceRecord)] = [:]

  init(
    companion: Companion, state: StatePaths, device: DeviceIdentity, clock: any StoreClock
  ) {
    self.companion = companion
    paths = companion.paths
    self.state = state
    self.device = device
    files = companion.files
    self.clock = clock
  }

  var now: Timestamp { Timestamp(milliseconds: clock.now()) }
}

/// OS locks: exact on this machine, gone with the process that holds them.
extension FileCoordinator {
  /// How long to wait for a process that has to close the database.
  ///
  /// It takes less than a second unless the process is stopped or in a long transaction.
  static let patience = Duration.seconds(10)

  /// Takes the session locks shared; look for lock files only after this.
  func enter(waitingUpTo: Duration = FileCoordinator.patience) throws {
    guard session.isEmpty else { return }
    session = try take(.shared, waitingUpTo: waitingUpTo)
  }

  /// Gives the session locks back; the live file is closed before this.
  ///
  /// A read that still runs keeps its references, and a lock ends with the last one.
  func leave() { session = [] }

  /// Takes the session locks so that no other process of this machine has the live file open; the caller releases them.
  func takeAlone(waitingUpTo: Duration) throws -> [OSLock] {
    leave()
    return try take(.exclusive, waitingUpTo: waitingUpTo)
  }

  /// Runs a body that takes locks; nil if somebody holds one of them.
  func trying<Result>(_ body: () throws -> Result) throws -> Result? {
    isTrying = true
    defer { isTrying = false }
    do { return try body() } catch is Held { return nil }
  }

  /// Somebody holds an OS lock; who it is would be costly to find out.
  private struct Held: Error {}

  /// Keeps the other processes of this device from writing the live file and its record, until the write is captured.
  func beginWriting(waitingUpTo: Duration) throws {
    guard !isWriting else { return }
    writer = try acquire(.exclusive, on: .file(state.writerLock), waitingUpTo: waitingUpTo)
    isWriting = true
  }

  /// Lets the next process write.
  func endWriting() {
    writer?.release()
    (writer, isWriting) = (nil, false)
  }

  /// Runs a body with the writer lock; within an outer call, it uses that one's lock.
  func asWriter<Result>(
    waitingUpTo: Duration = FileCoordinator.patience, _ body: () throws -> Result
  ) throws -> Result {
    guard !isWriting else { return try body() }
    try beginWriting(waitingUpTo: waitingUpTo)
    defer { endWriting() }
    return try body()
  }

  private func take(_ mode: FileSystem.LockMode, waitingUpTo: Duration) throws -> [OSLock] {
    let deadline = clock.monotonic().plus(waitingUpTo.nanoseconds)
    let first = try acquire(mode, on: .file(state.sessionLock), waitingUpTo: waitingUpTo)
    do {
      let left = Duration.nanoseconds(max(0, deadline - clock.monotonic()))
      let second = try acquire(mode, on: .folder(paths.companion), waitingUpTo: left)
      return [first, second].compactMap(\.self)
    } catch {
      first?.release()
      throw error
    }
  }

  /// Takes one lock; nil if the file system has no such locks.
  private func acquire(
    _ mode: FileSystem.LockMode, on target: OSLock.Target, waitingUpTo: Duration
  ) throws -> OSLock? {
    do throws(OSLock.Failure) {
      return try OSLock.acquire(
        mode, on: target, waitingUpTo: waitingUpTo, clock: clock, fileSystem: files)
    } catch {
      switch error {
      case .unsupported: return nil
      case .busy where isTrying: throw Held()
      case .busy(let path): throw StoreError.heldByProcess(path, paths)
      case .file(let failure): throw failure
      }
    }
  }
}

/// Lock files: what devices and people say to each other.
extension FileCoordinator {
  /// Reads and judges all lock files.
  func board() throws -> LockBoard {
    let status = try files.statusIfPresent(paths.locks)
    let board = try read()
    // A folder that changed a moment ago may change again without its time showing it.
    let isQuiet = status.map { $0.mtime / 1_000_000 + 100 < clock.now() } ?? false
    emptyFolder = isQuiet && board.isEmpty ? status?.signature : nil
    return board
  }

  private func read() throws -> LockBoard {
    var locks: [StoreLock] = []
    var problems: [(file: FileName, why: String)] = []
    var newer: FilePath?
    for name in try names(in: paths.locks) {
      let path = paths.locks.appending(name)
      do {
        guard let lock = try CompanionFile.read(StoreLock.self, at: path, files) else { continue }
        guard name.bytes == Array("\(lock.device).json".utf8) else {
          problems.append((FileName(name), "its name is not its device's"))
          continue
        }
        locks.append(lock)
      } catch let error as FileError where error.isTransient || error.isNotPermitted {
        // A caller that cannot read it must not act as if there were none.
        throw error
      } catch is StoreLock.NewerFormat where DeviceIdentity.isID(name.stem) {
        newer = path
        problems.append((FileName(name), "a newer openwo has locked the database"))
      } catch {
        problems.append((FileName(name), "it is not a lock file"))
      }
    }
    let revoked = locks.isEmpty ? [] : try revocations()
    var board = LockBoard(
      locks, revoked: revoked, device: device.id, now: now, problems: problems)
    board.newer = newer
    return board
  }

  func names(in folder: FilePath) throws -> [FilePath.Component] {
    do throws(FileError) {
      return try files.list(folder, limit: 10_000) { !AtomicFile.isStaging($0) }
    } catch  where error.isMissing {
      return []
    }
  }

  /// Puts this device's lock file there; exactly one of two processes that try at once succeeds.
  func publish(_ lock: StoreLock) throws {
    emptyFolder = nil
    while true {
      do {
        return try companion.inside(paths.locks) { within in
          // A lock must be exclusive, not durable: after a power failure the program that edits is gone.
          try CompanionFile.write(
            lock, to: paths.lock(device.id), mode: .createNew, durable: false, within)
        }
      } catch let error as FileError where error.isTaken {
        let board = try board()
        if let standing = board.effective { throw isLocked(by: standing) }
        // One that has ended; or no lock at all, such as a file that a power failure has cut.
        let ended = Set(board.ended.map(\.lock.id))
        try removeLock { $0.map { ended.contains($0.id) } ?? true }
      }
    }
  }

  /// Replaces this device's lock file if it is still that lock's; returns whether it was.
  func update(_ lock: StoreLock) throws -> Bool {
    try changeLock { path, found in
      guard found?.id == lock.id else { return false }
      try companion.inside(paths.locks) { within in
        try CompanionFile.write(lock, to: path, durable: false, within)
      }
      return true
    }
  }

  /// Takes this device's lock file away if it still is that lock's.
  func removeLock(_ id: String) throws {
    try removeLock { $0?.id == id }
  }

  /// Removes our lock file and records the end, as services sometimes restore removed files.
  func giveBack(_ lock: StoreLock) throws {
    try removeLock(lock.id)
    try revoke(lock.id)
  }

  /// Removes this device's lock file if it may go; nil: the file is not a lock of this device.
  private func removeLock(_ mayGo: (StoreLock?) -> Bool) throws {
    try changeLock { path, found in
      guard mayGo(found) else { return }
      do throws(FileError) {
        try files.unlink(path)
      } catch {
        guard error.isMissing else { throw error }
      }
    }
  }

  /// Runs a body on this device's lock, read again from its file, or on nil if there is none.
  ///
  /// Another process of this device may already have taken the next lock; only one at a time
  /// changes or removes the file here.
  private func changeLock<Result>(
    _ body: (FilePath, StoreLock?) throws -> Result
  ) throws -> Result {
    let turn = try acquire(.exclusive, on: .folder(state.root), waitingUpTo: Self.patience)
    defer { turn?.release() }
    emptyFolder = nil
    return try body(paths.lock(device.id), ownLock())
  }

  /// This device's lock, read from its file; nil if there is none, or the file is not a lock of
  /// this device, as after a power failure.
  func ownLock() throws -> StoreLock? {
    let path = paths.lock(device.id)
    do {
      let found = try CompanionFile.read(StoreLock.self, at: path, files)
      return found?.device == device.id ? found : nil
    } catch is DecodingError {
      return nil
    } catch is StoreLock.NewerFormat {
      throw StoreError.newerLock(path, paths)
    }
  }

  /// Whether a lock of this device is still the one in its file, and nobody has ended it.
  func isHeld(_ lock: StoreLock) throws -> Bool {
    try ownLock()?.id == lock.id && !board().ended.contains { $0.lock.id == lock.id }
  }
}

/// Statements of this device about its own lock or another one.
extension FileCoordinator {
  /// The lock is in the way.
  func isLocked(by lock: StoreLock) -> StoreError {
    .isLocked(by: lock, isOurs: lock.device == device.id, paths)
  }

  /// The error if there is no lock of this device to end, or another one than the named one.
  func noLock(but other: StoreLock?) -> StoreError {
    .noLock(paths, other: other, isOurs: other?.device == device.id)
  }
}
