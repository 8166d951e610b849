/// Names and texts as they must be written in SQL.
enum SQLName {
  /// The name in double quotes.
  static func quoted(_ name: String) -> String {
    doubled(name, 0x22)
  }

  /// A text between two marks, in which each mark is doubled: by bytes, as a mark and an accent behind it are one character.
  static func doubled(_ text: String, _ mark: UInt8) -> String {
    let inner = text.utf8.flatMap { $0 == mark ? [mark, mark] : [$0] }
    return String(decoding: [mark] + inner + [mark], as: UTF8.self)
  }

  /// Names that SQLite holds equal have the same folded form: ASCII letters have no case.
  static func folded(_ name: String) -> String {
    String(decoding: name.utf8.map { $0 >= 0x41 && $0 <= 0x5A ? $0 | 0x20 : $0 }, as: UTF8.self)
  }
}
