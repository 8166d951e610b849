import OpenWO
import OpenWOFiles
import SystemPackage

/// How text is set: for a person before a terminal, or for a file.
struct Style: Sendable {
  /// The columns of the terminal; nil for a file.
  var width: Int?
  var hasColor: Bool
  var now: Timestamp

  init(_ descriptor: FileDescriptor, _ color: ColorChoice = .auto) {
    let isTerminal = Terminal.isTerminal(descriptor.rawValue)
    width = isTerminal ? Terminal.width(descriptor.rawValue) ?? 80 : nil
    hasColor = color.isOn(onTerminal: isTerminal)
    now = Timestamp(milliseconds: SystemClock().now())
  }

  func bold(_ text: String) -> String { colored(text, "1") }
  func red(_ text: String) -> String { colored(text, "31") }
  func green(_ text: String) -> String { colored(text, "32") }
  func yellow(_ text: String) -> String { colored(text, "33") }

  private func colored(_ text: String, _ code: String) -> String {
    hasColor ? "\u{1b}[\(code)m\(text)\u{1b}[0m" : text
  }
}

/// Times as people read them.
extension Style {
  /// How long ago a moment is, in two units at most, such as `2 h 5 min ago`.
  func ago(_ moment: Timestamp) -> String {
    let seconds = now.milliseconds(since: moment) / 1000
    if (-4..<5).contains(seconds) { return "just now" }
    return seconds < 0 ? "in \(Self.span(-seconds))" : "\(Self.span(seconds)) ago"
  }

  /// A moment that is over, and how long ago that was; one to come was noted while a clock was ahead.
  func past(_ moment: Timestamp) -> String {
    now.milliseconds(since: moment) < -300_000
      ? "at an unknown time: the clock was ahead then" : "\(local(moment)) (\(ago(moment)))"
  }

  /// The text for the time when somebody was seen; unknown if that clock is ahead.
  func seen(_ moment: Timestamp) -> String {
    now.milliseconds(since: moment) < -300_000
      ? "at an unknown time: its clock is ahead" : ago(moment)
  }

  /// A number of seconds in two units at most.
  static func span(_ seconds: Int64) -> String {
    let (minutes, hours, days) = (seconds / 60, seconds / 3600, seconds / 86_400)
    if minutes == 0 { return "\(seconds) s" }
    if hours == 0 { return "\(minutes) min" }
    if days == 0 { return pair("\(hours) h", minutes % 60, "min") }
    if days < 14 { return pair("\(days) d", hours % 24, "h") }
    return "\(days) d"
  }

  private static func pair(_ large: String, _ small: Int64, _ unit: String) -> String {
    small == 0 ? large : "\(large) \(small) \(unit)"
  }

  /// A moment in local time to the minute, such as `2026-11-20 18:31`; with the offset when the hour repeats.
  func local(_ moment: Timestamp) -> String {
    LocalZone.machine.text(moment)
  }

  /// A moment in local time to the second, such as `2026-11-20 18:31:05`, for a log.
  func second(_ moment: Timestamp) -> String {
    "\(local(moment).prefix(16))\(moment.description.dropFirst(16).prefix(3))"
  }

  /// A message whose moments in UTC, as the library writes them, are in local time.
  func localTimes(_ message: String) -> String {
    let bytes = Array(message.utf8)
    let length = 24
    var result: [UInt8] = []
    var place = 0
    while place < bytes.count {
      let end = place + length
      if end <= bytes.count, bytes[end - 1] == UInt8(ascii: "Z"),
        bytes[place + 10] == UInt8(ascii: "T"),
        let moment = Timestamp(String(decoding: bytes[place..<end], as: UTF8.self))
      {
        result += local(moment).utf8
        place = end
      } else {
        result.append(bytes[place])
        place += 1
      }
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// A moment in local time, without the date when that is today's.
  func clock(_ moment: Timestamp) -> String {
    let text = local(moment)
    return text.hasPrefix(local(now).prefix(10)) ? String(text.dropFirst(11)) : text
  }
}

/// Sizes as people read them.
extension Style {
  /// A number of bytes in SI units, such as `48 kB`.
  static func size(_ bytes: Int64) -> String {
    var (value, rest) = (bytes, Int64(0))
    var unit = "B"
    for larger in ["kB", "MB", "GB", "TB"] where value >= 1000 {
      (value, rest) = (value / 1000, value % 1000)
      unit = larger
    }
    return value < 10 && unit != "B" ? "\(value).\(rest / 100) \(unit)" : "\(value) \(unit)"
  }
}
