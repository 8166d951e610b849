import OpenWOFiles
import Synchronization

/// One device's clock: the run's, and how much it is off.
final class DeviceClock: StoreClock {
  private let base: ManualClock
  private let skew: Mutex<Int64>

  init(_ base: ManualClock, skew: Int64) {
    self.base = base
    self.skew = Mutex(skew)
  }

  func now() -> Int64 { base.now() + skew.withLock { $0 } }
  func monotonic() -> Int64 { base.monotonic() }
  func sleep(nanoseconds: Int64) { base.sleep(nanoseconds: nanoseconds) }

  /// Sets how much it is off from now on, in milliseconds.
  func setSkew(_ milliseconds: Int64) { skew.withLock { $0 = milliseconds } }
}

/// Lets files have the times of a device's clock, which runs ahead of the machine's.
///
/// A time that is earlier than any of the run's comes from the kernel: it means the moment at which
/// it was first seen.
final class VirtualTimes: SystemCallObserver {
  /// The beginning of 2040, when every run starts, in milliseconds since 1970.
  static let start: Int64 = 2_208_988_800_000
  private static let earliest = (start - 2_000 * 86_400_000) * 1_000_000

  private struct Entry {
    var kernel: FileStatus
    var shown: FileStatus
  }

  private let clock: any StoreClock
  private let state = Mutex<(entries: [UInt64: Entry], count: Int64)>(([:], 0))

  init(_ clock: any StoreClock) {
    self.clock = clock
  }

  func willCall(_ call: SystemCall) throws(FileError) {}
  func didCall(_ call: SystemCall) {}

  func seen(_ status: FileStatus) -> FileStatus {
    state.withLock { state in
      let known = state.entries[status.inode]
      // No two states of a file have the same time.
      state.count += 1
      let now = clock.now() * 1_000_000 + state.count % 1_000_000
      var shown = status
      let isUnchanged = known?.kernel.signature == status.signature
      shown.ctime = isUnchanged ? known?.shown.ctime ?? now : now
      if status.mtime < Self.earliest {
        shown.mtime = known?.kernel.mtime == status.mtime ? known?.shown.mtime ?? now : now
      }
      state.entries[status.inode] = Entry(kernel: status, shown: shown)
      return shown
    }
  }
}
