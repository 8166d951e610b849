/// How much of the past is kept: the last versions, and the first of each of the last hours, days, weeks and months.
///
/// The calendar is that of UTC, so that all devices choose the same.
package struct Retention: Hashable, Sendable {
  /// How many of the newest versions.
  package var last: Int
  /// In how many hours, days, weeks and months that have any versions the first one is kept.
  package var hourly, daily, weekly, monthly: Int

  /// Sets what is kept; a negative number counts as none.
  package init(last: Int = 0, hourly: Int = 0, daily: Int = 0, weekly: Int = 0, monthly: Int = 0) {
    (self.last, self.hourly, self.daily) = (last, hourly, daily)
    (self.weekly, self.monthly) = (weekly, monthly)
  }

  /// The default retention.
  package static let standard = Retention(
    last: 100, hourly: 48, daily: 30, weekly: 26, monthly: 120)

  /// Those among the versions that the numbers keep.
  package func kept(_ versions: some Sequence<Version>) -> Set<VersionID> {
    Set(reasons(versions).keys)
  }

  /// Those among the versions that the numbers keep, each with the words for why: `last`, `hourly` and so on.
  package func reasons(_ versions: some Sequence<Version>) -> [VersionID: [String]] {
    let oldestFirst = versions.sorted { $0.loses(to: $1) }
    var kept: [VersionID: [String]] = [:]
    for version in oldestFirst.suffix(max(last, 0)) { kept[version.id, default: []].append("last") }
    for (unit, count, word) in [
      (CalendarUnit.hour, hourly, "hourly"), (.day, daily, "daily"), (.week, weekly, "weekly"),
      (.month, monthly, "monthly"),
    ] {
      var firsts: [Version] = []
      for version in oldestFirst
      where firsts.last.map({ unit.number(of: $0.at) != unit.number(of: version.at) }) ?? true {
        firsts.append(version)
      }
      for version in firsts.suffix(max(count, 0)) { kept[version.id, default: []].append(word) }
    }
    return kept
  }
}
