import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The headers of version files in the state folder, kept for speed alone.
///
/// A file that is missing, damaged, older or another store's counts as none.
extension HeaderCache {
  /// The most that is read and written, in bytes.
  private static var limit: Int { 64 * 1024 * 1024 }

  /// Reads what an earlier process has kept.
  static func read(at path: FilePath, of store: String, _ files: FileSystem) -> HeaderCache {
    guard let bytes = try? files.readSmall(path, limit: limit) else { return HeaderCache() }
    return HeaderCache(bytes: bytes, of: store) ?? HeaderCache()
  }

  /// Writes the headers of the files that are listed, once enough of them are new.
  ///
  /// On a disk that cannot be written they are read again.
  mutating func write(
    to path: FilePath, of store: String, keeping listing: ArchiveListing, _ files: FileSystem
  ) {
    guard isWorthWriting else { return }
    keepOnly(listing)
    let bytes = bytes(of: store)
    guard bytes.count <= Self.limit else { return }
    try? AtomicFile.write(bytes, to: path, durable: false, fileSystem: files)
  }
}

extension StatePaths {
  /// The headers of version files.
  var headers: FilePath { root.appending("headers") }
}
