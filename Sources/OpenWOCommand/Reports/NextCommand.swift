/// The command in a hint, which is prose up to a colon and a command after it.
enum NextCommand {
  /// The command; nil if a hint has none that works as it is printed.
  static func of(_ hint: String?) -> String? {
    guard let (_, command) = split(hint), !hasPlaceholder(command) else { return nil }
    return command
  }

  /// What a person has to do before the command, such as closing a program; nil if nothing.
  static func first(_ hint: String?) -> String? {
    guard let (prose, _) = split(hint), prose.hasSuffix(", then") else { return nil }
    return String(prose.dropLast(", then".count))
  }

  private static func split(_ hint: String?) -> (prose: String, command: String)? {
    let marks: [Character] = [":", " "]
    guard let hint, let colon = hint.indices.first(where: { hint[$0...].starts(with: marks) })
    else { return nil }
    let rest = hint[colon...].dropFirst(2)
    // A second way follows the first one.
    let end =
      rest.indices.first { rest[$0...].hasPrefix("; or ") || rest[$0...].hasPrefix("; to ") }
      ?? rest.endIndex
    return (String(hint[..<colon]), String(rest[..<end]))
  }

  private static func hasPlaceholder(_ command: String) -> Bool {
    command.split(separator: " ").contains { ["DATABASE", "FILE", "NAME", "ID"].contains($0) }
      || command.hasSuffix("…")
  }
}
