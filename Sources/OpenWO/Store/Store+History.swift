import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Looking back and going back.
extension Store {
  /// All versions, newest first.
  func history() throws -> [HistoryEntry] {
    try versions.refresh()
    let listing = try versions.listed()
    let live = workingCopy.current
    let pins = Dictionary(grouping: try pins(), by: \.value).mapValues { $0.map(\.key).sorted() }
    return listing.graph.newestFirst.map { version in
      HistoryEntry(
        version: version, isLive: version.id == live,
        isPublished: !listing.pending.contains(version.id), pins: pins[version.id] ?? [])
    }
  }

  /// Puts a version back on top of the history; restoring `previous` undoes it.
  func restore(_ id: VersionID, ifHead expected: VersionID? = nil) throws -> RestoreReport {
    for _ in 0..<Self.attempts {
      _ = try enter(waiting: configuration.busyTimeout.nanoseconds / 1_000_000)
      guard let wanted = try versions.listed().graph[id] else {
        throw StoreError.noSuchVersion(id.short, paths)
      }
      guard let previous = try current() else { throw StoreError.missing(paths) }
      try require(expected, as: previous)
      if wanted.content == previous.content {
        return RestoreReport(version: previous.id, restored: id, previous: previous.id)
      }
      try awaitReaders(of: paths.database)
      do {
        let version = try asWriter {
          try publish()
          return try putBack(wanted)
        }
        // It is done; a version that cannot be published now is published at the next look.
        try? publish()
        return RestoreReport(version: version.id, restored: id, previous: previous.id)
      } catch is StaleLook {}
    }
    throw StoreError.busy(paths)
  }

  /// Refuses what was decided on another version than the one that is live now; nil: it was not said on which.
  func require(_ expected: VersionID?, as current: Version) throws {
    guard let expected, expected != current.id else { return }
    throw StoreError.headMoved(from: expected, to: current.id, paths)
  }

  /// Makes a version with another one's content on top of the current one, and the live file equal to it.
  @discardableResult
  func putBack(_ wanted: Version) throws -> Version {
    let version = try make(wanted.facts, .restore, parents: nil, note: wanted.id.short)
    let content = try versions.archive.reader(wanted.content, in: versions.listed().archive)
    try keep(version, payload(version, content, after: workingCopy.content))
    do {
      try replaceLive(with: version)
    } catch {
      // The restore did not happen, so its version must not be found later and checked out.
      try drop(version)
      throw error
    }
    return version
  }

  /// Hands out a version's content piece by piece.
  ///
  /// It is read twice: what is not whole is not handed out at all.
  func withContent(of id: VersionID, _ body: (UnsafeRawBufferPointer) throws -> Void) throws {
    guard let version = try versions.listed().graph[id] else {
      throw StoreError.noSuchVersion(id.short, paths)
    }
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
    guard let version = try versions.listed().graph[id] else {
      throw StoreError.noSuchVersion(id.short, paths)
    }
    try refuseCopyName(path)
    try versions.materialize(version.content, to: path, mode: mode)
  }
}
