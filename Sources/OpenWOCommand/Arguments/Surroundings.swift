import OpenWO
import OpenWOFiles

/// The environment of the process: its arguments, its variables, its terminal.
struct Surroundings: Sendable {
  let words: [Word]
  let console: Console

  /// Those of the running process.
  static var own: Surroundings {
    let words = OwnProcess.arguments.map { Word($0) }
    return Surroundings(words: words, console: .own(.find(in: words)))
  }

  /// The value of a variable; nil if it is missing or empty.
  func variable(_ name: String) -> Word? { OwnProcess.variable(name).map { Word($0) } }

  /// The value of the variable that replaces an option, such as `OPENWO_STATE_DIR`.
  func variable(of option: String) -> Word? { variable(Self.variableName(option)) }

  private static func variableName(_ option: String) -> String {
    "OPENWO_" + option.uppercased().split(separator: "-").joined(separator: "_")
  }
}

/// The words of the parser, and their bytes.
extension Surroundings {
  /// The word that the parser read as this text, byte for byte, as the parser repairs invalid
  /// UTF-8.
  func word(_ text: String) throws -> Word {
    guard text.unicodeScalars.contains("\u{FFFD}") else { return Word(text) }
    // A value may also be the end of a word, as in `--output=FILE`.
    let meant = words.flatMap { word in
      word.bytes.indices.map { Word(Array(word.bytes[$0...])) }
        .filter { $0.text.utf8.elementsEqual(text.utf8) }.prefix(1)
    }
    guard let word = meant.first else { return Word(text) }
    guard meant.allSatisfy({ $0 == word }) else {
      throw StoreError.usage(
        "\(word.printable) cannot be told from another word of this call",
        hint: "give it another name: mv \(word.path.shellName) NAME")
    }
    return word
  }

  /// The value of an option: from the command line, else from its variable.
  func word(_ given: String?, _ option: String) throws -> Word? {
    guard let given else { return variable(of: option) }
    guard !given.isEmpty else {
      throw StoreError.usage(
        "--\(option) needs a value", hint: "leave it out, or see what it takes: openwo help")
    }
    return try word(given)
  }

  /// Whether an option is on: on the command line, else by its variable.
  func isOn(_ given: Bool, _ option: String) throws -> Bool {
    if given { return true }
    guard let word = variable(of: option) else { return false }
    switch word.text.lowercased() {
    case "1", "true", "yes", "on": return true
    case "0", "false", "no", "off": return false
    default:
      let name = Self.variableName(option)
      throw StoreError.usage(
        "\(name)=\(word.printable) is neither yes nor no",
        hint: "set it to 1 or 0: export \(name)=1")
    }
  }

  /// Whether the call asks for JSON, however wrong it may be otherwise.
  var asksForJSON: Bool {
    words.prefix { $0 != Word("--") }.contains(Word("--json")) || (try? isOn(false, "json")) == true
  }
}
