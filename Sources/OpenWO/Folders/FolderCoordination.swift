import OpenWOFiles
import OpenWOHistory
import Synchronization
import SystemPackage

/// What is done, and when, with a folder that a service of the system coordinates.
///
/// Every use of the folder goes through ``access(_:_:)``. Without such a service it costs nothing.
final class FolderCoordination: Sendable {
  /// What is not on this device yet although the folder names it.
  struct Awaited: Sendable, Hashable {
    /// A version among it.
    var version: FilePath?
    /// Whether conflicts are among it.
    var copies = false
  }

  private let session: (any FolderSession)?
  private let paths: StorePaths
  private let files: FileSystem
  private let events = Mutex<FolderEvents?>(nil)
  /// The conflicts whose content is kept, and that the service did not let be resolved.
  private let unresolved = Mutex<Set<FolderConflict>>([])

  init(_ paths: StorePaths, _ configuration: Configuration) {
    session = configuration.folderService.session(
      for: FolderPlace(
        database: paths.database, companion: paths.companion,
        folders: [paths.folder, paths.companion, paths.versions, paths.locks, paths.devices]))
    self.paths = paths
    files = configuration.files.refusingLinks(at: paths.ownFolders)
  }

  /// Runs a call while the service keeps other programs away.
  ///
  /// A file that has not been downloaded is never taken for one that is not there: the call ends, and
  /// the service is asked for the file.
  ///
  /// - Throws: `unavailable` if the service refuses, or if the call needs a file that is not here yet.
  func access<Result>(_ access: FolderAccess, _ body: () throws -> Result) throws -> Result {
    guard let session else { return try body() }
    try checkDownloaded()
    var result: Swift.Result<Result, any Error>?
    do {
      try session.coordinate(access) { result = Swift.Result { try body() } }
    } catch  where result == nil {
      throw StoreError.notGranted("\(error)", paths)
    } catch {}
    guard let result else { throw StoreError.notGranted("it gave no reason", paths) }
    return try result.get()
  }

  /// What a look cannot see yet.
  func awaited() throws -> Awaited {
    guard let session else { return Awaited() }
    let kept = unresolved.withLock(\.self)
    let copies = try conflicted.contains { file in
      try granted { try session.conflicts(of: file) }.contains { !kept.contains($0) }
    }
    return try Awaited(version: absent(session).first { !isNeeded($0) }, copies: copies)
  }

  /// Puts the versions that lost a conflict beside their files, as the conflict copies that other
  /// services make, and tells the service so once they are durable.
  ///
  /// If the service does not take that, nothing is missing here, and the next look tells it again.
  func bringConflicts() throws {
    guard let session else { return }
    for file in conflicted {
      for conflict in try granted({ try session.conflicts(of: file) }) where conflict.isHere {
        let isKept = unresolved.withLock { $0.contains(conflict) }
        guard try isKept || bring(conflict, of: file) else { continue }
        do {
          try session.resolve(conflict, of: file)
          unresolved.withLock { _ = $0.remove(conflict) }
        } catch {
          unresolved.withLock { _ = $0.insert(conflict) }
        }
      }
    }
  }

  /// What a service answers, or the error of a store if it refuses.
  private func granted<Result>(_ body: () throws -> Result) throws -> Result {
    do { return try body() } catch { throw StoreError.notGranted("\(error)", paths) }
  }

  /// The files that several devices write.
  private var conflicted: [FilePath] { [paths.database, paths.manifest] }

  /// Returns false for a conflict that cannot be read just now.
  private func bring(_ conflict: FolderConflict, of file: FilePath) throws -> Bool {
    do {
      let copy = try path(ofCopy: conflict, of: file)
      do {
        let permissions = try files.lstat(conflict.contents).mode & 0o777
        try AtomicFile.copy(
          conflict.contents, to: copy, mode: .createNew, permissions: permissions,
          fileSystem: files)
      } catch let error as FileError where error.isTaken {
        // Its name says what it holds: it was copied, and the process ended before it said so.
      }
      // The last writer wins, not the one that was copied last.
      try files.setTimes(copy, modified: conflict.modifiedAt)
      return true
    } catch let error as FileError where error.isTransient || error.isMissing {
      return false
    }
  }

  /// A name of the kind that only services make, and always the same for the same content.
  private func path(ofCopy conflict: FolderConflict, of file: FilePath) throws -> FilePath {
    let (descriptor, status) = try files.openRegular(conflict.contents)
    let content = try BlockDigests(size: status.size) {
      try files.pread(descriptor, at: $0, into: $1)
    }.root
    let moment = Timestamp(milliseconds: conflict.modifiedAt / 1_000_000).description
    let time = moment.dropFirst(11).prefix(8).filter { $0 != ":" }
    let mark = " (conflicted copy \(content.description.prefix(16)) \(moment.prefix(10)) \(time))"
    return file.marked(Array(mark.utf8))
  }
}

/// Files that are not on this device yet.
extension FolderCoordination {
  private func checkDownloaded() throws {
    guard let session else { return }
    let absent = try StoreError.wrapping(paths) { try self.absent(session) }
    // If it cannot be asked for now, the next call asks for it.
    for item in absent { try? session.download(item) }
    if let needed = absent.first(where: isNeeded) { throw StoreError.notDownloaded(needed, paths) }
  }

  /// Whether nothing can be decided without a file.
  ///
  /// Versions arrive one after another anyway, and a device whose file is not here counts as one of
  /// which nothing is known: the system may have removed the file of a device that was away for long.
  private func isNeeded(_ item: FilePath) -> Bool {
    let folder = item.removingLastComponent()
    return item == paths.database || item == paths.manifest || paths.ownFolders.contains(item)
      || folder == paths.locks
  }

  private func absent(_ session: any FolderSession) throws -> [FilePath] {
    let told = try granted {
      try session.notDownloaded([paths.database, paths.companion], in: paths.ownFolders)
    }
    return try Set(told + placeholders()).sorted { $0.bytes.lexicographicallyPrecedes($1.bytes) }
  }

  /// The files for which a placeholder with another name is there, as systems before file providers
  /// have it.
  private func placeholders() throws -> [FilePath] {
    var found: [FilePath] = []
    if try files.statusIfPresent(Placeholder.path(of: paths.database)) != nil {
      found.append(paths.database)
    }
    for folder in paths.ownFolders {
      do throws(FileError) {
        found += try files.list(folder).compactMap(Placeholder.name(in:)).map(folder.appending)
      } catch {
        guard error.isMissing else { throw error }
      }
    }
    return found
  }
}

/// What the service tells.
extension FolderCoordination {
  /// Begins to listen to the service.
  func present(_ events: FolderEvents) {
    self.events.withLock { $0 = events }
    session?.present(events)
  }

  /// Listens again after the app was in the background.
  func resume() {
    if let events = events.withLock({ $0 }) { session?.present(events) }
  }

  /// Stops listening: in the background nobody answers, and another program would wait for it.
  func pause() { session?.stopPresenting() }

  /// Stops listening for good.
  func stop() {
    events.withLock { $0 = nil }
    pause()
  }
}
