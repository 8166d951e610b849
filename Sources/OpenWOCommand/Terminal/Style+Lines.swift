/// Lines wrapped between words at the terminal's width; a file gets long lines.
extension Style {
  /// Prose after a label, with the following lines aligned below the text.
  func prose(_ text: String, after label: String) -> [String] {
    guard let width, label.count + text.count > width else { return [label + text] }
    let indent = String(repeating: " ", count: min(label.count, 10))
    var (lines, line) = ([String](), label)
    var isBegun = false
    for word in text.split(separator: " ", omittingEmptySubsequences: false) {
      if isBegun, line.count + 1 + word.count > width {
        lines.append(line)
        line = indent + word
      } else {
        line += isBegun ? " \(word)" : String(word)
      }
      isBegun = true
    }
    return lines + [line]
  }

  /// A hint after a label: its command is never wrapped, so that it can be copied.
  func way(_ text: String, after label: String) -> [String] {
    guard let width, label.count + text.count > width, let command = NextCommand.command(text)
    else { return prose(text, after: label) }
    let lines = prose(String(text.dropLast(command.count + 1)), after: label)
    return lines + ["  \(command)"]
  }
}
