import Foundation
import OpenWOSQLite
import SystemPackage

/// A folder of its own for one test, gone with it.
final class Scratch {
  let folder: FilePath

  init() throws {
    let url = FileManager.default.temporaryDirectory
      .resolvingSymlinksInPath().appendingPathComponent("openwo-sqlite-\(UUID().uuidString)")
    try FileManager.default.createDirectory(at: url, withIntermediateDirectories: true)
    folder = FilePath(url.path)
  }

  deinit {
    try? FileManager.default.removeItem(atPath: folder.string)
  }

  /// A path in the folder.
  func path(_ name: String) -> FilePath { folder.appending(name) }

  /// A connection to a file in the folder that is made when missing.
  func open(
    _ name: String = "a.db", mode: Connection.Options.Mode = .create,
    policy: GuardPolicy = .privateCopy
  ) throws -> Connection {
    try Connection(path: path(name), .init(mode: mode, guardPolicy: policy))
  }
}
