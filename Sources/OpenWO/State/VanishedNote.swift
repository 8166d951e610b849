import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Which versions have vanished from the folder, and since when: a small file in the state folder.
///
/// All processes of a device share it, and each may replace or remove it at any time.
struct VanishedNote {
  private static let limit = 1 << 20

  let path: FilePath
  let files: FileSystem

  /// Since when exactly these versions are known to be gone.
  ///
  /// One that goes later starts the time again.
  func since(_ ids: [VersionID], now: Timestamp) throws -> Timestamp {
    let gone = ids.map { "\($0)\n" }.joined()
    if let (since, noted) = try read(), noted == gone { return since }
    let text = "\(now)\n" + gone
    try AtomicFile.write(Array(text.utf8), to: path, durable: false, fileSystem: files)
    return now
  }

  /// Notes that all versions are there.
  func clear() throws {
    do {
      // Usually there is none, and a read-only folder refuses even the removal of a missing file.
      guard try files.statusIfPresent(path) != nil else { return }
      try files.unlink(path)
    } catch  where error.isMissing {
      // Another process was faster.
    }
  }

  private func read() throws -> (since: Timestamp, gone: String)? {
    do {
      let text = String(decoding: try files.readSmall(path, limit: Self.limit), as: UTF8.self)
      let lines = text.split(separator: "\n", maxSplits: 1)
      guard lines.count == 2, let since = Timestamp(String(lines[0])) else { return nil }
      return (since, String(lines[1]))
    } catch  where error.isMissing {
      return nil
    }
  }
}
