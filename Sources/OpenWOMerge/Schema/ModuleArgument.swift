/// One argument of a virtual table's module: a column, or `name = value`.
struct ModuleArgument {
  /// The first word, as it is written but without quotes.
  let name: String
  /// The text after the `=`, without quotes; nil for a column.
  let value: String?

  /// All arguments, in order.
  static func all(of entry: SchemaEntry) -> [ModuleArgument] {
    var tokens = SQLTokens(entry.sql ?? "")
    while let token = tokens.next(), token != "USING" {}
    guard tokens.next() != nil, tokens.next() == "(" else { return [] }
    var (arguments, words, depth) = ([ModuleArgument](), [String](), 1)
    while depth > 0, let token = tokens.next() {
      if token == "(" { depth += 1 }
      if token == ")" { depth -= 1 }
      guard depth == 0 || depth == 1 && token == "," else {
        words.append(unquoted(tokens.text))
        continue
      }
      if let first = words.first {
        let isOption = words.count > 1 && words[1] == "="
        let value = isOption ? (words.count > 2 ? words[2] : "") : nil
        arguments.append(ModuleArgument(name: first, value: value))
      }
      words = []
    }
    return arguments
  }

  private static func unquoted(_ word: String) -> String {
    let isQuoted = word.utf8.first.map { [0x22, 0x27, 0x60, 0x5B].contains($0) } ?? false
    return isQuoted ? String(word.dropFirst()) : word
  }
}
