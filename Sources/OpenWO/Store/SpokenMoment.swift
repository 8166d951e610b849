/// Reads a moment as people write it, and as the command prints it.
struct SpokenMoment {
  let now: Timestamp
  /// The person's time zone.
  let zone: LocalZone
  /// Whether a minute, a second or a day means its beginning.
  var isBeginning = false

  /// Understands `2026-11-20`, `2026-11-20 18:00` and `2026-11-20T18:00:05.000Z`, `2h ago`, `2h`, `3 days ago`, `an hour ago`, `now`,
  /// `today`, `18:00`, `yesterday`, `tuesday`, `last tuesday` and `last month`, each day also with a time; nil for anything else.
  ///
  /// A minute or a second means its end, so that a time as `history` prints it finds the version printed beside it.
  func read(_ text: String) -> Timestamp? {
    var words = text.lowercased().split(separator: " ").map(String.init)
    if words == ["now"] { return now }
    if words.count > 1, words.last == "ago" { return ago(words.dropLast()) }
    if let moment = date(text) ?? span(words) { return moment }
    let clock = words.last.flatMap(Self.secondsOfDay)
    if clock != nil { words.removeLast() }
    if clock != nil, words.count > 1, words.last == "at" { words.removeLast() }
    return day(words, at: clock)
  }
}

/// Spans of time before now.
extension SpokenMoment {
  /// A span without `ago`; what may be the beginning of an id is none.
  private func span(_ words: [String]) -> Timestamp? {
    let text = words.joined()
    if text.utf8.count > 3, text.utf8.allSatisfy(VersionName.isHex) { return nil }
    return ago(words[...])
  }

  private func ago(_ words: ArraySlice<String>) -> Timestamp? {
    let amount = words.joined()
    let digits = amount.prefix { $0.isASCII && $0.isNumber }
    let isOne = digits.isEmpty && words.count == 2 && ["a", "an"].contains(words.first)
    let name = isOne ? words.last ?? "" : String(amount.dropFirst(digits.count))
    guard let count = isOne ? 1 : Int64(digits), (0...1_000_000).contains(count) else {
      return nil
    }
    if let unit = Self.units[name] { return now.advanced(bySeconds: -count * unit) }
    return Self.months[name].map { months(before: count * $0) }
  }

  /// In seconds.
  private static let units: [String: Int64] = {
    let names: [(Int64, [String])] = [
      (1, ["s", "sec", "secs", "second", "seconds"]),
      (60, ["m", "min", "mins", "minute", "minutes"]),
      (3600, ["h", "hour", "hours"]), (86_400, ["d", "day", "days"]),
      (604_800, ["w", "week", "weeks"]),
    ]
    return Dictionary(
      uniqueKeysWithValues: names.flatMap { unit, names in names.map { ($0, unit) } })
  }()

  private static let months: [String: Int64] = [
    "month": 1, "months": 1, "year": 12, "years": 12,
  ]

  /// The same day of an earlier month at this time; the last one of a month that is too short.
  private func months(before count: Int64) -> Timestamp {
    let local = zone.local(now).description
    guard let year = Int64(local.prefix(4)), let month = Int64(local.dropFirst(5).prefix(2)),
      let day = Int64(local.dropFirst(8).prefix(2))
    else { return now }
    let wanted = max(year * 12 + month - 1 - count, 12)
    func padded(_ number: Int64, _ width: Int) -> String {
      String(String(number + 100_000).suffix(width))
    }
    let begin = "\(padded(wanted / 12, 4))-\(padded(wanted % 12 + 1, 2))-"
    for day in stride(from: day, to: 0, by: -1) {
      if let found = Timestamp(begin + padded(day, 2) + local.dropFirst(10)) {
        return moment(found)
      }
    }
    return now
  }
}

/// Days, and times of day.
extension SpokenMoment {
  /// A day by its name, at a time in seconds after midnight; without one, now's.
  private func day(_ words: [String], at clock: Int64?) -> Timestamp? {
    switch words {
    case []: return clock.map { back(0, at: $0) }
    case ["today"]: return back(0, at: clock ?? 0, isMinute: clock != nil)
    case ["yesterday"]: return back(1, at: clock)
    case ["last", "week"]: return back(7, at: clock)
    case ["last", "month"] where clock == nil: return months(before: 1)
    case ["last", "year"] where clock == nil: return months(before: 12)
    case _ where words.count == 1, _ where words.count == 2 && words[0] == "last":
      return daysBack(to: words.last ?? "").map { back($0, at: clock) }
    default: return nil
    }
  }

  /// How many days ago the latest such day before today was.
  private func daysBack(to word: String) -> Int64? {
    let days = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    guard word.count >= 3, let wanted = days.firstIndex(where: { $0.hasPrefix(word) }) else {
      return nil
    }
    let seconds = Double(zone.local(now).milliseconds / 1000)
    // 1970-01-01 was a Thursday.
    let today = ((Int((seconds / 86_400).rounded(.down)) + 3) % 7 + 7) % 7
    return Int64((today - wanted + 6) % 7 + 1)
  }

  /// So many days ago, at a time in seconds after midnight; without one at this time, or at midnight if the beginning is meant.
  private func back(_ days: Int64, at clock: Int64?, isMinute: Bool = true) -> Timestamp {
    let day = zone.local(now).advanced(bySeconds: -days * 86_400)
    guard let clock = clock ?? (isBeginning ? 0 : nil),
      let midnight = Timestamp("\(day.description.prefix(10))T00:00:00.000Z")
    else { return moment(day) }
    let begun = midnight.advanced(bySeconds: clock)
    return moment(isMinute && !isBeginning ? begun.advanced(byMilliseconds: 59_999) : begun)
  }

  /// A time of day, such as `18:00`, in seconds after midnight.
  private static func secondsOfDay(_ text: String) -> Int64? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count <= 2, parts[1].count == 2,
      let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour < 24, minute < 60
    else { return nil }
    return Int64(hour) * 3600 + Int64(minute) * 60
  }

  /// The moment of a local time: the later one when the hour repeats, unless the beginning is meant.
  private func moment(_ local: Timestamp) -> Timestamp {
    let found = zone.moments(local)
    return (isBeginning ? found.first : found.last)
      ?? zone.moment(local, east: zone.minutesEast(local))
  }

  private func date(_ text: String) -> Timestamp? {
    var body = text
    var east: Int64? = text.hasSuffix("Z") ? 0 : nil
    if east == 0 {
      body.removeLast()
    } else if let offset = Self.offset(body.suffix(6)) {
      east = offset
      body.removeLast(6)
      if body.hasSuffix(" ") { body.removeLast() }
    }
    let ends =
      isBeginning
      ? [10: "T00:00:00.000", 16: ":00.000", 19: ".000", 23: ""]
      : [10: "T00:00:00.000", 16: ":59.999", 19: ".999", 23: ""]
    guard let end = ends[body.utf8.count] else { return nil }
    if body.utf8.count > 10, let place = body.firstIndex(of: " ") {
      body.replaceSubrange(place...place, with: "T")
    }
    guard let local = Timestamp(body + end + "Z") else { return nil }
    return east.map { zone.moment(local, east: $0) } ?? moment(local)
  }

  /// The minutes of an offset such as `+02:00`.
  private static func offset(_ text: Substring) -> Int64? {
    let sign: Int64 = text.hasPrefix("-") ? -1 : 1
    guard text.utf8.count == 6, sign < 0 || text.hasPrefix("+"),
      let seconds = secondsOfDay(String(text.dropFirst()))
    else { return nil }
    return sign * seconds / 60
  }
}
