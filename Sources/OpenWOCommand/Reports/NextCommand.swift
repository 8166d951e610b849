/// The command in a hint, which is prose up to a colon and a command after it.
enum NextCommand {
  /// The command; nil if a hint has none that works as it is printed.
  static func of(_ hint: String?) -> String? {
    guard let (_, command) = split(hint), !hasPlaceholder(command) else { return nil }
    return command
  }

  /// The command in one way out, as it is printed; nil if there is none.
  static func command(_ way: String) -> String? { split(way)?.command }

  /// The step that a person has to take before the command, such as closing a program; nil if none.
  static func first(_ hint: String?) -> String? {
    guard let (prose, _) = split(hint), prose.hasSuffix(", then") else { return nil }
    return String(prose.dropLast(", then".count))
  }

  private static func split(_ hint: String?) -> (prose: String, command: String)? {
    let marks: [Character] = [":", " "]
    guard let hint, let colon = hint.indices.first(where: { hint[$0...].starts(with: marks) })
    else { return nil }
    let rest = hint[colon...].dropFirst(2)
    return (String(hint[..<colon]), String(rest[..<end(of: rest)]))
  }

  /// The ways out that a hint has, each with its command.
  static func ways(_ hint: String) -> [String] {
    var (ways, rest) = ([String](), hint[...])
    while let colon = rest.indices.first(where: { rest[$0...].hasPrefix(": ") }) {
      let end = end(of: rest[colon...])
      guard end < rest.endIndex else { break }
      ways.append(String(rest[..<end]))
      rest = rest[end...].dropFirst(2)
    }
    return ways + [String(rest)]
  }

  /// The end of the first hint; a second one may follow.
  private static func end(of text: Substring) -> String.Index {
    text.indices.first { text[$0...].hasPrefix("; or ") || text[$0...].hasPrefix("; to ") }
      ?? text.endIndex
  }

  private static func hasPlaceholder(_ command: String) -> Bool {
    command.split(separator: " ").contains { ["DATABASE", "FILE", "NAME", "ID"].contains($0) }
      || command.hasSuffix("…")
  }
}
