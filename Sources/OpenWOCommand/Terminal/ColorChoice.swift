import ArgumentParser
import OpenWOFiles

/// When text is coloured.
enum ColorChoice: String, ExpressibleByArgument, CaseIterable, Sendable {
  /// On a terminal, unless a variable says otherwise.
  case auto
  case always
  case never

  /// The value of `--color` or its variable, even if the call is invalid otherwise: errors are
  /// coloured, too.
  static func find(in words: [Word]) -> ColorChoice {
    let words = words.map(\.text).prefix { $0 != "--" }
    let given = words.indices.reversed().lazy.compactMap { place -> ColorChoice? in
      if words[place].hasPrefix("--color=") {
        return ColorChoice(rawValue: String(words[place].dropFirst("--color=".count)))
      }
      guard words[place] == "--color", place + 1 < words.endIndex else { return nil }
      return ColorChoice(rawValue: words[place + 1])
    }
    let variable = OwnProcess.variable("OPENWO_COLOR").flatMap { Self(rawValue: Word($0).text) }
    return given.first ?? variable ?? .auto
  }

  /// Whether it is coloured, by the variables that other programs heed, too.
  func isOn(onTerminal isTerminal: Bool) -> Bool {
    guard self == .auto else { return self == .always }
    if OwnProcess.variable("NO_COLOR") != nil { return false }
    if let forced = OwnProcess.variable("CLICOLOR_FORCE"), forced != Array("0".utf8) { return true }
    return isTerminal && OwnProcess.variable("TERM") != Array("dumb".utf8)
  }
}
