/// The one reader of JSON for files that may come from anybody.
///
/// It is strict: UTF-8 and escapes must be whole, numbers are integers of 64 bits, a name stands once in an
/// object, there are at most ``valueLimit`` values, nested at most ``depthLimit`` deep, and nothing follows but white space.
package struct JSONParser {
  /// The deepest nesting that is read.
  package static let depthLimit = 32
  /// The most values that are read, each of those within another counted too.
  package static let valueLimit = 4096

  private let bytes: [UInt8]
  private var place = 0
  private var valueCount = 0

  /// Reads the one value that the bytes hold.
  ///
  /// - Throws: ``HistoryError/malformed(_:)``, saying what is wrong and at which byte.
  package static func parse(_ bytes: [UInt8]) throws(HistoryError) -> JSONValue {
    var parser = JSONParser(bytes: bytes)
    let value = try parser.value(depth: 0)
    parser.skipSpace()
    guard parser.place == bytes.count else { throw parser.error("more bytes after the value") }
    return value
  }

  private init(bytes: [UInt8]) {
    self.bytes = bytes
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
    guard depth <= Self.depthLimit else { throw error("values nested too deep") }
    valueCount += 1
    guard valueCount <= Self.valueLimit else { throw error("too many values") }
    skipSpace()
    switch next {
    case UInt8(ascii: "{"): return try object(depth: depth)
    case UInt8(ascii: "["): return try array(depth: depth)
    case UInt8(ascii: "\""): return .string(try string())
    case .some(UInt8(ascii: "-")), .some(UInt8(ascii: "0")...UInt8(ascii: "9")):
      return .integer(try integer())
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
      // Below zero, where there is room for one more.
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
