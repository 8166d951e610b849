import OpenWOFiles
import SystemPackage

/// A folder for one test, gone with it.
final class ScratchFolder: Sendable {
  let path: FilePath
  let files = FileSystem()

  init() throws {
    path = try files.realpath("/tmp").appending("openwo-test-\(randomHex(bytes: 8))")
    try files.makeDirectory(path)
  }

  deinit { remove(path) }

  /// The names in it, in order.
  func names() throws -> [String] { try files.list(path).map(\.string).sorted() }

  /// Writes a file, without ceremony.
  @discardableResult
  func make(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    let path = path.appending(name)
    try AtomicFile.write(bytes, to: path, durable: false, fileSystem: files)
    return path
  }

  /// The content of a file.
  func bytes(_ name: String) throws -> [UInt8] {
    try files.readSmall(path.appending(name), limit: 1 << 26)
  }

  private func remove(_ path: FilePath) {
    if (try? files.lstat(path).kind) == .directory {
      for name in (try? files.list(path)) ?? [] { remove(path.appending(name)) }
      try? files.removeDirectory(path)
    } else {
      try? files.unlink(path)
    }
  }
}
