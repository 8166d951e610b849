import OpenWO
import OpenWOFiles

/// What the process was started in: its words, its variables, its terminal.
struct Surroundings: Sendable {
  let words: [Word]
  let console: Console

  /// Those of the running process.
  static var own: Surroundings {
    Surroundings(words: OwnProcess.arguments.map { Word($0) }, console: .own)
  }

  /// The value of a variable; nil when it is missing or empty.
  func variable(_ name: String) -> Word? { OwnProcess.variable(name).map { Word($0) } }

  /// Whether an option's variable switches it on.
  func isOn(_ option: Option) throws -> Bool {
    guard let word = variable(option.variable) else { return false }
    switch word.text.lowercased() {
    case "1", "true", "yes", "on": return true
    case "0", "false", "no", "off": return false
    default:
      throw StoreError.usage(
        "\(option.variable)=\(word.printable) is neither yes nor no",
        hint: "set it to 1 or 0: export \(option.variable)=1")
    }
  }

  /// Whether the call asks for an option, however wrong it may be otherwise.
  func asks(for option: Option) -> Bool {
    words.prefix { $0 != Word("--") }.contains(Word("--\(option.name)"))
      || (try? isOn(option)) == true
  }
}
