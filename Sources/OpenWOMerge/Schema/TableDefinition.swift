/// The text of CREATE TABLE in its parts: columns and constraints between the outer parentheses, and what is around them.
struct TableDefinition {
  /// A column or a constraint.
  struct Part {
    /// The folded name of a column; nil for a constraint of the table.
    let column: String?
    /// Its words, by which two of them are compared.
    let tokens: [String]
    /// The part as it is written.
    let text: String
  }

  /// All up to the first parenthesis, with that one.
  let head: String
  var parts: [Part]
  /// The last parenthesis and all behind it.
  var tail: Part

  /// The parts of a text; nil if it has none, as that of a virtual table.
  init?(_ sql: String) {
    var tokens = SQLTokens(sql)
    while let token = tokens.next(), token != "(" {}
    guard tokens.range.upperBound > 0 else { return nil }
    head = tokens.text(0..<tokens.range.upperBound)
    parts = []
    var (depth, words, start, end) = (1, [String](), tokens.range.upperBound, 0)
    var name: String?
    func part() -> Part {
      let isConstraint = name.map(Self.constraints.contains) ?? true
      let column = isConstraint ? nil : name.map(Self.columnName)
      return Part(column: column, tokens: words, text: tokens.text(start..<end))
    }
    while let token = tokens.next() {
      if token == "(" { depth += 1 }
      if token == ")" { depth -= 1 }
      if depth == 0 || depth == 1 && token == "," {
        if !words.isEmpty { parts.append(part()) }
        words = []
        if depth == 0 { break }
        continue
      }
      if words.isEmpty {
        start = tokens.range.lowerBound
        name = Self.constraints.contains(token) ? token : tokens.text
      }
      words.append(token)
      end = tokens.range.upperBound
    }
    guard depth == 0 else { return nil }
    start = tokens.range.lowerBound
    words = [")"]
    while let token = tokens.next() { words.append(token) }
    tail = Part(column: nil, tokens: words, text: tokens.text(start..<sql.utf8.count))
  }

  /// The text of these parts.
  var sql: String { head + parts.map(\.text).joined(separator: ", ") + tail.text }

  /// Whether both have the same parts in the same order.
  func hasParts(of other: TableDefinition) -> Bool {
    parts.map(\.tokens) == other.parts.map(\.tokens) && tail.tokens == other.tail.tokens
  }

  /// The column of this name.
  func column(_ name: String) -> Part? { parts.first { $0.column == name } }

  private static let constraints: Set = ["CONSTRAINT", "PRIMARY", "UNIQUE", "CHECK", "FOREIGN"]

  private static func columnName(_ word: String) -> String {
    let isQuoted = word.utf8.first.map { [0x22, 0x27, 0x60, 0x5B].contains($0) } ?? false
    return SQLName.folded(isQuoted ? String(word.dropFirst()) : word)
  }
}
