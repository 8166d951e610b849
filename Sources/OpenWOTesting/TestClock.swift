package import OpenWOFiles

#if canImport(FoundationEssentials)
  public import FoundationEssentials
#else
  public import Foundation
#endif

/// A clock that moves only when a test says so; code that waits on it reaches its deadline at once.
///
/// It begins at the machine's time. Files get that time, so the clock catches up with it whenever it
/// moves, until ``set(_:)`` gives it a time of its own.
public final class TestClock: Sendable {
  /// The clock for a `Configuration`.
  package let manual: ManualClock

  /// Makes a clock that shows the machine's time now.
  public init() {
    manual = ManualClock(now: SystemClock().now(), notBehind: SystemClock())
  }

  /// The time that it shows, to the millisecond.
  public var now: Date { Date(timeIntervalSince1970: Double(manual.now()) / 1000) }

  /// Moves it forward; a negative duration does not move it.
  public func advance(by duration: Duration) {
    manual.advance(milliseconds: Int64((duration / .milliseconds(1)).rounded()))
  }

  /// Sets what it shows, as a person or a time server does; timers do not notice.
  public func set(_ date: Date) {
    manual.setWall(Int64((date.timeIntervalSince1970 * 1000).rounded()))
  }
}
