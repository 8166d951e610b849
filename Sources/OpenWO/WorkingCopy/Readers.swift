import OpenWOFiles
import Synchronization

/// The connections that read the live file beside the store.
///
/// A read begins while the store is held, and ends without it. So whoever holds the store may wait for the end of all reads, and none
/// begins meanwhile.
final class Readers: Sendable {
  /// So many reads run at once; a further one waits for its turn.
  static let most = 8

  private struct State {
    var active: [(reader: Reader, since: Int64)] = []
    /// Those that are open for the next read.
    var idle: [Reader] = []
    var generation = 0
    /// Until when no read begins, by the monotonic clock, as a call waits for their end.
    var heldBackUntil = Int64.min
  }

  private let state = Mutex(State())

  /// Whether any read runs.
  var isAny: Bool { state.withLock { !$0.active.isEmpty } }

  /// Which opening of the live file the next reader belongs to.
  var generation: Int { state.withLock(\.generation) }

  /// Whether a read runs that began before a moment of the monotonic clock.
  func isAny(begunBefore moment: Int64) -> Bool {
    state.withLock { $0.active.contains { $0.since < moment } }
  }

  /// Whether a read runs on a connection from an earlier opening of the live file.
  func isAny(olderThan generation: Int) -> Bool {
    state.withLock { $0.active.contains { $0.reader.generation < generation } }
  }

  /// Whether a read of this file runs.
  func isReading(_ file: FileSignature) -> Bool {
    state.withLock { $0.active.contains { $0.reader.file.isSameFile(as: file) } }
  }

  /// Whether a further read may begin.
  func mayBegin(at now: Int64) -> Bool {
    state.withLock { $0.active.count < Self.most && $0.heldBackUntil <= now }
  }

  /// Lets no read begin for a moment, so that a call which waits for the end of all has its turn.
  func holdBack(until moment: Int64) { state.withLock { $0.heldBackUntil = moment } }

  /// Lets reads begin again.
  func letBegin() { state.withLock { $0.heldBackUntil = .min } }

  /// A reader that is open; nil if there is none.
  func takeIdle() -> Reader? { state.withLock { $0.idle.popLast() } }

  /// Keeps a reader that has not begun for the next read.
  func keep(_ reader: Reader) { state.withLock { $0.idle.append(reader) } }

  /// Notes that a reader has begun at a moment of the monotonic clock.
  func add(_ reader: Reader, at now: Int64) {
    state.withLock { $0.active.append((reader, now)) }
  }

  /// Ends a read, from any thread: the reader is kept open, or closed if the store has closed the live file since.
  func finish(_ reader: Reader) {
    let isIdle = reader.isIdle
    let isKept = state.withLock { state in
      guard isIdle, reader.generation == state.generation else { return false }
      reader.leaveSession()
      state.active.removeAll { $0.reader === reader }
      state.idle.append(reader)
      return true
    }
    guard !isKept else { return }
    reader.close()
    state.withLock { state in state.active.removeAll { $0.reader === reader } }
  }

  /// Closes the readers that do not read; the others close at their end.
  func closeIdle() {
    let idle = state.withLock { state in
      defer { state.idle = [] }
      state.generation += 1
      return state.idle
    }
    for reader in idle { reader.close() }
  }
}
