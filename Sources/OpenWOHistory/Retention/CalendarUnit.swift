/// A stretch of the calendar in UTC, the same on every device.
enum CalendarUnit: CaseIterable {
  case month, week, day, hour

  /// The number of the unit that contains a moment; it grows with time.
  func number(of time: HybridTime) -> Int64 {
    switch self {
    case .hour: return time.milliseconds / 3_600_000
    case .day: return time.milliseconds / 86_400_000
    case .week:
      // Weeks begin on Monday; 1 January 1970 was a Thursday.
      return (time.milliseconds / 86_400_000 + 3) / 7
    case .month:
      let civil = CivilTime(milliseconds: time.milliseconds)
      return Int64(civil.year * 12 + civil.month)
    }
  }
}
