/// An address of this server: path and query, both encoded, so that it never leads anywhere else.
struct Address: Sendable, CustomStringConvertible {
  var path: [String]
  var query: [(name: String, value: String)] = []

  init(_ path: [String], _ query: [(String, String?)] = []) {
    self.path = path
    self.query = query.compactMap { name, value in value.map { (name, $0) } }
  }

  /// The address in the form of a link.
  var description: String {
    let words = path.map(Self.encoded).joined(separator: "/")
    let questions = query.map { "\(Self.encoded($0.name))=\(Self.encoded($0.value))" }
    return "/" + words + (questions.isEmpty ? "" : "?" + questions.joined(separator: "&"))
  }

  static func encoded(_ text: String) -> String {
    let digits = Array("0123456789ABCDEF".unicodeScalars)
    var out = ""
    for byte in text.utf8 {
      switch byte {
      case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x2D, 0x2E, 0x5F, 0x7E:
        out.unicodeScalars.append(Unicode.Scalar(byte))
      default:
        out += "%"
        out.unicodeScalars.append(digits[Int(byte >> 4)])
        out.unicodeScalars.append(digits[Int(byte & 15)])
      }
    }
    return out
  }

  /// Text without its encoding; nil if it is not UTF-8.
  static func decoded(_ text: some StringProtocol, plusIsSpace: Bool = false) -> String? {
    var bytes: [UInt8] = []
    var rest = text.utf8[...]
    while let byte = rest.popFirst() {
      if byte == 0x25, let high = rest.first.flatMap(hex),
        let low = rest.dropFirst().first.flatMap(hex)
      {
        bytes.append(high << 4 | low)
        rest = rest.dropFirst(2)
      } else {
        bytes.append(byte == 0x2B && plusIsSpace ? 0x20 : byte)
      }
    }
    return String(validating: bytes, as: UTF8.self)
  }

  private static func hex(_ byte: UInt8) -> UInt8? {
    Character(Unicode.Scalar(byte)).hexDigitValue.map(UInt8.init)
  }
}

/// The fields of a request: the names and values of a query or of a form.
struct Fields: Sendable {
  private(set) var pairs: [(name: String, value: String)] = []

  /// Reads `a=1&b=2`.
  init(_ text: some StringProtocol) {
    for pair in text.split(separator: "&").prefix(200) {
      let parts = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
      guard let name = Address.decoded(parts[0], plusIsSpace: true) else { continue }
      let value = parts.count > 1 ? Address.decoded(parts[1], plusIsSpace: true) : ""
      if let value { pairs.append((name, value)) }
    }
  }

  /// The first value of a name; nil if there is none or it is empty.
  subscript(name: String) -> String? {
    pairs.first { $0.name == name && !$0.value.isEmpty }?.value
  }

  /// All values of a name.
  func all(_ name: String) -> [String] { pairs.filter { $0.name == name }.map(\.value) }

  /// A number that is not negative.
  func count(_ name: String) -> Int? {
    self[name].flatMap { Int($0) }.flatMap { $0 >= 0 ? $0 : nil }
  }
}
