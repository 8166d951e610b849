import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Looking back.
extension Store {
  /// All versions, newest first.
  func history() throws -> [HistoryEntry] {
    try versions.refresh()
    let listing = try versions.listed()
    let live = workingCopy.current
    let pins = Dictionary(grouping: try Pins(store: self).named(), by: \.value)
      .mapValues { $0.map(\.key).sorted() }
    return listing.graph.newestFirst.map { version in
      HistoryEntry(
        version: version, isLive: version.id == live,
        isPublished: !listing.pending.contains(version.id), pins: pins[version.id] ?? [])
    }
  }

  /// Refuses what was decided on another version than the one that is live now; nil: it was not said on which.
  func require(_ expected: VersionID?, as current: Version) throws {
    try current.require(expected, paths)
  }

  /// Hands out a version's content piece by piece.
  ///
  /// It is read twice: what is not whole is not handed out at all.
  func withContent(of id: VersionID, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    let version = try version(id)
    guard try versions.isRestorable(version.content) else {
      throw HistoryError.missing(version.content)
    }
    let reader = try versions.archive.reader(version.content, in: versions.listed().archive)
    try FileSystem.withBuffer { buffer in
      var offset: Int64 = 0
      while offset < reader.size {
        let count = try reader.read(at: offset, into: buffer)
        try body(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        offset += Int64(count)
      }
    }
  }

  /// Writes a version's content to a file.
  func export(_ id: VersionID, to path: FilePath, mode: AtomicFile.Mode) throws {
    let version = try version(id)
    try refuseCopyName(path)
    try versions.materialize(version.content, to: path, mode: mode)
  }
}
