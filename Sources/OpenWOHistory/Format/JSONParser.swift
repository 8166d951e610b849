/// The one reader of JSON that may come from anybody.
///
/// It is strict: UTF-8 and escapes must be valid, integers have 64 bits, a name occurs once in an
/// object, values and nesting are limited, and only white space may follow.
package struct JSONParser {
  /// How much is read, and of which kind.
  package struct Limits: Sendable {
    /// The deepest nesting.
    var depth: Int
    /// The most values, each of those within another counted too.
    var values: Int
    /// Whether a number may have a fraction or an exponent.
    var hasReals: Bool

    /// Those of a file of the folder.
    package static let file = Limits(
      depth: JSONParser.depthLimit, values: JSONParser.valueLimit, hasReals: false)
    /// Those of a request of another program.
    package static let request = Limits(depth: 64, values: 200_000, hasReals: true)
    /// Those of a file that a person hands in.
    package static let ownFile = Limits(depth: 64, values: 50_000_000, hasReals: true)
  }

  /// The deepest nesting that is read from a file.
  package static let depthLimit = 32
  /// The most values that are read from a file.
  package static let valueLimit = 4096

  private let bytes: [UInt8]
  private let limits: Limits
  private var place = 0
  private var valueCount = 0

  /// Reads the one value that the bytes hold.
  ///
  /// - Throws: ``HistoryError/malformed(_:)``, saying what is wrong and at which byte.
  package static func parse(
    _ bytes: [UInt8], _ limits: Limits = .file
  ) throws(HistoryError) -> JSONValue {
    var parser = JSONParser(bytes: bytes, limits: limits)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.place == bytes.count else { throw parser.error("more bytes after the value") }
    return value
  }

  private init(bytes: [UInt8], limits: Limits) {
    self.bytes = bytes
    self.limits = limits
  }

  private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

  private func error(_ what: String) -> HistoryError {
    .malformed("\(what) at byte \(place) of the JSON text")
  }

  private mutating func skipSpace() {
    while let byte = next, byte <= 0x20 {
      guard byte == 0x20 || byte == 0x0A || byte == 0x0D || byte == 0x09 else { return }
      place += 1
    }
  }

  private mutating func take(_ byte: UInt8) -> Bool {
    guard next == byte else { return false }
    place += 1
    return true
  }

  private mutating func value(depth: Int) throws(HistoryError) -> JSONValue {
    guard depth <= limits.depth else { throw error("values nested too deep") }
    valueCount += 1
    guard valueCount <= limits.values else { throw error("too many values") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      return try number()
    default:
      if takeWord("true") { return .bool(true) }
      if takeWord("false") { return .bool(false) }
      if takeWord("null") { return .null }
      throw error("no value")
    }
  }

  private mutating func takeWord(_ word: StaticString) -> Bool {
    let count = word.utf8CodeUnitCount
    let fits = word.withUTF8Buffer { bytes[place...].starts(with: $0) }
    if fits { place += count }
    return fits
  }

  private mutating func object(depth: Int) throws(HistoryError) -> JSONValue {
    place += 1
    var members: [JSONMember] = []
    skipSpace()
    if !take(UInt8(ascii: "}")) {
      repeat {
        skipSpace()
        guard next == UInt8(ascii: "\"") else { throw error("no name") }
        let name = try string()
        skipSpace()
        guard take(UInt8(ascii: ":")) else { throw error("no colon") }
        members.append(JSONMember(name, try value(depth: depth + 1)))
        skipSpace()
      } while take(UInt8(ascii: ","))
      guard take(UInt8(ascii: "}")) else { throw error("an object without end") }
    }
    guard let object = JSONValue.object(unsorted: members) else { throw error("a name twice") }
    return object
  }

  private mutating func array(depth: Int) throws(HistoryError) -> JSONValue {
    place += 1
    var values: [JSONValue] = []
    skipSpace()
    if take(UInt8(ascii: "]")) { return .array(values) }
    repeat {
      values.append(try value(depth: depth + 1))
      skipSpace()
    } while take(UInt8(ascii: ","))
    guard take(UInt8(ascii: "]")) else { throw error("an array without end") }
    return .array(values)
  }

  private mutating func number() throws(HistoryError) -> JSONValue {
    let start = place
    if limits.hasReals {
      while let byte = next, Self.isOfNumber(byte) { place += 1 }
      let text = bytes[start..<place]
      let isReal = text.contains { [UInt8(ascii: "."), 0x65, 0x45].contains($0) }
      if isReal { return .real(try real(text)) }
      place = start
    }
    return .integer(try integer())
  }

  private static func isOfNumber(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "-"),
      UInt8(ascii: "+"), UInt8(ascii: "e"), UInt8(ascii: "E"):
      true
    default: false
    }
  }

  /// A number with a fraction or an exponent: digits before and after the point, and no leading
  /// zeros.
  private func real(_ text: ArraySlice<UInt8>) throws(HistoryError) -> Double {
    func isDigit(_ byte: UInt8?) -> Bool { byte.map { 0x30...0x39 ~= $0 } ?? false }
    let digits = text.drop { $0 == UInt8(ascii: "-") }
    let point = text.firstIndex(of: UInt8(ascii: "."))
    let hasPoint = point.map { $0 + 1 < text.endIndex && isDigit(text[$0 + 1]) } ?? true
    let isPadded = digits.first == 0x30 && isDigit(digits.dropFirst().first)
    guard isDigit(digits.first), !isPadded, hasPoint, text.count - digits.count <= 1,
      let value = Double(String(decoding: text, as: UTF8.self)), value.isFinite
    else { throw error("a malformed number") }
    return value
  }

  private mutating func integer() throws(HistoryError) -> Int64 {
    let negative = take(UInt8(ascii: "-"))
    let first = place
    while let byte = next, UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte { place += 1 }
    let digits = bytes[first..<place]
    guard !digits.isEmpty, digits.count == 1 || digits.first != UInt8(ascii: "0") else {
      throw error("a malformed number")
    }
    switch next {
    case UInt8(ascii: "."), UInt8(ascii: "e"), UInt8(ascii: "E"):
      throw error("a number that is not an integer")
    default: break
    }
    var value: Int64 = 0
    for byte in digits {
      // Below zero, as there is room for one more number.
      let (tens, isTooLarge) = value.multipliedReportingOverflow(by: 10)
      let (next, isTooLargeYet) = tens.subtractingReportingOverflow(Int64(byte & 0x0F))
      guard !isTooLarge, !isTooLargeYet else { throw error("a number too large") }
      value = next
    }
    guard negative || value != .min else { throw error("a number too large") }
    return negative ? value : -value
  }

  private mutating func string() throws(HistoryError) -> String {
    place += 1
    var content: [UInt8] = []
    while true {
      let start = place
      while let byte = next, byte >= 0x20, byte != UInt8(ascii: "\""), byte != UInt8(ascii: "\\") {
        place += 1
      }
      content += bytes[start..<place]
      if take(UInt8(ascii: "\"")) { break }
      guard take(UInt8(ascii: "\\")) else { throw error("a string without end") }
      content += try escaped()
    }
    guard let text = String(validating: content, as: UTF8.self) else {
      throw error("a string that is not UTF-8")
    }
    return text
  }

  private mutating func escaped() throws(HistoryError) -> [UInt8] {
    guard let byte = next else { throw error("a string without end") }
    place += 1
    switch byte {
    case UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "/"): return [byte]
    case UInt8(ascii: "b"): return [0x08]
    case UInt8(ascii: "t"): return [0x09]
    case UInt8(ascii: "n"): return [0x0A]
    case UInt8(ascii: "f"): return [0x0C]
    case UInt8(ascii: "r"): return [0x0D]
    case UInt8(ascii: "u"): return try unicode()
    default: throw error("an unknown escape")
    }
  }

  private mutating func unicode() throws(HistoryError) -> [UInt8] {
    var code = try codeUnit()
    if 0xD800..<0xDC00 ~= code {
      guard take(UInt8(ascii: "\\")), take(UInt8(ascii: "u")) else {
        throw error("half a surrogate")
      }
      let low = try codeUnit()
      guard 0xDC00..<0xE000 ~= low else { throw error("half a surrogate") }
      code = 0x10000 + (code - 0xD800) << 10 + (low - 0xDC00)
    }
    guard let scalar = Unicode.Scalar(code) else { throw error("half a surrogate") }
    return Array(String(Character(scalar)).utf8)
  }

  private mutating func codeUnit() throws(HistoryError) -> UInt32 {
    guard place + 4 <= bytes.count else { throw error("a string without end") }
    var code: UInt32 = 0
    for byte in bytes[place..<place + 4] {
      guard let digit = Character(Unicode.Scalar(byte)).hexDigitValue else {
        throw error("a malformed escape")
      }
      code = code << 4 | UInt32(digit)
    }
    place += 4
    return code
  }
}
