import Foundation
import Synchronization
package import SystemPackage

/// Files that SQLite can open and, for the moment, not read, as on a failing disk (EIO).
package enum UnreadableFile {
  private static let paths = Mutex<Set<String>>([])

  /// Makes SQLite's reading of a file fail while something is done.
  package static func during(_ path: FilePath, _ body: () throws -> Void) rethrows {
    _ = arranged
    _ = paths.withLock { $0.insert(path.string) }
    defer { _ = paths.withLock { $0.remove(path.string) } }
    try body()
  }

  // Which of the two it calls is decided when it is compiled.
  private static let arranged = ["pread", "pread64"].allSatisfy {
    SQLiteCalls.replace($0, with: reading)
  }

  private static let reading: @convention(c) (CInt, UnsafeMutableRawPointer?, Int, off_t) -> Int = {
    descriptor, bytes, count, offset in
    guard paths.withLock({ $0.contains { leads($0, to: descriptor) } }) else {
      return pread(descriptor, bytes, count, offset)
    }
    errno = EIO
    return -1
  }

  private static func leads(_ path: String, to descriptor: CInt) -> Bool {
    var (named, open) = (stat(), stat())
    return stat(path, &named) == 0 && fstat(descriptor, &open) == 0
      && (named.st_dev, named.st_ino) == (open.st_dev, open.st_ino)
  }
}
