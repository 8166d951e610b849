package import OpenWOFiles
package import SystemPackage

/// A folder for one test, gone with it.
package final class ScratchFolder: Sendable {
  package let path: FilePath
  package let files = FileSystem()

  package init() throws {
    path = try files.realpath("/tmp").appending("openwo-test-\(randomHex(bytes: 8))")
    try files.makeDirectory(path)
  }

  deinit { remove(path) }

  /// The path of a name in it.
  package func callAsFunction(_ name: String) -> FilePath { path.appending(name) }

  /// The names in it, in order.
  package func names() throws -> [String] { try files.list(path).map(\.string).sorted() }

  package func exists(_ name: String) throws -> Bool { try names().contains(name) }

  /// Makes a file, without ceremony.
  @discardableResult
  package func make(_ name: String, _ bytes: [UInt8]) throws -> FilePath {
    try AtomicFile.write(bytes, to: self(name), durable: false, fileSystem: files)
    return self(name)
  }

  /// Makes a file of text.
  @discardableResult
  package func make(_ name: String, _ text: String = "") throws -> FilePath {
    try make(name, Array(text.utf8))
  }

  /// The content of a file.
  package func bytes(_ name: String) throws -> [UInt8] {
    try files.readSmall(self(name), limit: 1 << 26)
  }

  /// The content of a file as text.
  package func text(_ name: String) throws -> String {
    String(decoding: try bytes(name), as: UTF8.self)
  }

  package func remove(_ name: String) throws { try files.unlink(self(name)) }

  package func move(_ name: String, to other: String) throws {
    try files.rename(self(name), to: self(other))
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
