import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The available versions.
extension Store {
  /// All versions, as last listed.
  func versions() throws -> VersionListing {
    if let listing { return listing }
    return try listVersions()
  }

  /// Runs a body with the writer lock, after taking over what other processes of this device did.
  func asWriter<Result>(_ body: () throws -> Result) throws -> Result {
    try coordinator.asWriter {
      try catchUp()
      return try body()
    }
  }

  /// Takes over what other processes of this device have captured, published and recorded.
  func catchUp() throws {
    try refreshVersions()
    let status = try files.statusIfPresent(paths.database)
    guard let status, status.signature != record?.signature else { return }
    // A process that has just committed records that before it gives the writer lock back.
    do {
      try coordinator.asWriter(waitingUpTo: .milliseconds(500)) {}
    } catch let error as StoreError where error.code == .busy {}
    loadRecord()
  }

  /// Lists the versions again if some may have come or gone.
  ///
  /// - Returns: Whether that was so.
  @discardableResult
  func refreshVersions() throws -> Bool {
    if try hasSameFiles() { return false }
    try listVersions()
    return true
  }

  /// Whether the folders have the files that are listed; a file that could not be used may have become whole since.
  private func hasSameFiles() throws -> Bool {
    guard let listing, listing.archive.problems.isEmpty else { return false }
    for (folder, seen) in zip(archive.folders, listing.folders) {
      let now = try signature(of: folder)
      if now != nil && now == seen { continue }
      // The state folder has few files, and during a burst of writes it is never quiet.
      guard folder == state.pending,
        listing.archive.knowsExactly(
          try files.list(folder) { !AtomicFile.isStaging($0) }, in: folder)
      else { return false }
    }
    return true
  }

  /// How a folder looks; nil if it is missing, or changed a moment ago and may change again without
  /// it showing.
  private func signature(of folder: FilePath) throws -> FileSignature? {
    guard let found = try files.statusIfPresent(folder),
      found.mtime / 1_000_000 + 100 < clock.now()
    else { return nil }
    return found.signature
  }

  /// Lists all versions again; files that were read before are not read again.
  @discardableResult
  func listVersions() throws -> VersionListing {
    let folders = try archive.folders.map(signature)
    let found = VersionListing(
      try listing.map { try archive.scan(reusing: $0.archive) } ?? firstScan(),
      pendingFolder: state.pending, folders: folders)
    listing = found
    return found
  }

  /// Scans for the first time in this process, with the headers that an earlier one has read.
  private func firstScan() throws -> ArchiveListing {
    if readsEveryHeader { return try archive.scan() }
    var cache = HeaderCache.read(at: state.headers, of: manifest.store, files)
    let found = try archive.scan(reusing: .empty, &cache)
    cache.write(to: state.headers, of: manifest.store, keeping: found, files)
    return found
  }

  /// Reads from the archive, once more when another process has moved a file meanwhile.
  func reading(_ body: (ArchiveListing) throws -> Void) throws {
    do {
      try body(versions().archive)
    } catch let error as FileError where error.isMissing {
      try body(listVersions().archive)
    }
  }

  /// Writes out a content.
  ///
  /// - Throws: `HistoryError.missing` when it is not all here, or not what its hash says; in that case it counts as not here from now on.
  @discardableResult
  func materialize(
    _ content: ContentHash, to path: FilePath, mode: AtomicFile.Mode = .replace,
    durable: Bool = true, through files: FileSystem? = nil
  ) throws -> BlockDigests {
    let archive = files.map(archive.through) ?? archive
    return try leavingOutDamage(in: content) {
      var digests = BlockDigests.none
      try reading {
        digests = try archive.materialize(content, to: path, in: $0, mode: mode, durable: durable)
      }
      return digests
    }
  }

  /// Whether it says that a version file cannot be read just now.
  func isOfUnreadVersion(_ error: FileError) -> Bool {
    let folder = error.path?.removingLastComponent()
    return error.isTransient && [.open, .read].contains(error.operation)
      && archive.folders.contains { $0 == folder }
  }

  /// Whether a content can be put together from the files that are here; each is read once, as a right header says little.
  func isRestorable(_ content: ContentHash) throws -> Bool {
    let archive = try versions().archive
    guard let files = try? archive.chain(content).map(\.path) else { return false }
    if restorable[content] == files { return true }
    do {
      try leavingOutDamage(in: content) { try reading { try self.archive.check(content, in: $0) } }
      restorable[content] = try? versions().archive.chain(content).map(\.path)
      return true
    } catch HistoryError.missing {
      return false
    }
  }

  private func leavingOutDamage<Result>(
    in content: ContentHash, _ body: () throws -> Result
  ) throws -> Result {
    do {
      return try body()
    } catch let error as HistoryError {
      if case .missing = error { throw error }
      let seen = try versions()
      guard let rest = try archive.leavingOutDamage(in: content, seen.archive) else {
        throw error
      }
      listing = VersionListing(rest, pendingFolder: state.pending, folders: seen.folders)
      throw HistoryError.missing(content)
    }
  }

  /// Writes a pending version, after making its base durable.
  func keep(_ version: Version, _ payload: NewPayload) throws {
    if listing == nil { try listVersions() }
    switch payload {
    case .full: break
    case .pages(let changes): try makeDurable(changes.base)
    case .same: try makeDurable(version.content)
    }
    do {
      listing?.insert(try archive.write(version, payload, into: state.pending))
    } catch let error as HistoryError {
      // The file of its base has other bytes than its header says.
      guard case .pages(let changes) = payload else { throw error }
      listing?.insert(try archive.write(version, .full(changes.new), into: state.pending))
    }
  }

  /// Removes a version that nobody else has from the state folder; a live file that was its copy is
  /// looked at again.
  func drop(_ version: Version) throws {
    guard listing?.pending.contains(version.id) ?? false else { return }
    for file in listing?.waitingFiles ?? [] where file.version.id == version.id {
      try files.unlink(file.path)
      listing?.remove(file)
    }
    guard record?.current == version.id else { return }
    closeLive()
    record = nil
  }

  /// The version to fall back on: the live one, else the newest that is whole.
  func lastGoodVersion() throws -> Version? {
    let listing = try versions()
    if let current = try current(), listing.archive.holds(current.content) { return current }
    return listing.graph.newestFirst.first { listing.archive.holds($0.content) }
  }
}
