import Testing

@testable import OpenWO

/// Moments as people say them, where clocks are put forward and back.
struct SpokenMomentTests {
  /// Central Europe in 2026: two hours ahead of UTC from the end of March to the end of October, else one.
  private static let berlin = LocalZone { moment in
    ("2026-03-29T01:00:00.000Z"..<"2026-10-25T01:00:00.000Z").contains("\(moment)") ? 120 : 60
  }

  private func read(
    _ text: String, at now: String = "2026-11-28T08:40:00.000Z", isBeginning: Bool = false
  ) -> String? {
    let now = Timestamp(now) ?? Timestamp(milliseconds: 0)
    return SpokenMoment(now: now, zone: Self.berlin, isBeginning: isBeginning).read(text)
      .map { "\($0)" }
  }

  @Test(arguments: [
    ("2h", "2026-11-28T06:40:00.000Z"), ("5 minutes", "2026-11-28T08:35:00.000Z"),
    // A Saturday.
    ("monday", "2026-11-23T08:40:00.000Z"), ("sat", "2026-11-21T08:40:00.000Z"),
    ("last Monday", "2026-11-23T08:40:00.000Z"), ("monday 18:00", "2026-11-23T17:00:59.999Z"),
    ("last friday at 9:05", "2026-11-27T08:05:59.999Z"),
    ("yesterday 18:00", "2026-11-27T17:00:59.999Z"), ("today", "2026-11-27T23:00:00.000Z"),
    ("today at 8:00", "2026-11-28T07:00:59.999Z"), ("8:00", "2026-11-28T07:00:59.999Z"),
    ("last month", "2026-10-28T08:40:00.000Z"), ("2 months ago", "2026-09-28T07:40:00.000Z"),
    ("last year", "2025-11-28T08:40:00.000Z"), ("a year ago", "2025-11-28T08:40:00.000Z"),
    ("11 months ago", "2025-12-28T08:40:00.000Z"),
  ])
  func `a moment is meant in the calendar of the person`(text: String, moment: String) {
    #expect(read(text) == moment)
  }

  @Test func `a month that is too short ends with its last day`() {
    #expect(read("a month ago", at: "2026-03-31T07:00:00.000Z") == "2026-02-28T08:00:00.000Z")
    #expect(read("8 months ago", at: "2026-10-31T07:00:00.000Z") == "2026-02-28T07:00:00.000Z")
  }

  @Test(arguments: [
    "100d", "monday tuesday", "last 18:00", "25:00", "yesterday 18", "month", "at 18:00",
  ])
  func `a text that may be an id, or is empty, is not a moment`(text: String) {
    #expect(read(text) == nil)
  }

  @Test func `the name of a day means its start`() {
    #expect(read("monday", isBeginning: true) == "2026-11-22T23:00:00.000Z")
    #expect(read("yesterday", isBeginning: true) == "2026-11-26T23:00:00.000Z")
    #expect(read("monday 18:00", isBeginning: true) == "2026-11-23T17:00:00.000Z")
  }

  @Test(arguments: [
    "2026-07-20T16:31:10.000Z", "2026-11-20T17:31:10.000Z", "2026-10-25T00:30:10.000Z",
    "2026-10-25T01:30:10.000Z", "2026-10-24T23:59:10.000Z", "2026-10-25T02:00:10.000Z",
  ])
  func `a time that history prints is read as the same minute, even when an hour repeats`(
    moment: String
  ) throws {
    let printed = Self.berlin.text(try #require(Timestamp(moment)))
    #expect(read(printed) == moment.prefix(17) + "59.999Z", "\(printed)")
  }

  @Test func `an offset is printed only when an hour repeats`() throws {
    func text(_ moment: String) throws -> String {
      Self.berlin.text(try #require(Timestamp(moment)))
    }
    #expect(try text("2026-10-25T00:30:00.000Z") == "2026-10-25 02:30+02:00")
    #expect(try text("2026-10-25T01:30:00.000Z") == "2026-10-25 02:30+01:00")
    #expect(try text("2026-10-25T02:30:00.000Z") == "2026-10-25 03:30")
    #expect(try text("2026-03-29T01:30:00.000Z") == "2026-03-29 03:30")
    // Without an offset the later one is meant, or the earlier one for the start of a span.
    #expect(read("2026-10-25 02:30") == "2026-10-25T01:30:59.999Z")
    #expect(read("2026-10-25 02:30", isBeginning: true) == "2026-10-25T00:30:00.000Z")
    // An hour that was left out is read as if it had not been.
    #expect(read("2026-03-29 02:30") != nil)
  }
}
