/// A stamp of the hybrid logical clock: milliseconds since 1970 and a counter within the millisecond.
///
/// Its text, such as `2026-11-21T07:43:08.1230000Z`, is RFC 3339 with seven digits of a second: three for the
/// milliseconds, four for the counter. Texts of stamps sort as the stamps do.
package struct HybridTime: Hashable, Comparable, Sendable, CustomStringConvertible {
  /// The highest counter that four digits can write.
  package static let lastCounter: UInt16 = 9999
  /// How far ahead of our own clock a stamp may be and still be followed: five minutes.
  package static let trustedLead: Int64 = 300_000

  /// Milliseconds since 1970, at most those of the year 9999.
  package let milliseconds: Int64
  /// The place among the stamps of one millisecond, at most 9999.
  package let counter: UInt16

  /// Makes a stamp; values that the text cannot write count as the nearest that it can.
  package init(milliseconds: Int64, counter: UInt16 = 0) {
    self.milliseconds = min(max(milliseconds, 0), CivilTime.lastMillisecond)
    self.counter = min(counter, Self.lastCounter)
  }

  /// The stamp right after this one; the last stamp of all is its own successor.
  package var tick: HybridTime {
    if counter < Self.lastCounter {
      return HybridTime(milliseconds: milliseconds, counter: counter + 1)
    }
    if milliseconds == CivilTime.lastMillisecond { return self }
    return HybridTime(milliseconds: milliseconds + 1)
  }

  /// The stamp for something new: later than our clock's last stamps and not before the time of day.
  ///
  /// A stamp more than five minutes ahead of `now` is not followed, so that one device whose clock is wrong
  /// does not drag the others along.
  package static func next(after stamps: some Sequence<HybridTime>, now: Int64) -> HybridTime {
    let present = HybridTime(milliseconds: now)
    let limit = present.milliseconds + trustedLead
    guard let latest = stamps.lazy.filter({ $0.milliseconds <= limit }).max(), latest >= present
    else {
      return present
    }
    return latest.tick
  }

  /// The stamp for something that was found: the time that its file carries, and later than what it was made from.
  ///
  /// It is the same on every device whose clock is not far off, so that twins of one content have one stamp.
  package static func found(
    modified: Int64, after parents: some Sequence<HybridTime>, now: Int64
  ) -> HybridTime {
    let latest = HybridTime(milliseconds: now).milliseconds + trustedLead
    let at = HybridTime(milliseconds: min(modified, latest))
    return parents.lazy.filter { !$0.isAhead(of: now) }.max().map { max(at, $0.tick) } ?? at
  }

  /// Whether the stamp is so far ahead of the given time that a clock must be wrong.
  package func isAhead(of now: Int64) -> Bool {
    milliseconds > HybridTime(milliseconds: now).milliseconds + Self.trustedLead
  }

  /// Orders stamps by time, then by counter.
  package static func < (left: HybridTime, right: HybridTime) -> Bool {
    (left.milliseconds, left.counter) < (right.milliseconds, right.counter)
  }
}
