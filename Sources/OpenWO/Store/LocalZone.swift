/// How far the local time of a person is ahead of UTC, at any moment.
package struct LocalZone: Sendable {
  /// Minutes east of UTC at a moment.
  let minutesEast: @Sendable (Timestamp) -> Int64

  /// The zone of this machine, with its changes to and from summer time.
  package static let machine = LocalZone { $0.minutesEast }

  /// A zone without summer time.
  package static func fixed(_ minutes: Int64) -> LocalZone { LocalZone { _ in minutes } }

  /// The local time of a moment, as if it were in UTC.
  func local(_ moment: Timestamp) -> Timestamp {
    moment.advanced(bySeconds: minutesEast(moment) * 60)
  }

  /// The moments that have a local time: two when an hour repeats, none when it is left out.
  func moments(_ local: Timestamp) -> [Timestamp] {
    let day: Int64 = 86_400
    let around = [local.advanced(bySeconds: -day), local.advanced(bySeconds: day)]
    return Set(around.map(minutesEast)).map { (moment(local, east: $0), $0) }
      .filter { minutesEast($0.0) == $0.1 }.map(\.0).sorted()
  }

  /// The moment that has a local time at an offset in minutes.
  func moment(_ local: Timestamp, east minutes: Int64) -> Timestamp {
    local.advanced(bySeconds: -minutes * 60)
  }

  /// A moment to the minute, such as `2026-11-20 18:31`; when the hour repeats, with the offset: `2026-10-25 02:30+01:00`.
  package func text(_ moment: Timestamp) -> String {
    let local = local(moment)
    let text = local.description
    let minute = "\(text.prefix(10)) \(text.dropFirst(11).prefix(5))"
    return moments(local).count > 1 ? minute + Self.offset(minutesEast(moment)) : minute
  }

  /// An offset as RFC 3339 writes it, such as `+02:00`.
  private static func offset(_ minutes: Int64) -> String {
    func two(_ number: Int64) -> String { number < 10 ? "0\(number)" : "\(number)" }
    let size = minutes.magnitude
    return (minutes < 0 ? "-" : "+") + two(Int64(size / 60)) + ":" + two(Int64(size % 60))
  }
}
