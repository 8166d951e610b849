import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The versions of one store as this device has them: in the companion, waiting in the state
/// folder, and kept in case they vanish.
///
/// It knows files and the graph, and nothing of the live file. Whoever uses it holds the store.
final class VersionStore {
  let archive: Archive
  let paths: StorePaths
  let state: StatePaths
  let files: FileSystem
  private let clock: any StoreClock
  /// The id of the machine's boot, which is a part of the names of private copies.
  let boot: String
  /// The store whose headers are kept for the next process.
  private let store: String

  /// The writes that follow each other closely, and whose versions become one.
  private(set) lazy var burst = Burst(self)
  /// The versions as they were last listed.
  private(set) var listing: VersionListing?
  /// Whether headers are not taken from those that an earlier process read.
  var readsEveryHeader = false
  /// The contents that were read and are what their hashes say, and the files that they were read from.
  private var restorable: [ContentHash: [FilePath]] = [:]
  /// Contents of other devices that would survive a power failure.
  var durable: Set<ContentHash> = []
  /// The change counters in the headers of contents.
  var changeCounters: [ContentHash: UInt32] = [:]
  /// The head that was kept last.
  var keptHead: VersionID?
  /// How the folders of versions looked when nothing had vanished from them.
  var vanishedSeen: [FileSignature?] = []

  init(
    store: String, paths: StorePaths, state: StatePaths, files: FileSystem,
    clock: any StoreClock, boot: String
  ) {
    (self.store, self.paths, self.state) = (store, paths, state)
    (self.files, self.clock, self.boot) = (files, clock, boot)
    archive = Archive(folders: [state.pending, paths.versions], fileSystem: files)
  }
}

/// Listing.
extension VersionStore {
  /// All versions, as last listed.
  func listed() throws -> VersionListing {
    if let listing { return listing }
    return try list()
  }

  /// Lists the versions again if some may have come or gone.
  ///
  /// - Returns: Whether that was so.
  @discardableResult
  func refresh() throws -> Bool {
    if try hasSameFiles() { return false }
    try list()
    return true
  }

  /// Lists all versions again; files that were read before are not read again.
  @discardableResult
  func list() throws -> VersionListing {
    let folders = try archive.folders.map(signature)
    let found = VersionListing(
      try listing.map { try archive.scan(reusing: $0.archive) } ?? firstScan(),
      pendingFolder: state.pending, folders: folders)
    listing = found
    return found
  }

  /// Counts a file as one of the versions, which no scan would find.
  func insert(_ file: StoredVersion) { listing?.insert(file, isForNow: true) }

  /// Goes back to an earlier listing, without what was counted only for a while.
  func takeBack(_ earlier: VersionListing) { listing = earlier }

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

  /// Scans for the first time in this process, with the headers that an earlier one has read.
  private func firstScan() throws -> ArchiveListing {
    if readsEveryHeader { return try archive.scan() }
    var cache = HeaderCache.read(at: state.headers, of: store, files)
    let found = try archive.scan(reusing: .empty, &cache)
    cache.write(to: state.headers, of: store, keeping: found, files)
    return found
  }
}

/// Finding.
extension VersionStore {
  /// The version with an id.
  ///
  /// - Throws: `noSuchVersion`.
  func version(_ id: VersionID) throws -> Version {
    guard let version = try listed().graph[id] else {
      throw StoreError.noSuchVersion(id.short, paths)
    }
    return version
  }

  /// The version to fall back on: the live one, else the newest that is whole.
  func lastGood(live: VersionID?) throws -> Version? { try listed().lastGood(live: live) }
}

/// Reading and writing contents.
extension VersionStore {
  /// Reads from the archive, once more when another process has moved a file meanwhile.
  func reading(_ body: (ArchiveListing) throws -> Void) throws {
    do {
      try body(listed().archive)
    } catch let error as FileError where error.isMissing {
      try body(list().archive)
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
    let archive = try listed().archive
    guard let files = try? archive.chain(content).map(\.path) else { return false }
    if restorable[content] == files { return true }
    do {
      try leavingOutDamage(in: content) { try reading { try self.archive.check(content, in: $0) } }
      restorable[content] = try? listed().archive.chain(content).map(\.path)
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
      let seen = try listed()
      guard let rest = try archive.leavingOutDamage(in: content, seen.archive) else {
        throw error
      }
      listing = VersionListing(rest, pendingFolder: state.pending, folders: seen.folders)
      throw HistoryError.missing(content)
    }
  }

  /// Writes a version into the state folder, where it waits to be published.
  ///
  /// What it rests on has to be durable before.
  func keep(_ version: Version, _ payload: NewPayload) throws {
    if listing == nil { try list() }
    do {
      listing?.insert(try archive.write(version, payload, into: state.pending))
    } catch let error as HistoryError {
      // The file of its base has other bytes than its header says.
      guard case .pages(let changes) = payload else { throw error }
      listing?.insert(try archive.write(version, .full(changes.new), into: state.pending))
    }
  }

  /// Removes a version that nobody else has from the state folder.
  ///
  /// - Returns: Whether it was there.
  func drop(_ version: Version) throws -> Bool {
    guard listing?.pending.contains(version.id) ?? false else { return false }
    for file in listing?.waitingFiles ?? [] where file.version.id == version.id {
      try files.unlink(file.path)
      listing?.remove(file)
    }
    return true
  }
}
