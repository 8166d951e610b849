#if canImport(Darwin)
  import Darwin
  import Foundation
  import Synchronization
  import SystemPackage

  /// A folder that Apple's systems coordinate, as they do for iCloud Drive and other file providers.
  ///
  /// It passes on and decides nothing; see `FolderCoordination`.
  public struct ICloudFolder: FolderService {
    /// Makes the service of the system.
    public init() {}

    /// Begins to coordinate the files of one database.
    public func session(for place: FolderPlace) -> (any FolderSession)? { ICloudSession(place) }
  }

  /// The coordination of one database's files by the system.
  private final class ICloudSession: FolderSession {
    private struct Presented {
      var presenters: [ICloudPresenter] = []
      var sources: [any DispatchSourceFileSystemObject] = []
    }

    private let place: FolderPlace
    private let presented = Mutex(Presented())

    init(_ place: FolderPlace) { self.place = place }

    func coordinate(_ access: FolderAccess, _ body: () -> Void) throws {
      // It does not ask this very app to yield.
      let own = presented.withLock { $0.presenters.first }
      let coordinator = NSFileCoordinator(filePresenter: own)
      let (database, companion) = (URL(place.database), URL(place.companion))
      var failure: NSError?
      var inner: NSError?
      switch access {
      case .reading:
        coordinator.coordinate(
          readingItemAt: database, options: .withoutChanges, error: &failure
        ) { _ in
          coordinator.coordinate(
            readingItemAt: companion, options: .withoutChanges, error: &inner
          ) { _ in body() }
        }
      case .writing:
        coordinator.coordinate(
          writingItemAt: database, options: [], writingItemAt: companion, options: [],
          error: &failure
        ) { _, _ in body() }
      }
      if let error = failure ?? inner { throw error }
    }

    func notDownloaded(_ items: [FilePath], in folders: [FilePath]) throws -> [FilePath] {
      let keys: [URLResourceKey] = [.ubiquitousItemDownloadingStatusKey]
      func isThere(_ item: URL) -> Bool { (try? item.checkResourceIsReachable()) == true }
      let listed = try folders.map { URL($0) }.filter(isThere).flatMap {
        try FileManager.default.contentsOfDirectory(at: $0, includingPropertiesForKeys: keys)
      }
      return try (items.map { URL($0) }.filter(isThere) + listed).filter {
        try $0.resourceValues(forKeys: Set(keys)).ubiquitousItemDownloadingStatus == .notDownloaded
      }.map { FilePath($0.path) }
    }

    func download(_ item: FilePath) throws {
      try FileManager.default.startDownloadingUbiquitousItem(at: URL(item))
    }

    func conflicts(of file: FilePath) throws -> [FolderConflict] {
      versions(of: file).map {
        let date = $0.modificationDate ?? Date(timeIntervalSince1970: 0)
        return FolderConflict(
          contents: FilePath($0.url.path),
          modifiedAt: Int64(date.timeIntervalSince1970 * 1_000_000_000), isHere: $0.hasLocalContents
        )
      }
    }

    func resolve(_ conflict: FolderConflict, of file: FilePath) throws {
      for version in versions(of: file) where FilePath(version.url.path) == conflict.contents {
        version.isResolved = true
        try version.remove()
      }
    }

    private func versions(of file: FilePath) -> [NSFileVersion] {
      NSFileVersion.unresolvedConflictVersionsOfItem(at: URL(file)) ?? []
    }

    func present(_ events: FolderEvents) {
      presented.withLock { presented in
        guard presented.presenters.isEmpty else { return }
        presented.presenters = [
          ICloudPresenter(URL(place.database), events, yields: true),
          ICloudPresenter(URL(place.companion), events, yields: false),
        ]
        for presenter in presented.presenters { NSFileCoordinator.addFilePresenter(presenter) }
        presented.sources = place.folders.compactMap { watch($0, events.changed) }
      }
    }

    func stopPresenting() {
      presented.withLock { presented in
        for presenter in presented.presenters { NSFileCoordinator.removeFilePresenter(presenter) }
        for source in presented.sources { source.cancel() }
        presented = Presented()
      }
    }

    /// Tells of changes in a folder; `O_DIRECTORY` keeps it from ever opening the live file.
    private func watch(
      _ folder: FilePath, _ changed: @escaping @Sendable () -> Void
    ) -> (any DispatchSourceFileSystemObject)? {
      let descriptor = Darwin.open(folder.string, O_EVTONLY | O_DIRECTORY | O_CLOEXEC)
      guard descriptor >= 0 else { return nil }
      let source = DispatchSource.makeFileSystemObjectSource(
        fileDescriptor: descriptor, eventMask: [.write, .delete, .rename], queue: .global())
      source.setEventHandler(handler: changed)
      source.setCancelHandler { _ = Darwin.close(descriptor) }
      source.activate()
      return source
    }
  }

  extension URL {
    fileprivate init(_ path: FilePath) { self.init(fileURLWithPath: path.string) }
  }
#endif
