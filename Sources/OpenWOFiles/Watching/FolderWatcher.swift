import OpenWOCFiles
import Synchronization
package import SystemPackage

/// Notices that something changed in some folders.
///
/// An event is only a hint to look at the folder. It does not say what changed, or that anything
/// did, and several changes may make one event. But every change makes one, even if a folder is
/// missing at first, or is replaced, moved or deleted. Reading makes no event.
///
/// The kernel reports changes, and nothing runs in between. If it cannot, the folders are listed at
/// intervals; ``mode`` says so and why.
package final class FolderWatcher: Sendable {
  /// How changes are noticed.
  package enum Mode: Sendable, Hashable {
    case notified
    /// The folders are listed at intervals, for this reason.
    case polling(reason: String)
  }

  /// Why ``wait(timeoutMilliseconds:)`` returned.
  package enum Event: Sendable, Hashable {
    case changed, timeout, woken
  }

  private let folders: [FilePath]
  private let debounce: Int64
  private let interval: Int64
  private let files: FileSystem
  private let clock = SystemClock()
  private let source: Mutex<Source>
  private let shownMode: Mutex<Mode>
  private let sleeper: Descriptor
  private let waker: Descriptor

  /// Where events come from.
  private enum Source {
    #if os(Linux)
      case notifier(FolderNotifier)
    #endif
    case listing(FolderListing)
  }

  /// Starts to watch: what changes from now on makes an event.
  ///
  /// After a change it waits until in a stretch of the debounce time nothing more came, at most ten of them.
  /// With `polling` the folders are listed at this interval instead of asking the kernel;
  /// `fallbackInterval` is for when the kernel cannot tell.
  package init(
    folders: [FilePath], debounceMilliseconds: Int = 10, polling: Int? = nil,
    fallbackInterval: Int = 1000, fileSystem: FileSystem = FileSystem()
  ) throws(FileError) {
    self.folders = folders
    debounce = Int64(debounceMilliseconds)
    interval = Int64(max(1, polling ?? fallbackInterval))
    files = fileSystem
    (sleeper, waker) = try fileSystem.pipe()
    let (source, mode) = FolderWatcher.source(folders, asked: polling != nil, fileSystem)
    self.source = Mutex(source)
    shownMode = Mutex(mode)
  }

  /// How changes are noticed now; a watcher can fall back to polling, and never returns from it.
  package var mode: Mode { shownMode.withLock { $0 } }

  /// Ends the wait of another thread, or else the next wait.
  package func wake() {
    var byte: UInt8 = 1
    // A full pipe is fine: it is readable.
    _ = OpenWOCFiles.write(waker.number, &byte, 1)
  }

  /// Waits for a change since the last wait, for a ``wake()`` or for the time to run out.
  ///
  /// Without a time it waits as long as it takes. One thread waits at a time; others queue.
  package func wait(timeoutMilliseconds: Int? = nil) -> Event {
    let deadline = timeoutMilliseconds.map { milliseconds().plus(Int64($0)) }
    return source.withLock { source in
      while true {
        switch source {
        #if os(Linux)
          case .notifier(var notifier):
            do throws(FileError) {
              let event = try wait(for: &notifier, until: deadline)
              source = .notifier(notifier)
              return event
            } catch {
              // This event covers changes during the switch.
              source = .listing(FolderListing(of: folders, files))
              shownMode.withLock { $0 = .polling(reason: error.message) }
              return .changed
            }
        #endif
        case .listing(var listing):
          let event = wait(for: &listing, until: deadline)
          source = .listing(listing)
          return event
        }
      }
    }
  }

  private static func source(
    _ folders: [FilePath], asked: Bool, _ files: FileSystem
  ) -> (Source, Mode) {
    let listing = Source.listing(FolderListing(of: folders, files))
    if asked { return (listing, .polling(reason: "asked for")) }
    #if os(Linux)
      do throws(FileError) {
        return (.notifier(try FolderNotifier(folders, files)), .notified)
      } catch {
        return (listing, .polling(reason: error.message))
      }
    #else
      return (listing, .polling(reason: "not notified on this system"))
    #endif
  }

  private func wait(for listing: inout FolderListing, until deadline: Int64?) -> Event {
    while true {
      let start = milliseconds()
      let next = FolderListing(of: folders, files)
      if next != listing {
        listing = next
        return .changed
      }
      let now = milliseconds()
      if let deadline, now >= deadline { return .timeout }
      // Never at it for more than a tenth of the time.
      let pause = max(interval, 10 * (now - start))
      if isWoken(within: min(pause, (deadline ?? .max) - now)) { return .woken }
    }
  }

  #if os(Linux)
    private func wait(
      for notifier: inout FolderNotifier, until deadline: Int64?
    ) throws(FileError) -> Event {
      while true {
        if try notifier.rearmIfReplaced() { return .changed }
        let left = deadline.map { max(0, $0 - milliseconds()) }
        let ready = poll([sleeper.number, notifier.descriptor.number], milliseconds: left)
        if ready.contains(sleeper.number) {
          drain()
          return .woken
        }
        if ready.isEmpty { return try notifier.rearmIfReplaced() ? .changed : .timeout }
        if try notifier.takeEvents() {
          try settle(&notifier)
          return .changed
        }
      }
    }

    /// Waits until no more events of the same change come, or somebody wakes us.
    ///
    /// It sleeps between two looks: a commit makes a dozen events, and the writer needs the
    /// processor.
    private func settle(_ notifier: inout FolderNotifier) throws(FileError) {
      for _ in 0..<10 {
        if !poll([sleeper.number], milliseconds: debounce).isEmpty { return }
        if poll([notifier.descriptor.number], milliseconds: 0).isEmpty { return }
        _ = try notifier.takeEvents()
      }
    }
  #endif

  private func isWoken(within milliseconds: Int64) -> Bool {
    guard !poll([sleeper.number], milliseconds: milliseconds).isEmpty else { return false }
    drain()
    return true
  }

  private func drain() {
    var bytes: (UInt64, UInt64) = (0, 0)
    while read(sleeper.number, &bytes, 16) > 0 {}
  }

  /// Those of the descriptors that can be read; none when the time ran out.
  private func poll(_ descriptors: [Int32], milliseconds limit: Int64?) -> [Int32] {
    let end = limit.map { milliseconds() &+ min($0, Int64(Int32.max)) }
    var polled = descriptors.map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while true {
      let left = end.map { Int32(clamping: max(0, $0.minus(milliseconds()))) } ?? -1
      let count = OpenWOCFiles.poll(&polled, nfds_t(polled.count), left)
      if count >= 0 || openwo_errno() != EINTR {
        return polled.filter { $0.revents != 0 }.map(\.fd)
      }
    }
  }

  private func milliseconds() -> Int64 { clock.monotonic() / 1_000_000 }
}
