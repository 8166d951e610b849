import Synchronization

/// A clock that moves only when told to, for simulations and tests.
///
/// Sleeping on it moves it, so code that waits reaches its deadline at once.
package final class ManualClock: StoreClock {
  private struct Time {
    var now: Int64
    var monotonic: Int64 = 0
    var machine: (any StoreClock)?

    var wall: Int64 { now.plus(monotonic / 1_000_000) }
  }

  private let time: Mutex<Time>
  private let whileSleeping: @Sendable (ManualClock) -> Void

  /// Makes a clock that shows this many milliseconds since 1970.
  ///
  /// If it moves and shows less than `machine`, it first catches up: files get the machine's times,
  /// which must not be in the clock's future. Setting the clock ends that. `whileSleeping` runs
  /// during each sleep, after the clock has moved.
  package init(
    now: Int64 = 1_795_000_000_000, notBehind machine: (any StoreClock)? = nil,
    whileSleeping: @escaping @Sendable (ManualClock) -> Void = { _ in }
  ) {
    time = Mutex(Time(now: now, machine: machine))
    self.whileSleeping = whileSleeping
  }

  package func now() -> Int64 { time.withLock { $0.wall } }

  package func monotonic() -> Int64 { time.withLock { $0.monotonic } }

  package func sleep(nanoseconds: Int64) {
    advance(nanoseconds: nanoseconds)
    whileSleeping(self)
  }

  /// Advances both clocks.
  package func advance(nanoseconds: Int64) {
    time.withLock { time in
      let behind = (time.machine?.now() ?? time.wall).minus(time.wall)
      let caughtUp = Int64.nanoseconds(milliseconds: max(0, behind))
      time.monotonic = time.monotonic.plus(caughtUp.plus(max(0, nanoseconds)))
    }
  }

  /// Advances both clocks.
  package func advance(milliseconds: Int64) {
    advance(nanoseconds: .nanoseconds(milliseconds: milliseconds))
  }

  /// Sets the wall clock only, as a user or a time server does.
  package func setWall(_ milliseconds: Int64) {
    time.withLock { time in
      time.now = milliseconds.minus(time.monotonic / 1_000_000)
      time.machine = nil
    }
  }
}
