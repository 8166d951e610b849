import OpenWOFiles
import OpenWOHistory
import SystemPackage

extension StatePaths {
  /// How much is kept of a file that is nearly all holes, in bytes.
  private static var hollowPart: Int { 1024 * 1024 }

  /// How much of a file is kept, in bytes.
  static func keptSize(of status: FileStatus) -> Int64 {
    status.isHollow ? min(status.size, Int64(hollowPart)) : status.size
  }

  /// Keeps a copy of a file that cannot be a version, such as a journal.
  ///
  /// Its name begins with a word for its kind, and ends as given.
  func keepEvidence(
    _ path: FilePath, as word: String, _ ending: String, _ files: FileSystem
  ) throws {
    let (source, status) = try files.openRegular(path)
    let copy = quarantine.appending("\(word)-\(randomHex(bytes: 8))\(ending)")
    try AtomicFile.write(to: copy, fileSystem: files) { writer in
      if status.isHollow {
        let content = FileContent(source, from: 0, size: status.size, fileSystem: files)
        try writer.append(content.prefix(Self.hollowPart))
      } else {
        try writer.append(contentsOf: source)
      }
    }
  }
}
