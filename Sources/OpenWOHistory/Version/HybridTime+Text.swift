extension HybridTime {
  private static let template = Array("0000-00-00T00:00:00.0000000Z".utf8)
  private static let compactTemplate = Array("00000000T000000.0000000Z".utf8)

  /// The full text, such as `2026-11-21T07:43:08.1230000Z`.
  package var description: String { Self.fill(Self.template, with: digits) }

  /// The text in file names, such as `20261121T074308.1230000Z`.
  package var compact: String { Self.fill(Self.compactTemplate, with: digits) }

  /// The text for people, without the counter, such as `2026-11-21T07:43:08.123Z`.
  package var rfc3339: String { String(description.dropLast(5)) + "Z" }

  /// Reads exactly what ``description`` writes; anything else is nil.
  package init?(_ text: some StringProtocol) {
    self.init(text, template: Self.template)
  }

  /// Reads exactly what ``compact`` writes; anything else is nil.
  package init?(compact text: some StringProtocol) {
    self.init(text, template: Self.compactTemplate)
  }

  /// The 21 digits from the year to the counter.
  private var digits: [UInt8] {
    let time = CivilTime(milliseconds: milliseconds)
    let fields = [
      (time.year, 4), (time.month, 2), (time.day, 2), (time.hour, 2), (time.minute, 2),
      (time.second, 2), (time.millisecond, 3), (Int(counter), 4),
    ]
    var digits: [UInt8] = []
    for (value, width) in fields {
      var divisor = 1
      for _ in 1..<width { divisor *= 10 }
      for _ in 0..<width {
        digits.append(UInt8(value / divisor % 10))
        divisor /= 10
      }
    }
    return digits
  }

  private static func fill(_ template: [UInt8], with digits: [UInt8]) -> String {
    var next = digits.makeIterator()
    let zero = UInt8(ascii: "0")
    return String(
      decoding: template.map { $0 == zero ? zero + (next.next() ?? 0) : $0 }, as: UTF8.self)
  }

  private init?(_ text: some StringProtocol, template: [UInt8]) {
    let bytes = Array(text.utf8)
    guard bytes.count == template.count else { return nil }
    let zero = UInt8(ascii: "0")
    var digits: [Int] = []
    for (byte, expected) in zip(bytes, template) {
      guard expected == zero else {
        if byte != expected { return nil }
        continue
      }
      guard zero...UInt8(ascii: "9") ~= byte else { return nil }
      digits.append(Int(byte - zero))
    }
    func number(_ range: Range<Int>) -> Int { digits[range].reduce(0) { $0 * 10 + $1 } }
    let moment = CivilTime.milliseconds(
      year: number(0..<4), month: number(4..<6), day: number(6..<8), hour: number(8..<10),
      minute: number(10..<12), second: number(12..<14), millisecond: number(14..<17))
    guard let moment, moment >= 0 else { return nil }
    self.init(milliseconds: moment, counter: UInt16(number(17..<21)))
  }
}
