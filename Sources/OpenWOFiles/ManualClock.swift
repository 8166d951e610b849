import Synchronization

/// A clock that moves only when told to, for simulations and tests.
///
/// Whoever sleeps on it moves it, so code that waits comes to its deadline at once.
package final class ManualClock: StoreClock {
  private let time: Mutex<(now: Int64, monotonic: Int64)>
  private let whileSleeping: @Sendable (ManualClock) -> Void

  /// Makes a clock that shows so many milliseconds since 1970.
  ///
  /// `whileSleeping` is what the world does while someone sleeps; it is called after the clock
  /// has moved.
  package init(
    now: Int64 = 1_795_000_000_000,
    whileSleeping: @escaping @Sendable (ManualClock) -> Void = { _ in }
  ) {
    time = Mutex((now, 0))
    self.whileSleeping = whileSleeping
  }

  package func now() -> Int64 { time.withLock { $0.now + $0.monotonic / 1_000_000 } }

  package func monotonic() -> Int64 { time.withLock { $0.monotonic } }

  package func sleep(nanoseconds: Int64) {
    advance(nanoseconds: nanoseconds)
    whileSleeping(self)
  }

  /// Lets time go by, on both clocks.
  package func advance(nanoseconds: Int64) {
    time.withLock { $0.monotonic += max(0, nanoseconds) }
  }

  /// Lets time go by, on both clocks.
  package func advance(milliseconds: Int64) { advance(nanoseconds: milliseconds * 1_000_000) }

  /// Sets the wall clock only, as a user or a time server does.
  package func setWall(_ milliseconds: Int64) {
    time.withLock { $0.now = milliseconds - $0.monotonic / 1_000_000 }
  }
}
