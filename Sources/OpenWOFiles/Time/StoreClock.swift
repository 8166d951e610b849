import OpenWOCFiles

/// The time as the store sees it: the wall clock for stamps, the monotonic one for waiting.
package protocol StoreClock: Sendable {
  /// Milliseconds since 1970; may jump either way.
  func now() -> Int64
  /// Nanoseconds since some moment of this boot; never goes back.
  func monotonic() -> Int64
  /// Waits for at least this much monotonic time.
  func sleep(nanoseconds: Int64)
}

extension Duration {
  /// The duration in nanoseconds, as far as they can be counted.
  package var nanoseconds: Int64 {
    let (seconds, attoseconds) = components
    let (whole, isTooLong) = seconds.multipliedReportingOverflow(by: 1_000_000_000)
    let (sum, isStillTooLong) = whole.addingReportingOverflow(attoseconds / 1_000_000_000)
    return isTooLong || isStillTooLong ? (seconds < 0 ? .min : .max) : sum
  }
}

/// The clocks of this machine.
package struct SystemClock: StoreClock {
  /// The clocks; there is nothing to choose.
  package init() {}

  package func now() -> Int64 {
    let time = read(CLOCK_REALTIME)
    return Int64(time.tv_sec).times(1000).plus(Int64(time.tv_nsec) / 1_000_000)
  }

  package func monotonic() -> Int64 {
    let time = read(CLOCK_MONOTONIC)
    return Int64(time.tv_sec).times(1_000_000_000).plus(Int64(time.tv_nsec))
  }

  package func sleep(nanoseconds: Int64) {
    guard nanoseconds > 0 else { return }
    var left = timespec(
      tv_sec: time_t(nanoseconds / 1_000_000_000), tv_nsec: Int(nanoseconds % 1_000_000_000))
    var rest = timespec()
    while nanosleep(&left, &rest) == -1, openwo_errno() == EINTR { left = rest }
  }

  private func read(_ clock: clockid_t) -> timespec {
    var time = timespec()
    clock_gettime(clock, &time)
    return time
  }
}
