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

  /// The path of a name in it.
  func callAsFunction(_ name: String) -> FilePath { path.appending(name) }

  /// The names in it, in order.
  func names() throws -> [String] { try files.list(path).map(\.string).sorted() }

  /// Makes a file, without ceremony.
  @discardableResult
  func make(_ name: String, _ text: String = "") throws -> FilePath {
    let path = self(name)
    try AtomicFile.write(Array(text.utf8), to: path, durable: false, fileSystem: files)
    return path
  }

  /// The content of a file as text.
  func text(_ name: String) throws -> String {
    String(decoding: try files.readSmall(self(name), limit: 1 << 20), as: UTF8.self)
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
