import Dispatch
import OpenWOFiles
import Synchronization
import SystemPackage

/// The background thread of an open store: it yields to locks, imports arrivals, and publishes
/// pending versions.
///
/// It sleeps until something changes in the folder. An event of the watcher is only a hint; the
/// truth is read from the folder.
final class Monitor: Sendable {
  private let core: StoreCore
  private let watcher: FolderWatcher
  private let stopped = Atomic<Bool>(false)
  private let isHinted = Atomic<Bool>(false)
  private let queue = DispatchQueue(label: "openwo.monitor")

  init(_ core: StoreCore, pollInterval: Duration?) throws {
    self.core = core
    let paths = core.paths
    watcher = try FolderWatcher(
      folders: [paths.folder, paths.versions, paths.locks, paths.devices],
      polling: pollInterval.map { Int($0 / .milliseconds(1)) }, fileSystem: core.files)
  }

  /// Why the folder is listed at intervals; nil while the kernel tells of changes.
  var pollingReason: String? {
    switch watcher.mode {
    case .notified: nil
    case .polling(let reason): reason
    }
  }

  func start() {
    queue.async { [self] in run() }
  }

  func stop() {
    stopped.store(true, ordering: .releasing)
    watcher.wake()
  }

  /// Somebody else says that the folder may have changed.
  func hint() {
    isHinted.store(true, ordering: .releasing)
    watcher.wake()
  }

  /// Looks once, but not if it was stopped while it waited for its turn, since nobody would close
  /// the file after it.
  func tick(folderChanged: Bool) throws -> Int? {
    try core.patiently { store in
      guard !stopped.load(ordering: .acquiring) else { return nil }
      return try store.housekeeping.tick(folderChanged: folderChanged)
    }
  }

  /// Waits for a second after a failed look, whatever changes: the look itself may have caused the
  /// change.
  private func rest() {
    let clock = SystemClock()
    let end = clock.monotonic().plus(1_000_000_000)
    while !stopped.load(ordering: .acquiring) {
      let left = end.minus(clock.monotonic()) / 1_000_000
      guard left > 0 else { return }
      _ = watcher.wait(timeoutMilliseconds: Int(left))
    }
  }

  private func run() {
    var next: Int? = 0
    // Until it was looked at, whatever stops a look.
    var isChanged = false
    var failures = 0
    // An error that lasts is reported once.
    var told: StoreError?
    while !stopped.load(ordering: .acquiring) {
      let hint = watcher.wait(timeoutMilliseconds: next)
      if failures > 0 { rest() }
      guard !stopped.load(ordering: .acquiring) else { return }
      do {
        isChanged =
          isHinted.exchange(false, ordering: .acquiring) || isChanged || hint == .changed
        next = try tick(folderChanged: isChanged)
        (isChanged, failures, told) = (false, 0, nil)
      } catch {
        // The store was closed while the look waited.
        guard !stopped.load(ordering: .acquiring) else { return }
        // An arrival waits for a long read of this app, which is no problem of the folder.
        if core.readers.isAny, (error as? StoreError)?.code == .busy {
          (isChanged, next) = (true, 1000)
          continue
        }
        if let error = error as? StoreError, error != told {
          core.events.send(.problem(error))
          told = error
        }
        // An error that lasts is checked once a minute.
        (isChanged, next) = (true, min(1000 << failures, 60_000))
        failures = min(failures + 1, 6)
      }
    }
  }
}
