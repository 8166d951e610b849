/// An error of a command line, in Japanese.
///
/// The argument parser has it in English only, with the typed words in quotes.
public struct CommandLineMistake: Hashable {
  /// The text for the person.
  public let text: String

  /// Takes what the parser says.
  public init(_ message: String) {
    let quoted = message.matches(of: /'([^']*)'/).map { String($0.output.1) }
    let first = quoted.first ?? ""
    if message.hasPrefix("Unknown option") {
      let other = quoted.dropFirst().first.map { "\($0)ではありませんか？" } ?? ""
      text = "\(first)というオプションはありません。\(other)"
    } else if message.hasPrefix("Missing expected argument") {
      text = "\(Self.names[first] ?? first)を指定してください。"
    } else if message.hasPrefix("Missing value") {
      text = "\(first.prefix { $0 != " " })に値を指定してください。"
    } else if message.contains("nexpected argument") {
      text = "余分な指定があります：\(quoted.joined(separator: "、"))"
    } else if message.hasPrefix("The value") {
      text = Self.value(first, of: quoted.dropFirst().first ?? "")
    } else {
      // The app's own words are in Japanese already.
      text = message.utf8.contains { $0 > 127 } ? message : "指定が正しくありません。"
    }
  }

  private static let names = ["<verb>": "コマンド", "<path>": "データベース"]

  private static func value(_ value: String, of name: String) -> String {
    if name == "<verb>" { return "「\(value)」というコマンドはありません。" }
    return "「\(value)」は\(name.prefix { $0 != " " })に指定できません。"
  }
}
