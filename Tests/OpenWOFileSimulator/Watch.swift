import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import Synchronization
import SystemPackage

/// Sees every call of one device's store: checks what disappears by it, lets some fail, or lets the service come in between.
final class Watch: SystemCallObserver {
  /// An event before one call.
  enum Event: Sendable {
    /// That call fails, or all from that one on.
    case failure(Int32, lasting: Bool)
    case service(@Sendable () -> Void)
  }

  private struct State {
    var calls = 0
    var event: (number: Int, action: Event)?
    var hasActed = ""
    var violation: String?
    /// The files that the store has made itself and nobody else has seen.
    var own: Set<FilePath> = []
    var versions = ArchiveListing.empty
  }

  let times: VirtualTimes
  private let folder: FilePath
  private let stateFolder: FilePath
  private let database: FilePath
  private let companion: FilePath
  private let canExchange: Bool
  private let files = FileSystem()
  private let archive = Mutex<Archive?>(nil)
  private let state = Mutex(State())

  private static let failing: Set<SystemCall.Kind> = [
    .open, .read, .write, .fsync, .rename, .renameNew, .exchange, .link, .unlink, .mkdir, .stat,
    .list, .truncate,
  ]
  private static let looking: Set<SystemCall.Kind> = [
    .close, .read, .fsync, .stat, .list, .flock, .funlock, .access, .readAttributes, .realpath,
    .freeSpace, .watch, .spawn,
  ]

  init(_ times: VirtualTimes, folder: FilePath, state: FilePath, canExchange: Bool) {
    (self.times, self.folder, self.canExchange) = (times, folder, canExchange)
    stateFolder = state
    database = folder.appending("openwo.sqlite")
    companion = folder.appending("openwo.sqlite.openwo")
  }

  /// Tells it where the versions are.
  func know(_ archive: Archive) { self.archive.withLock { $0 = archive } }

  /// Begins a step, in which something may happen before a call.
  func begin(_ event: (Int, Event)?) {
    state.withLock { state in
      (state.calls, state.hasActed) = (0, "")
      state.event = event.map { ($0.0, $0.1) }
    }
  }

  /// Ends a step: before which call something has happened, and what is wrong.
  func end() -> (acted: String, violation: String?) {
    state.withLock { state in
      state.event = nil
      return (state.hasActed, state.violation)
    }
  }

  func seen(_ status: FileStatus) -> FileStatus { times.seen(status) }

  func willCall(_ call: SystemCall) throws(FileError) {
    if !canExchange && (call.kind == .exchange || call.kind == .renameNew) {
      throw FileError(call, errno: Errno.invalidArgument.rawValue)
    }
    switch due(call) {
    case .failure(let number, _): throw FileError(call, errno: suitable(number, call))
    case .service(let action): action()
    case nil: break
    }
    if let wrong = judge(call) {
      state.withLock { $0.violation = $0.violation ?? "\(wrong): \(describe(call))" }
    }
  }

  func didCall(_ call: SystemCall) {}

  /// Reading fails with an I/O error and nothing else.
  ///
  /// A lock file that may not be opened counts as none, see README.
  private func suitable(_ number: Int32, _ call: SystemCall) -> Int32 {
    let isLock = call.path?.removingLastComponent().lastComponent == "locks"
    let isReading = call.kind == .read || call.kind == .open && isLock
    return isReading ? Errno.ioError.rawValue : number
  }

  private func describe(_ call: SystemCall, _ event: Event? = nil) -> String {
    let names = [call.path, call.otherPath].compactMap { $0?.lastComponent?.string }
    var words = ["\(call.kind)"] + names
    if case .failure(let number, let isLasting) = event {
      let why = Errno(rawValue: suitable(number, call))
      words += ["\(why)", isLasting ? "from then on" : "once"]
    }
    return words.joined(separator: " ")
  }

  private func due(_ call: SystemCall) -> Event? {
    state.withLock { state in
      state.calls += 1
      guard let event = state.event, state.calls > event.number else { return nil }
      switch event.action {
      case .failure where !Self.failing.contains(call.kind): return nil
      case .failure(_, lasting: true): break
      case .service where isBlind(call): return nil
      default: state.event = nil
      }
      if state.hasActed.isEmpty { state.hasActed = describe(call, event.action) }
      return event.action
    }
  }

  /// Where two files cannot be exchanged, what comes within the one call that takes the name is overwritten, and nothing can be done about it.
  private func isBlind(_ call: SystemCall) -> Bool {
    !canExchange && call.kind == .rename && call.otherPath == database
  }
}

/// I7 and I8, at the call itself.
extension Watch {
  /// The fault of a call that is about to be made.
  private func judge(_ call: SystemCall) -> String? {
    guard !Self.looking.contains(call.kind), let path = call.path else { return nil }
    if path.starts(with: stateFolder) { return nil }
    guard path.starts(with: folder) else {
      return call.kind == .open ? nil : "I8 touches what is not the store's"
    }
    guard path.removingLastComponent() == folder else { return nil }
    let isStaging = path.lastComponent.map(AtomicFile.isStaging) ?? false
    switch call.kind {
    case .open:
      if isStaging, (try? files.statusIfPresent(path)) == .some(nil) {
        state.withLock { _ = $0.own.insert(path) }
      }
      return nil
    case .write, .truncate, .clone, .allocate:
      return isStaging && isOwn(path) ? nil : "I7 writes over a file"
    case .exchange, .rename, .link, .renameNew: return judgeRename(call, path)
    case .unlink: return judgeLoss(of: path)
    // The companion's folder has the mode of the database.
    case .setMode where path == companion, .setOwner where path == companion: return nil
    case .setMode, .setOwner, .setTimes, .writeAttribute:
      return isStaging || path == database ? nil : "I8 touches what is not the store's"
    default: return nil
    }
  }

  private func judgeRename(_ call: SystemCall, _ path: FilePath) -> String? {
    guard let other = call.otherPath else { return nil }
    guard other.starts(with: folder) || other.starts(with: stateFolder) else {
      return "I8 moves a file away"
    }
    // Afterwards each file has the name of the other.
    let isOwn = isOwn(path)
    let wrong = call.kind == .rename ? judgeLoss(of: other) : nil
    state.withLock { state in
      state.own.remove(path)
      if isOwn && other.lastComponent.map(AtomicFile.isStaging) ?? false { state.own.insert(other) }
    }
    return wrong
  }

  private func isOwn(_ path: FilePath) -> Bool { state.withLock { $0.own.contains(path) } }

  /// A database that loses its last name must be a version, or evidence.
  private func judgeLoss(of path: FilePath) -> String? {
    let isForgotten = state.withLock { $0.own.remove(path) != nil }
    let name = path.lastComponent?.string ?? ""
    guard !isForgotten, !name.hasSuffix("-shm"), !name.hasSuffix("-wal"),
      let status = try? files.statusIfPresent(path), status.links == 1
    else { return nil }
    guard let bytes = try? files.readSmall(path, limit: 1 << 26), !isKept(bytes) else {
      return nil
    }
    return "I7 removes what is no version"
  }

  private func isKept(_ bytes: [UInt8]) -> Bool {
    guard let archive = archive.withLock(\.self) else { return false }
    let content = Contents.content(of: bytes)
    let before = state.withLock { $0.versions }
    guard let versions = try? archive.scan(reusing: before) else { return false }
    state.withLock { $0.versions = versions }
    if versions.holds(content) { return true }
    if isMadeOfKnownPages(bytes, archive, versions) { return true }
    let aside = archive.folders[0].removingLastComponent().appending("quarantine")
    return ((try? files.list(aside)) ?? []).contains { name in
      (try? files.readSmall(aside.appending(name), limit: 1 << 26)) == bytes
    }
  }

  /// Whether each whole page is in a version at its place, or is empty: then all of its rows are in versions.
  private func isMadeOfKnownPages(
    _ bytes: [UInt8], _ archive: Archive, _ listing: ArchiveListing
  ) -> Bool {
    guard let pageSize = DatabaseHeader.parse(Array(bytes.prefix(100)))?.pageSize else {
      return false
    }
    var left = stride(from: 0, to: bytes.count - bytes.count % pageSize, by: pageSize)
      .filter { place in bytes[place..<place + pageSize].contains { $0 != 0 } }
    for content in Set(listing.versions.map(\.content)) where !left.isEmpty {
      guard let reader = try? archive.reader(content, in: listing) else { continue }
      var page = [UInt8](repeating: 0, count: pageSize)
      left.removeAll { place in
        let count = page.withUnsafeMutableBytes { try? reader.read(at: Int64(place), into: $0) }
        return count == pageSize && bytes[place..<place + pageSize].elementsEqual(page)
      }
    }
    return left.isEmpty
  }
}
