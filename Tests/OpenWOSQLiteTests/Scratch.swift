import Foundation
import OpenWOSQLite
import SystemPackage

/// A folder of its own for one test, gone with it.
final class Scratch: Sendable {
  let folder: FilePath

  init() throws {
    let url = FileManager.default.temporaryDirectory.resolvingSymlinksInPath()
      .appendingPathComponent("openwo-sqlite-\(UUID().uuidString)")
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
    policy: GuardPolicy = .privateCopy, busyTimeout: Duration = .zero
  ) throws -> Connection {
    try Connection(
      path: path(name), .init(mode: mode, guardPolicy: policy, busyTimeout: busyTimeout))
  }

  /// The names in the folder.
  var names: [String] {
    get throws { try FileManager.default.contentsOfDirectory(atPath: folder.string).sorted() }
  }

  func bytes(_ name: String) throws -> [UInt8] {
    Array(try Data(contentsOf: URL(fileURLWithPath: path(name).string)))
  }

  func write(_ bytes: [UInt8], to name: String) throws {
    try Data(bytes).write(to: URL(fileURLWithPath: path(name).string))
  }

  func remove(_ name: String) throws {
    try FileManager.default.removeItem(atPath: path(name).string)
  }

  func move(_ name: String, to other: String) throws {
    try FileManager.default.moveItem(atPath: path(name).string, toPath: path(other).string)
  }

  func exists(_ name: String) throws -> Bool { try names.contains(name) }
}
