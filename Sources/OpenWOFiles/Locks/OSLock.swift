import OpenWOCFiles
import Synchronization
package import SystemPackage

/// A lock of the operating system on a file or a folder: exact on one machine, gone with its holder.
///
/// It is an flock(2): it excludes other flocks only, not SQLite's own locks, and no other open or
/// close in this process drops it. ``release()`` ends it, or the end of the last reference: keep a
/// reference as long as the lock is needed.
package final class OSLock: Sendable {
  /// The object of the lock.
  package enum Target: Sendable, Hashable {
    /// A file made for the purpose if it is missing; one that is replaced meanwhile is noticed.
    case file(FilePath)
    /// A folder itself, which needs no file that a service could replace.
    case folder(FilePath)

    /// The file or folder.
    package var path: FilePath {
      switch self {
      case .file(let path), .folder(let path): path
      }
    }
  }

  /// Why there is no lock.
  package enum Failure: Error, Sendable, Hashable {
    /// Others held it until the deadline.
    case busy(FilePath)
    /// This file system has no such locks, or does not grant us any: continue without one.
    case unsupported(FileError)
    /// The file or folder could not be opened.
    case file(FileError)
  }

  /// The object of this lock.
  package let target: Target
  /// How it is held.
  package let mode: FileSystem.LockMode
  private let descriptor: Descriptor
  private let owner = getpid()

  private init(_ target: Target, _ mode: FileSystem.LockMode, _ descriptor: Descriptor) {
    self.target = target
    self.mode = mode
    self.descriptor = descriptor
  }

  /// Takes the lock, waiting up to a time for others to release it; by default it tries once.
  package static func acquire(
    _ mode: FileSystem.LockMode, on target: Target, waitingUpTo limit: Duration = .zero,
    clock: any StoreClock, fileSystem: FileSystem
  ) throws(Failure) -> OSLock {
    let start = clock.monotonic()
    while true {
      if let lock = try attempt(mode, on: target, fileSystem: fileSystem) { return lock }
      let waited = clock.monotonic() - start
      let left = limit.nanoseconds - waited
      guard left > 0 else { throw .busy(target.path) }
      clock.sleep(nanoseconds: min(left, pause(after: waited)))
    }
  }

  /// How long to sleep after a wait of this length: a hand-over takes at most 2.5 ms, long waits
  /// cost almost nothing.
  package static func pause(after waited: Int64) -> Int64 {
    min(max(waited / 200, 250_000), 2_500_000)
  }

  /// The lock, or nil while others hold it.
  private static func attempt(
    _ mode: FileSystem.LockMode, on target: Target, fileSystem: FileSystem
  ) throws(Failure) -> OSLock? {
    do throws(FileError) {
      // A file replaced between opening and locking excludes nobody: again, on the new one.
      for _ in 0..<100 {
        let descriptor = try open(target, fileSystem)
        try fileSystem.flock(descriptor, mode)
        let lock = OSLock(target, mode, descriptor)
        if try lock.isCurrent(fileSystem) { return lock }
      }
      return nil
    } catch let error where error.operation == .flock && error.errno == EWOULDBLOCK {
      return nil
    } catch {
      let hasNone = error.operation == .flock && !error.isTransient
      throw hasNone || error.errno == EROFS ? .unsupported(error) : .file(error)
    }
  }

  private static func open(
    _ target: Target, _ fileSystem: FileSystem
  ) throws(FileError) -> Descriptor {
    switch target {
    case .file(let path):
      try fileSystem.open(path, .readWrite, options: [.create, .noFollow, .nonBlocking])
    case .folder(let path):
      try fileSystem.open(path, .readOnly, options: .directory)
    }
  }

  /// Whether the name still leads to what is locked: a replaced lock file excludes nobody.
  package func isCurrent(_ fileSystem: FileSystem) throws(FileError) -> Bool {
    do throws(FileError) {
      return try fileSystem.fstat(descriptor).isSameFile(as: fileSystem.stat(target.path))
    } catch let error where error.isMissing {
      return false
    }
  }

  /// Releases the lock; repeated calls do no harm.
  ///
  /// Closing is not enough: a child that another thread has just forked keeps the file open until
  /// it runs its program. A forked child only closes its own descriptor, as the lock is its
  /// parent's.
  package func release() {
    let number = descriptor.surrender()
    guard number >= 0 else { return }
    if getpid() == owner { _ = openwo_flock(number, LOCK_UN) }
    _ = OpenWOCFiles.close(number)
  }

  deinit { release() }
}
