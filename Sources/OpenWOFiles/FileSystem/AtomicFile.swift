import OpenWOCFiles
package import SystemPackage

/// The one way to write files: readers see the old content or the new, never part of it.
///
/// The bytes go into a staging file in the same folder, are made durable, and take the name by a
/// rename; the folder is made durable last. A failure before the rename leaves the old file as it
/// was and no staging file. A failure after it, while making the folder durable, is an error too,
/// although the new file has the name: the write is in doubt until somebody looks.
package enum AtomicFile {
  /// What to do if a file already has the name.
  package enum Mode: Sendable, Hashable {
    /// The new file takes its place; if the name is a link, the link's place.
    case replace
    /// The write fails with EEXIST; of two who try at once exactly one succeeds.
    case createNew
  }

  /// Writes a file with the bytes that the body hands to its writer.
  ///
  /// The permissions are exact, whatever the umask says; a door that shares what it makes has its own. A durable file survives a power failure
  /// once this returns.
  @inline(never)
  package static func write(
    to path: FilePath, mode: Mode = .replace, permissions: UInt16 = 0o600, durable: Bool = true,
    fileSystem: FileSystem, _ body: (inout Writer) throws -> Void
  ) throws {
    let staging = stagingPath(for: path)
    do {
      let descriptor = try fileSystem.open(
        staging, .readWrite, options: [.create, .exclusiveCreate, .noFollow], permissions: 0o600)
      var writer = Writer(descriptor: descriptor, fileSystem: fileSystem)
      try body(&writer)
      try writer.finish()
      try fileSystem.share(descriptor, otherwise: permissions)
      if durable { try fileSystem.fsync(descriptor) }
      try fileSystem.close(descriptor)
      try publish(staging, as: path, mode: mode, fileSystem: fileSystem)
    } catch {
      try? fileSystem.unlink(staging)
      throw named(error, path, insteadOf: staging)
    }
    if durable { try fileSystem.syncFolder(path.removingLastComponent().orWorkingFolder) }
  }

  /// Writes a file with these bytes.
  package static func write(
    _ bytes: [UInt8], to path: FilePath, mode: Mode = .replace, permissions: UInt16 = 0o600,
    durable: Bool = true, fileSystem: FileSystem
  ) throws {
    try write(
      to: path, mode: mode, permissions: permissions, durable: durable, fileSystem: fileSystem
    ) { try $0.append(bytes) }
  }

  /// Writes a file with the bytes of another one, which must be a regular file.
  package static func copy(
    _ source: FilePath, to path: FilePath, mode: Mode = .replace, permissions: UInt16 = 0o600,
    durable: Bool = true, fileSystem: FileSystem
  ) throws {
    let (source, _) = try fileSystem.openRegular(source)
    try write(
      to: path, mode: mode, permissions: permissions, durable: durable, fileSystem: fileSystem
    ) { try $0.append(contentsOf: source) }
  }

  /// An error about the staging file told as one about the file that was to be written.
  private static func named(
    _ error: any Error, _ path: FilePath, insteadOf staging: FilePath
  ) -> any Error {
    guard var error = error as? FileError, error.path == staging else { return error }
    error.path = path
    error.otherPath = nil
    return error
  }

  private static func publish(
    _ staging: FilePath, as path: FilePath, mode: Mode, fileSystem: FileSystem
  ) throws(FileError) {
    switch mode {
    case .replace: try fileSystem.rename(staging, to: path)
    case .createNew: try fileSystem.renameNew(staging, to: path)
    }
  }
}

/// Staging names: services skip them, and openwo knows its own.
extension AtomicFile {
  /// A fresh name in the same folder for a file on its way to this path.
  package static func stagingPath(for path: FilePath) -> FilePath {
    path.removingLastComponent().appending(".~openwo-\(randomHex(bytes: 8)).tmp")
  }

  /// Whether a name is one of ``stagingPath(for:)``.
  package static func isStaging(_ name: FilePath.Component) -> Bool {
    let bytes = name.bytes
    let (head, tail) = (Array(".~openwo-".utf8), Array(".tmp".utf8))
    guard bytes.count == head.count + 16 + tail.count, bytes.starts(with: head),
      bytes.suffix(tail.count).elementsEqual(tail)
    else { return false }
    return bytes[head.count..<head.count + 16].allSatisfy {
      (0x30...0x39).contains($0) || (0x61...0x66).contains($0)
    }
  }
}

extension FilePath {
  /// The path itself, or "." when it is empty: the folder of a bare name.
  var orWorkingFolder: FilePath { isEmpty ? "." : self }
}
