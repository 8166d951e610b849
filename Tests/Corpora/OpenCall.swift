import Foundation
import Synchronization
package import SystemPackage

/// Runs a body just before SQLite opens a file that a test names; all other files are opened as
/// usual.
package enum OpenCall {
  /// Told whether the file is to be written too; what it returns, an `errno` value, is how the call fails.
  package typealias Body = @Sendable (_ isWriting: Bool) -> CInt?

  private static let bodies = Mutex<[String: Body]>([:])

  /// Runs a body before each opening of a file from now on; with nil no more.
  package static func before(_ path: FilePath, _ body: Body?) {
    _ = arranged
    bodies.withLock { $0[path.string] = body }
  }

  private static let arranged = SQLiteCalls.replace("open", with: opening)

  private static let opening: @convention(c) (UnsafePointer<CChar>?, CInt, CInt) -> CInt = {
    path, flags, permissions in
    guard let path else { return -1 }
    let body = bodies.withLock { $0.isEmpty ? nil : $0[String(cString: path)] }
    if let code = body?(flags & O_ACCMODE != O_RDONLY) {
      errno = code
      return -1
    }
    return open(path, flags, mode_t(permissions))
  }
}
