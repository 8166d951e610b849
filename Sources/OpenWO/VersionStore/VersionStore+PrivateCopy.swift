import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Contents of versions as private databases in the state folder.
extension VersionStore {
  /// So many of the last ones stay, as the same few are compared again and again.
  private static var mostCopies: Int { 8 }
  /// Beside the newest one the others together may have so many bytes.
  private static var mostBytes: Int64 { 32 << 20 }

  /// Opens a version's content as a private read-only database in the state folder.
  func privateCopy(of content: ContentHash) throws -> Connection {
    for _ in 0..<Store.attempts {
      let path = try pathOfCopy(of: content)
      do {
        return try Connection(path: path, .ofPrivateCopy)
      } catch {
        // Another process has just cleared it away for one of its own.
        guard try files.statusIfPresent(path) == nil else { throw error }
      }
    }
    throw StoreError.busy(paths)
  }

  /// Writes a version's content into the state folder unless it is there; another process may clear it away.
  func pathOfCopy(of content: ContentHash) throws -> FilePath {
    // It is not durable: after a restart of the machine its bytes may be wrong.
    let path = state.scratch.appending("\(content)-\(boot).sqlite")
    if try files.statusIfPresent(path) == nil {
      try clearCopies()
      try materialize(content, to: path, durable: false)
    }
    return path
  }

  /// Removes all private copies but the newest small ones; whoever has one open keeps it.
  private func clearCopies() throws {
    let copies = try files.list(state.scratch) { Self.isPrivateCopy($0) }
      .map { state.scratch.appending($0) }
      .compactMap { path in try files.statusIfPresent(path).map { (path, $0) } }
      .sorted { $0.1.mtime > $1.1.mtime }
    var bytes: Int64 = 0
    for (place, (path, status)) in copies.enumerated() {
      bytes += status.size
      if place >= Self.mostCopies - 1 || bytes > Self.mostBytes { try? files.unlink(path) }
    }
  }

  /// Whether a name in the scratch folder is one of ``privateCopy(of:)``, which are named by their content.
  static func isPrivateCopy(_ name: FilePath.Component) -> Bool {
    name.stem.utf8.count >= 64 && name.extension == "sqlite"
  }

  /// The change counter in a content's header; nil if it cannot be read here.
  func changeCounter(of content: ContentHash) throws -> UInt32? {
    if let known = changeCounters[content] { return known }
    guard let reader = try? archive.reader(content, in: listed().archive) else { return nil }
    let buffer = PageBuffer(byteCount: DatabaseHeader.size)
    let bytes = buffer.bytes(DatabaseHeader.size)
    guard (try? reader.read(at: 0, into: bytes)) == DatabaseHeader.size,
      let header = DatabaseHeader.parse(Array(bytes))
    else { return nil }
    changeCounters[content] = header.changeCounter
    return header.changeCounter
  }
}

extension Connection.Options {
  /// For a private copy, which nobody changes.
  static var ofPrivateCopy: Self {
    Self(mode: .readOnly, immutable: true, guardPolicy: .privateCopy)
  }
  /// For a private copy of a file that somebody else made.
  static var ofForeignCopy: Self {
    Self(mode: .readOnly, immutable: true, guardPolicy: .privateCopy, untrusted: true)
  }
  /// For a private database that is being built.
  static var ofScratch: Self { Self(mode: .readWrite, guardPolicy: .privateCopy) }
}
