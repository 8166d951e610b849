/// A moment as the civil calendar writes it in UTC, to the millisecond, in the years 0 to 9999.
package struct CivilTime: Equatable {
  /// The last moment that four digits of a year can write.
  package static let lastMillisecond: Int64 = 253_402_300_799_999
  /// The first moment of the year 0.
  package static let firstMillisecond: Int64 = -62_167_219_200_000

  package let year, month, day, hour, minute, second, millisecond: Int

  /// Splits milliseconds since 1970; moments outside the range count as its nearest end.
  package init(milliseconds: Int64) {
    let clamped = Int(min(max(milliseconds, Self.firstMillisecond), Self.lastMillisecond))
    let days = (clamped - (clamped < 0 ? 86_399_999 : 0)) / 86_400_000
    let rest = clamped - days * 86_400_000
    (hour, minute) = (rest / 3_600_000, rest / 60_000 % 60)
    (second, millisecond) = (rest / 1000 % 60, rest % 1000)
    // Days are counted from 1 March of the year 0, so that a leap day ends its year.
    let shifted = days + 719_468
    let era = shifted < 0 ? -1 : shifted / 146_097
    let dayOfEra = shifted - era * 146_097
    let yearOfEra = (dayOfEra - dayOfEra / 1460 + dayOfEra / 36_524 - dayOfEra / 146_096) / 365
    let dayOfYear = dayOfEra - (365 * yearOfEra + yearOfEra / 4 - yearOfEra / 100)
    let shiftedMonth = (5 * dayOfYear + 2) / 153
    day = dayOfYear - (153 * shiftedMonth + 2) / 5 + 1
    month = shiftedMonth < 10 ? shiftedMonth + 3 : shiftedMonth - 9
    year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  }

  /// The milliseconds since 1970 of a date and a time of day; nil if the calendar has no such
  /// moment.
  package static func milliseconds(
    year: Int, month: Int, day: Int, hour: Int, minute: Int, second: Int, millisecond: Int
  ) -> Int64? {
    guard 0...9999 ~= year, 1...12 ~= month, 1...31 ~= day, 0...23 ~= hour, 0...59 ~= minute,
      0...59 ~= second, 0...999 ~= millisecond
    else { return nil }
    let shiftedYear = month <= 2 ? year - 1 : year
    let era = shiftedYear < 0 ? -1 : shiftedYear / 400
    let yearOfEra = shiftedYear - era * 400
    let dayOfYear = (153 * (month > 2 ? month - 3 : month + 9) + 2) / 5 + day - 1
    let dayOfEra = yearOfEra * 365 + yearOfEra / 4 - yearOfEra / 100 + dayOfYear
    let days = era * 146_097 + dayOfEra - 719_468
    let seconds = ((days * 24 + hour) * 60 + minute) * 60 + second
    let result = Int64(seconds * 1000 + millisecond)
    // The 31st of a shorter month comes out as a day of the next one.
    let back = CivilTime(milliseconds: result)
    return back.month == month && back.day == day ? result : nil
  }
}
