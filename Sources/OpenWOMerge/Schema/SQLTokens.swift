/// The words of an SQL text, in upper case, without its quoted names, strings and comments.
///
/// Just enough to see `AUTOINCREMENT` or the module of a virtual table in a text SQLite has accepted.
struct SQLTokens: Sequence, IteratorProtocol {
  private let bytes: [UInt8]
  private var at = 0
  /// The start of the last token.
  private var start = 0
  /// How much of the text was taken over.
  private var taken = 0

  init(_ sql: String) { bytes = Array(sql.utf8) }

  /// The next word, or quoted name or string with its first quote in front, or punctuation mark.
  mutating func next() -> String? {
    skipSpace()
    guard at < bytes.count else { return nil }
    start = at
    let first = bytes[at]
    if let close = Self.closing(first) { return quoted(close) }
    at += 1
    guard Self.isWord(first) else { return String(decoding: [first], as: UTF8.self) }
    while at < bytes.count, Self.isWord(bytes[at]) { at += 1 }
    return String(decoding: bytes[start..<at], as: UTF8.self).uppercased()
  }

  /// The last token as it is written; a quoted one without its last quote.
  var text: String {
    var word = SQLTokens(String(decoding: bytes[start..<at], as: UTF8.self))
    guard Self.closing(bytes[start]) == nil else { return word.next() ?? "" }
    return String(decoding: bytes[start..<at], as: UTF8.self)
  }

  /// Where the last token is, in bytes.
  var range: Range<Int> { start..<at }

  /// A part of the text as it is written.
  func text(_ range: Range<Int>) -> String { String(decoding: bytes[range], as: UTF8.self) }

  /// The text up to the end of its first statement.
  ///
  /// Of a text in its schema SQLite reads no more than that; a program that a script is given to would run the rest. A line that begins with
  /// one of its commands is moved in by a space.
  static func firstStatement(of sql: String, isTrigger: Bool) -> String {
    var tokens = SQLTokens(sql)
    var result: [UInt8] = []
    var isBehindMark = false
    while let token = tokens.next() {
      if token == ";" && !isTrigger { break }
      let (start, end) = (tokens.start, tokens.at)
      let isCommand = [0x2E, 0x23].contains(tokens.bytes[start])
      let isFirst = start > 0 && tokens.bytes[start - 1] == 0x0A
      result += tokens.bytes[tokens.taken..<start] + (isCommand && isFirst ? [0x20] : [])
      result += tokens.bytes[start..<end]
      tokens.taken = end
      if isTrigger && isBehindMark && token == "END" { break }
      isBehindMark = token == ";"
    }
    return String(decoding: result, as: UTF8.self)
  }

  /// The terms of an index without their order, and its condition, from its SQL text; nil if that
  /// is not an index.
  static func indexTerms(of sql: String) -> (terms: [String], condition: String?)? {
    var tokens = SQLTokens(sql)
    while let token = tokens.next(), token != "ON" {}
    while let token = tokens.next(), token != "(" {}
    var (terms, depth, start, end) = ([String](), 1, tokens.at, tokens.at)
    while depth > 0 {
      guard let token = tokens.next() else { return nil }
      if token == "(" { depth += 1 }
      if token == ")" { depth -= 1 }
      if depth == 0 || depth == 1 && token == "," {
        terms.append(tokens.text(start..<end))
        (start, end) = (tokens.at, tokens.at)
      } else if depth > 1 || token != "ASC" && token != "DESC" {
        end = tokens.at
      }
    }
    guard tokens.next() == "WHERE" else { return (terms, nil) }
    return (terms, tokens.text(tokens.at..<tokens.bytes.count))
  }

  private mutating func quoted(_ close: UInt8) -> String {
    var content = [bytes[at]]
    at += 1
    while at < bytes.count {
      let byte = bytes[at]
      at += 1
      if byte == close {
        guard at < bytes.count, bytes[at] == close, close != 0x5D else { break }
        at += 1
      }
      content.append(byte)
    }
    return String(decoding: content, as: UTF8.self)
  }

  private mutating func skipSpace() {
    while at < bytes.count {
      if bytes[at] <= 0x20 {
        at += 1
      } else if bytes[at...].starts(with: [0x2D, 0x2D]) {
        while at < bytes.count, bytes[at] != 0x0A { at += 1 }
      } else if bytes[at...].starts(with: [0x2F, 0x2A]) {
        at += 2
        while at < bytes.count, !bytes[at...].starts(with: [0x2A, 0x2F]) { at += 1 }
        at = Swift.min(at + 2, bytes.count)
      } else {
        return
      }
    }
  }

  private static func closing(_ byte: UInt8) -> UInt8? {
    switch byte {
    case 0x22, 0x27, 0x60: byte
    case 0x5B: 0x5D
    default: nil
    }
  }

  private static func isWord(_ byte: UInt8) -> Bool {
    switch byte {
    case 0x30...0x39, 0x41...0x5A, 0x61...0x7A, 0x5F, 0x24, 0x80...: true
    default: false
    }
  }
}
