import OpenWOApp

/// The language of a page, and how it says times, sizes and numbers.
struct Voice: Sendable {
  let language: Language
  let now: Timestamp

  /// A text in the page's language.
  func callAsFunction(_ en: String, _ ja: String) -> String { language == .ja ? ja : en }

  /// A text in the page's language, as a piece of a page.
  func say(_ en: String, _ ja: String) -> Node { .text(self(en, ja)) }

  /// A moment: of today only the time; the script shows it in the browser's zone.
  func time(_ moment: Timestamp, onlyTime: Bool = false) -> Node {
    let kind = onlyTime || day(moment) == day(now) ? "time" : "both"
    return tag(
      "time", ["datetime": moment.description, "data-show": kind],
      .text(kind == "time" ? clock(moment) : "\(date(moment)) \(clock(moment))"))
  }

  /// The time of day on this machine, such as `14:02`.
  func clock(_ moment: Timestamp) -> String { String(local(moment).dropFirst(11)) }

  /// The day on this machine, for people.
  func date(_ moment: Timestamp) -> String {
    let parts = day(moment).split(separator: "-")
    guard parts.count == 3, let month = Int(parts[1]), let number = Int(parts[2]) else { return "" }
    let names = [
      "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
    ]
    return self("\(number) \(names[month - 1]) \(parts[0])", "\(parts[0])年\(month)月\(number)日")
  }

  /// The day as a heading: today, yesterday, or its date.
  func heading(_ moment: Timestamp) -> String {
    let found = day(moment)
    if found == day(now) { return self("Today", "今日") }
    if found == day(now.advanced(bySeconds: -86400)) { return self("Yesterday", "昨日") }
    return date(moment)
  }

  /// The day on this machine as `2026-11-27`.
  func day(_ moment: Timestamp) -> String { String(local(moment).prefix(10)) }

  /// How long ago a moment was.
  func ago(_ moment: Timestamp) -> String {
    let seconds = max(0, now.milliseconds - moment.milliseconds) / 1000
    switch seconds {
    case ..<60: return self("just now", "たった今")
    case ..<3600: return self("\(seconds / 60) min ago", "\(seconds / 60)分前")
    case ..<86400: return self("\(seconds / 3600) h ago", "\(seconds / 3600)時間前")
    default:
      let days = seconds / 86400
      return self(days == 1 ? "1 day ago" : "\(days) days ago", "\(days)日前")
    }
  }

  /// A number of bytes.
  func size(_ bytes: Int64) -> String {
    switch bytes {
    case ..<1024: self("\(bytes) bytes", "\(bytes)バイト")
    case ..<(1 << 20): "\(bytes >> 10) KB"
    default: "\(bytes >> 20) MB"
    }
  }

  /// A number of rows.
  func rows(_ count: Int) -> String { self(count == 1 ? "1 row" : "\(count) rows", "\(count)行") }

  /// Local time as a file's name has it, such as `20261127_1402`.
  func stamp(_ moment: Timestamp) -> String {
    String(
      local(moment).prefix(16).map { $0 == " " ? "_" : $0 }.filter { $0 != "-" && $0 != ":" })
  }

  /// A moment on this machine to the minute, such as `2026-11-27 14:02`; with its offset if the hour repeats.
  private func local(_ moment: Timestamp) -> String { Catalogue(language).time(moment) }
}
