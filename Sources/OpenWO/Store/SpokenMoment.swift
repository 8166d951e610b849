/// Reads a moment as people write it, and as the command prints it.
struct SpokenMoment {
  let now: Timestamp
  /// Minutes east of UTC: where the person is.
  let offset: Int64
  /// Whether a minute or a second means its beginning.
  var isBeginning = false

  /// Understands `2026-11-20`, `2026-11-20 18:00` and `2026-11-20T18:00:05.000Z`, `2h ago`, `3 days ago`, `an hour ago`, `now`,
  /// `today`, `18:00`, `yesterday` and `last tuesday`; nil for anything else.
  ///
  /// A minute or a second means its end, so that a time as `history` prints it finds the version printed beside it.
  func read(_ text: String) -> Timestamp? {
    let words = text.lowercased().split(separator: " ").map(String.init)
    switch words {
    case ["now"]: return now
    case ["today"]: return today(at: 0)
    case ["yesterday"]: return now.advanced(bySeconds: -86_400)
    case _ where words.count == 2 && words[0] == "last": return last(words[1])
    case _ where words.count > 1 && words.last == "ago": return ago(words.dropLast())
    default: return clockTime(text) ?? date(text)
    }
  }

  /// A time of day of today, such as `18:00`.
  private func clockTime(_ text: String) -> Timestamp? {
    let parts = text.split(separator: ":", omittingEmptySubsequences: false)
    guard parts.count == 2, parts[0].count <= 2, parts[1].count == 2,
      let hour = UInt8(parts[0]), let minute = UInt8(parts[1]), hour < 24, minute < 60
    else { return nil }
    let begun = today(at: Int64(hour) * 3600 + Int64(minute) * 60)
    return isBeginning ? begun : begun.advanced(byMilliseconds: 59_999)
  }

  /// So many seconds after midnight where the person is.
  private func today(at seconds: Int64) -> Timestamp {
    let local = now.advanced(bySeconds: offset * 60).description.prefix(10)
    let midnight = Timestamp("\(local)T00:00:00.000Z") ?? now
    return midnight.advanced(bySeconds: seconds - offset * 60)
  }

  private func ago(_ words: ArraySlice<String>) -> Timestamp? {
    let amount = words.joined()
    let digits = amount.prefix { $0.isASCII && $0.isNumber }
    let isOne = digits.isEmpty && words.count == 2 && ["a", "an"].contains(words.first)
    let name = isOne ? words.last ?? "" : String(amount.dropFirst(digits.count))
    guard let unit = Self.units[name], let count = isOne ? 1 : Int64(digits),
      (0...1_000_000).contains(count)
    else { return nil }
    return now.advanced(bySeconds: -count * unit)
  }

  /// In seconds.
  private static let units: [String: Int64] = {
    let names: [(Int64, [String])] = [
      (1, ["s", "sec", "secs", "second", "seconds"]),
      (60, ["m", "min", "mins", "minute", "minutes"]),
      (3600, ["h", "hour", "hours"]), (86_400, ["d", "day", "days"]),
      (604_800, ["w", "week", "weeks"]), (30 * 86_400, ["month", "months"]),
      (365 * 86_400, ["year", "years"]),
    ]
    return Dictionary(
      uniqueKeysWithValues: names.flatMap { unit, names in names.map { ($0, unit) } })
  }()

  /// The latest such day before today, at this time of day.
  private func last(_ word: String) -> Timestamp? {
    if word == "week" { return now.advanced(bySeconds: -604_800) }
    let days = [
      "monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday",
    ]
    guard word.count >= 3, let wanted = days.firstIndex(where: { $0.hasPrefix(word) }) else {
      return nil
    }
    let seconds = now.milliseconds / 1000 + offset * 60
    let day = Int((Double(seconds) / 86_400).rounded(.down))
    // 1970-01-01 was a Thursday.
    let today = ((day + 3) % 7 + 7) % 7
    let back = (today - wanted + 6) % 7 + 1
    return now.advanced(bySeconds: -Int64(back) * 86_400)
  }

  private func date(_ text: String) -> Timestamp? {
    let isUTC = text.hasSuffix("Z")
    var body = isUTC ? String(text.dropLast()) : text
    let ends =
      isBeginning
      ? [10: "T00:00:00.000", 16: ":00.000", 19: ".000", 23: ""]
      : [10: "T00:00:00.000", 16: ":59.999", 19: ".999", 23: ""]
    guard let end = ends[body.utf8.count] else { return nil }
    if body.utf8.count > 10, let place = body.firstIndex(of: " ") {
      body.replaceSubrange(place...place, with: "T")
    }
    guard let moment = Timestamp(body + end + "Z") else { return nil }
    return isUTC ? moment : moment.advanced(bySeconds: -offset * 60)
  }
}
