import OpenWOHistory

/// Moments as RFC 3339 text, to the millisecond.
enum MomentText {
  /// The moment in UTC, such as `2026-11-21T18:04:00.000Z`; texts sort as the moments do.
  ///
  /// Nil for a moment outside the years 0 to 9999.
  static func text(_ milliseconds: Int64) -> String? {
    guard CivilTime.firstMillisecond...CivilTime.lastMillisecond ~= milliseconds else { return nil }
    let time = CivilTime(milliseconds: milliseconds)
    func digits(_ value: Int, _ width: Int) -> String {
      let text = String(value)
      return String(repeating: "0", count: width - text.utf8.count) + text
    }
    let date = "\(digits(time.year, 4))-\(digits(time.month, 2))-\(digits(time.day, 2))"
    let clock = "\(digits(time.hour, 2)):\(digits(time.minute, 2)):\(digits(time.second, 2))"
    return "\(date)T\(clock).\(digits(time.millisecond, 3))Z"
  }

  /// Reads a date and a time of day to the second or finer, as RFC 3339 and SQLite's own functions
  /// write them: `T` or a space between, an offset or UTC.
  ///
  /// More than three digits of a second are rounded down to the millisecond.
  static func milliseconds(_ text: String) -> Int64? {
    var rest = Array(text.utf8)[...]
    guard let year = number(&rest, 4), skip(&rest, "-"), let month = number(&rest, 2),
      skip(&rest, "-"), let day = number(&rest, 2), skip(&rest, "T", "t", " "),
      let hour = number(&rest, 2), skip(&rest, ":"), let minute = number(&rest, 2),
      skip(&rest, ":"), let second = number(&rest, 2), let fraction = fraction(&rest),
      let offset = offset(&rest), rest.isEmpty
    else { return nil }
    return CivilTime.milliseconds(
      year: year, month: month, day: day, hour: hour, minute: minute, second: second,
      millisecond: fraction
    ).map { $0 - Int64(offset) * 60_000 }
  }

  private static func number(_ rest: inout ArraySlice<UInt8>, _ count: Int) -> Int? {
    let digits = rest.prefix(count).prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard digits.count == count else { return nil }
    rest = rest.dropFirst(count)
    return digits.reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  private static func skip(_ rest: inout ArraySlice<UInt8>, _ signs: Unicode.Scalar...) -> Bool {
    guard let first = rest.first, signs.contains(where: { UInt8(ascii: $0) == first }) else {
      return false
    }
    rest = rest.dropFirst()
    return true
  }

  /// Milliseconds; 0 if there is no fraction.
  private static func fraction(_ rest: inout ArraySlice<UInt8>) -> Int? {
    guard skip(&rest, ".") else { return 0 }
    let digits = rest.prefix { UInt8(ascii: "0")...UInt8(ascii: "9") ~= $0 }
    guard !digits.isEmpty else { return nil }
    rest = rest.dropFirst(digits.count)
    let three = Array(digits.prefix(3)) + Array(repeating: UInt8(ascii: "0"), count: 2)
    return three.prefix(3).reduce(0) { $0 * 10 + Int($1 - UInt8(ascii: "0")) }
  }

  /// Minutes east of UTC; 0 if the text does not say.
  private static func offset(_ rest: inout ArraySlice<UInt8>) -> Int? {
    if rest.isEmpty || skip(&rest, "Z", "z") { return 0 }
    let isWest = rest.first == UInt8(ascii: "-")
    guard skip(&rest, "+", "-"), let hours = number(&rest, 2), skip(&rest, ":"),
      let minutes = number(&rest, 2), hours < 24, minutes < 60
    else { return nil }
    return (isWest ? -1 : 1) * (hours * 60 + minutes)
  }
}
