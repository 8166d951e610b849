/// A pattern for a piece of a file name, written the way the table of services shows it.
///
/// Text matches itself in either case; `<…>` is optional; `{a|b}` is one of several texts; the
/// other words in braces are classes: `{date}` for `2026-11-21`, `{day}` for `20261121`, `{n}` for
/// a number of up to three digits, `{4}` for exactly four digits, `{conflict}` and `{phrase}` for
/// ``ConflictWords``, and those of ``NameClass``.
struct NameTemplate: Sendable {
  /// One instruction of the matcher.
  enum Step: Sendable {
    case text([UInt32])
    case anyOf([[UInt32]])
    case run(NameClass, ClosedRange<Int>)
    case date
    case day
    /// Continues at the next step, or at that one.
    case split(Int)
  }

  /// The meaning of a part of the name.
  enum Meaning: Sendable, Hashable {
    case device, date, phrase
  }

  private(set) var steps: [Step] = []
  /// The meaning of what a step matches.
  private(set) var meanings: [Meaning?] = []
  let ignoresCase: Bool

  init(_ pattern: String, ignoresCase: Bool, alphabet: inout Alphabet) {
    self.ignoresCase = ignoresCase
    var rest = Array(pattern.utf8)[...]
    compile(&rest, &alphabet)
  }

  /// Whether a piece that it fits may begin with a character.
  func mayBegin(with code: UInt32, folded: UInt32, step: Int = 0) -> Bool {
    guard step < steps.count else { return true }
    let given = ignoresCase ? folded : code
    return switch steps[step] {
    case .split(let other):
      mayBegin(with: code, folded: folded, step: step + 1)
        || mayBegin(with: code, folded: folded, step: other)
    case .text(let text): text.first == given
    case .anyOf(let texts): texts.contains { $0.first == given }
    case .run(let kind, _): kind.contains(code)
    case .date, .day: NameClass.digit.contains(code)
    }
  }

  private mutating func compile(_ rest: inout ArraySlice<UInt8>, _ alphabet: inout Alphabet) {
    while let next = rest.first, next != UInt8(ascii: ">") {
      if next == UInt8(ascii: "<") {
        rest.removeFirst()
        let split = steps.count
        append(.split(0))
        compile(&rest, &alphabet)
        rest = rest.dropFirst()
        steps[split] = .split(steps.count)
      } else if next == UInt8(ascii: "{") {
        let word = rest.dropFirst().prefix { $0 != UInt8(ascii: "}") }
        rest = rest.dropFirst(word.count + 2)
        appendClass(String(decoding: word, as: UTF8.self), &alphabet)
      } else {
        let text = rest.prefix { !"<>{".utf8.contains($0) }
        rest = rest.dropFirst(text.count)
        append(.text(spelled(String(decoding: text, as: UTF8.self), &alphabet)))
      }
    }
  }

  private mutating func appendClass(_ word: String, _ alphabet: inout Alphabet) {
    if word.contains("|") {
      append(.anyOf(word.split(separator: "|").map { spelled(String($0), &alphabet) }))
    } else if let count = Int(word) {
      append(.run(.digit, count...count))
    } else {
      switch word {
      case "date": append(.date, .date)
      case "day": append(.day, .date)
      case "n": append(.run(.digit, 1...3))
      case "conflict": append(.anyOf(ConflictWords.stems.map { spelled($0, &alphabet) }))
      case "phrase":
        append(.anyOf(ConflictWords.phrases.map { spelled($0.words, &alphabet) }), .phrase)
      default:
        let kind = NameClass(rawValue: word) ?? .nothing
        append(.run(kind, kind.length), kind == .who || kind == .host ? .device : nil)
      }
    }
  }

  private mutating func append(_ step: Step, _ meaning: Meaning? = nil) {
    steps.append(step)
    meanings.append(meaning)
  }

  private func spelled(_ text: String, _ alphabet: inout Alphabet) -> [UInt32] {
    alphabet.learn(ignoresCase ? text.lowercased() : text).codes
  }
}
