import Foundation
import OpenWOCSQLite

/// A folder of which SQLite is told that it cannot be synced, so that a commit whose journal is gone by then reports an error.
package enum UnsyncedFolder {
  /// How the path of the folder ends.
  package static let ending = "never-synced"

  /// Makes the calls of SQLite fail from now on.
  package static func arrange() { _ = arranged }

  private static let arranged = SQLiteCalls.replace("openDirectory", with: opening)

  /// SQLite names a file in the folder; a pipe cannot be synced.
  private static let opening:
    @convention(c) (UnsafePointer<CChar>?, UnsafeMutablePointer<CInt>?) -> CInt = { path, opened in
      guard let path, let opened else { return SQLITE_CANTOPEN }
      let folder = (String(cString: path) as NSString).deletingLastPathComponent
      if folder.hasSuffix(ending) {
        var ends: [CInt] = [-1, -1]
        guard pipe(&ends) == 0 else { return SQLITE_CANTOPEN }
        close(ends[0])
        opened.pointee = ends[1]
      } else {
        opened.pointee = open(folder, O_RDONLY | O_CLOEXEC)
      }
      return opened.pointee < 0 ? SQLITE_CANTOPEN : SQLITE_OK
    }
}
