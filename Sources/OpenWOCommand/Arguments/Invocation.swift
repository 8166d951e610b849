import OpenWO
import OpenWOFiles

/// One call of the command: the verb with its words and options.
struct Invocation: Sendable {
  let verb: Verb
  /// The words that are no options.
  let operands: [Word]
  /// The words after `--`; nil when there is no `--`.
  let trailing: [Word]?
  let surroundings: Surroundings
  /// The options that were given on the command line; the value of one that is on is empty.
  private let given: [String: Word]

  init(
    verb: Verb, operands: [Word], trailing: [Word]?, given: [String: Word],
    _ surroundings: Surroundings
  ) {
    self.verb = verb
    self.operands = operands
    self.trailing = trailing
    self.given = given
    self.surroundings = surroundings
  }

  var console: Console { surroundings.console }

  /// The value of an option: from the command line, else from its variable.
  func word(_ option: Option) -> Word? {
    given[option.name] ?? surroundings.variable(option.variable)
  }

  /// The text of an option.
  func text(_ option: Option) -> String? { word(option)?.text }

  /// Whether an option is on.
  func isOn(_ option: Option) throws -> Bool {
    if given[option.name] != nil { return true }
    return try surroundings.isOn(option)
  }

  /// A span of time, such as `30s`, `2h` or `1h30m`.
  func duration(_ option: Option) throws -> Duration? {
    guard let word = word(option) else { return nil }
    guard let duration = Duration(spoken: word.text) else {
      throw StoreError.usage(
        "\(word.printable) is no span of time for --\(option.name)",
        hint: "write it like this: --\(option.name) 30s, 5m, 2h or 1h30m")
    }
    return duration
  }

  /// A number that is not negative.
  func count(_ option: Option) throws -> Int? {
    guard let word = word(option) else { return nil }
    guard let count = Int(word.text), count >= 0 else {
      throw StoreError.usage(
        "\(word.printable) is no number for --\(option.name)",
        hint: "write it like this: --\(option.name) 20")
    }
    return count
  }
}

extension StoreError {
  /// The words of the call are off.
  static func usage(_ message: String, hint: String) -> StoreError {
    StoreError(.usage, message, hint: hint)
  }
}
