import OpenWOTestSupport
import Testing

@testable import OpenWOHistory

@Suite("hybrid time")
struct HybridTimeTests {
  static let noon: Int64 = 1_795_262_588_123

  @Test func `a stamp is RFC 3339 with the counter behind the milliseconds`() {
    let time = HybridTime(milliseconds: 1_795_246_988_123, counter: 42)
    #expect(time.description == "2026-11-21T07:43:08.1230042Z")
    #expect(time.compact == "20261121T074308.1230042Z")
    #expect(time.rfc3339 == "2026-11-21T07:43:08.123Z")
  }

  @Test func `every stamp is read as it was written, and texts sort as stamps do`() {
    var random = SeededRandom(seed: 2)
    var last: HybridTime?
    let moments = (0..<3000).map { _ in
      HybridTime(
        milliseconds: .random(in: 0...CivilTime.lastMillisecond, using: &random),
        counter: .random(in: 0...9999, using: &random))
    }
    for time in moments.sorted() {
      #expect(HybridTime(time.description) == time)
      #expect(HybridTime(compact: time.compact) == time)
      if let last {
        #expect(last.description < time.description)
        #expect(last.compact < time.compact)
      }
      last = time
    }
  }

  @Test(arguments: [
    ("1970-01-01T00:00:00.0000000Z", 0), ("2000-02-29T23:59:59.9990000Z", 951_868_799_999),
    ("2100-03-01T00:00:00.0000000Z", 4_107_542_400_000),
    ("9999-12-31T23:59:59.9990000Z", 253_402_300_799_999),
  ])
  func `the calendar is the civil one`(text: String, milliseconds: Int64) {
    #expect(HybridTime(text)?.milliseconds == milliseconds)
    #expect(HybridTime(milliseconds: milliseconds).description == text)
  }

  @Test(arguments: [
    "", "2026-11-21T07:43:08.123Z", "2026-11-21T07:43:08.1230000", "2026-11-21 07:43:08.1230000Z",
    "2026-02-29T00:00:00.0000000Z", "2026-04-31T00:00:00.0000000Z", "2026-13-01T00:00:00.0000000Z",
    "2026-00-01T00:00:00.0000000Z", "2026-01-00T00:00:00.0000000Z", "2026-01-01T24:00:00.0000000Z",
    "2026-01-01T00:60:00.0000000Z", "2026-01-01T00:00:60.0000000Z", "1969-12-31T23:59:59.9990000Z",
    "2026-01-01T00:00:00.00000000Z", "+026-01-01T00:00:00.0000000Z", "2026-01-01t00:00:00.0000000Z",
    "٢٠٢٦-01-01T00:00:00.0000000Z",
  ])
  func `any other text is refused`(text: String) {
    #expect(HybridTime(text) == nil)
  }

  @Test func `a new stamp is the time of day when the clock has moved on`() {
    let earlier = HybridTime(milliseconds: Self.noon - 1, counter: 7)
    #expect(
      HybridTime.next(after: [earlier], now: Self.noon) == HybridTime(milliseconds: Self.noon))
    #expect(HybridTime.next(after: [], now: Self.noon) == HybridTime(milliseconds: Self.noon))
  }

  @Test func `a new stamp is later than those it follows`() {
    let same = HybridTime(milliseconds: Self.noon)
    let ahead = HybridTime(milliseconds: Self.noon + 300_000, counter: 5)
    #expect(HybridTime.next(after: [same], now: Self.noon) == same.tick)
    #expect(HybridTime.next(after: [same, ahead], now: Self.noon) == ahead.tick)
  }

  @Test func `within a millisecond the counter decides which stamp is the later one`() {
    let stamps = [2, 0, 9999, 1].map { HybridTime(milliseconds: Self.noon, counter: $0) }
    #expect(stamps.sorted().map(\.counter) == [0, 1, 2, 9999])
    let busy = [3, 7, 5].map { HybridTime(milliseconds: Self.noon, counter: $0) }
    let next = HybridTime.next(after: busy, now: Self.noon)
    #expect(next == HybridTime(milliseconds: Self.noon, counter: 8))
  }

  @Test func `a stamp more than five minutes ahead is not followed`() {
    let wild = HybridTime("9999-01-01T00:00:00.0000000Z") ?? HybridTime(milliseconds: 0)
    let ahead = HybridTime(milliseconds: Self.noon + 300_001)
    let next = HybridTime.next(after: [wild, ahead], now: Self.noon)
    #expect(next == HybridTime(milliseconds: Self.noon))
    #expect(ahead.isAhead(of: Self.noon) && wild.isAhead(of: Self.noon))
    #expect(!HybridTime(milliseconds: Self.noon + 300_000).isAhead(of: Self.noon))
  }

  @Test func `a full counter continues in the next millisecond`() {
    let full = HybridTime(milliseconds: Self.noon, counter: 9999)
    #expect(full.tick == HybridTime(milliseconds: Self.noon + 1))
    let last = HybridTime(milliseconds: CivilTime.lastMillisecond, counter: 9999)
    #expect(last.tick == last)
  }

  @Test func `no number makes a stamp that cannot be written`() {
    #expect(
      HybridTime(milliseconds: .min, counter: .max).description == "1970-01-01T00:00:00.0009999Z")
    #expect(HybridTime(milliseconds: .max).description == "9999-12-31T23:59:59.9990000Z")
    #expect(HybridTime.next(after: [HybridTime(milliseconds: .max)], now: .max).milliseconds > 0)
    #expect(HybridTime.next(after: [], now: .min).milliseconds == 0)
  }
}
