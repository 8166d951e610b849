/// The table of services, ready to match.
struct ConflictTable: Sendable {
  /// A row of the table and its place in it.
  struct Row: Sendable {
    var place: Int
    var pattern: ConflictPattern
    var templates: [NameTemplate]

    func mayBegin(with code: UInt32, folded: UInt32) -> Bool {
      templates.contains { $0.mayBegin(with: code, folded: folded) }
    }
  }

  /// The table, and the characters that its patterns know.
  static let shared = ConflictTable()

  let alphabet: Alphabet
  private let rows: [Row]
  /// The rows whose mark may begin with an ASCII character.
  private let byFirst: [[Row]]
  /// The name of SQLite's super-journal behind the database's.
  let superJournal: NameTemplate

  private init() {
    var alphabet = Alphabet()
    let rows = ConflictPattern.table.enumerated().map { place, pattern in
      let templates = pattern.marks.map {
        NameTemplate($0, ignoresCase: !pattern.isExact, alphabet: &alphabet)
      }
      return Row(place: place, pattern: pattern, templates: templates)
    }
    superJournal = NameTemplate("-mj{hexadecimal}", ignoresCase: false, alphabet: &alphabet)
    byFirst = (0..<0x80).map { code in
      let folded = Alphabet.text(bytes: [UInt8(code)]).folded[0]
      return rows.filter { $0.mayBegin(with: UInt32(code), folded: folded) }
    }
    self.rows = rows
    self.alphabet = alphabet
  }

  /// The rows whose mark may begin at a place of a name.
  func rows(at place: Int, of name: NameText) -> [Row] {
    let code = name.codes[place]
    if code < 0x80 { return byFirst[Int(code)] }
    return rows.filter { $0.mayBegin(with: code, folded: name.folded[place]) }
  }
}
