import OpenWO
import OpenWOFiles

/// An error of the command-line parser, in our own words.
///
/// The parser quotes typed words with apostrophes; a sentence of an unknown form stays as it is.
struct ParserSentence {
  private let text: String
  /// The typed words, in the order of the parser's sentence.
  private let quoted: [String]
  /// The verb of the call; nil if there is none.
  private let verb: String?

  /// Takes a sentence of the parser.
  init(_ text: String, verb: String?) {
    let lines = text.split(separator: "\n").joined(separator: "; ")
    self.text = lines.hasSuffix(".") ? String(lines.dropLast()) : lines
    self.verb = verb
    quoted = lines.split(separator: "'", omittingEmptySubsequences: false).enumerated()
      .filter { $0.offset % 2 == 1 }.map { String($0.element) }
  }

  /// The error, with one command to run next.
  var error: StoreError {
    let (sentence, way) = reading ?? (text.prefix(1).lowercased() + text.dropFirst(), nil)
    return .usage(String(printable: sentence.utf8), hint: way ?? help)
  }

  private var help: String {
    verb.map { "see how it is called: openwo help \($0)" } ?? "see all verbs: openwo help"
  }

  /// The sentence, and the way on if that is not the help text.
  private var reading: (sentence: String, hint: String?)? {
    guard let first = quoted.first else { return nil }
    if text.hasPrefix("Unknown option ") { return unknown(first) }
    if text.hasPrefix("Unexpected argument ") { return ("'\(first)' is a word too many", nil) }
    if text.contains(" unexpected arguments: ") {
      let words = quoted.map { "'\($0)'" }.joined(separator: ", ")
      return ("\(quoted.count) words are too many: \(words)", nil)
    }
    if text.hasPrefix("Missing value for ") { return missing(Self.parts(of: first)) }
    guard text.hasPrefix("The value "), text.contains(" is invalid for "), quoted.count > 1 else {
      return nil
    }
    return invalid(first, Self.parts(of: quoted[1]), choices: Array(quoted.dropFirst(2)))
  }

  private func unknown(_ option: String) -> (String, String?) {
    let sentence = verb.map { "\($0) has no option \(option)" } ?? "there is no option \(option)"
    // The parser also proposes options that are not like this one at all.
    guard let near = quoted.dropFirst().first, NearestVerb.distance(option, near) <= 2 else {
      return (sentence, nil)
    }
    return (sentence, "did you mean \(near)? \(help)")
  }

  private func missing(_ option: (name: String, value: String)) -> (String, String?) {
    let vowels: [Character] = ["a", "e", "i", "o"]
    let article = option.value.first.map(vowels.contains) == true ? "an" : "a"
    return ("\(option.name) needs \(article) \(option.value)", nil)
  }

  private func invalid(
    _ value: String, _ option: (name: String, value: String), choices: [String]
  ) -> (String, String?) {
    if let last = choices.last {
      let others = choices.dropLast().joined(separator: ", ")
      let list = others.isEmpty ? last : "\(others) or \(last)"
      return ("\(option.name) takes \(list), and not '\(value)'", nil)
    }
    let example = option.value == "time" ? "30s" : "20"
    let what = option.value == "time" ? "a span of time" : "a number"
    return (
      "'\(value)' is not \(what) for \(option.name)",
      verb.map { "write it like this: openwo \($0) \(option.name) \(example)" }
    )
  }

  /// An option and its value's name, of `--limit <count>`.
  private static func parts(of option: String) -> (name: String, value: String) {
    let parts = option.split(separator: " ", maxSplits: 1).map(String.init)
    let value = parts.count == 2 ? parts[1].filter { $0 != "<" && $0 != ">" } : ""
    let name = parts.first ?? option
    return (name, value.isEmpty || name.hasSuffix(value) ? "value" : value)
  }
}
