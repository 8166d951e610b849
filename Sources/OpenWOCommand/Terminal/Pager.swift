import OpenWOFiles
import SystemPackage

/// The program with which a person leafs through what is longer than the screen.
struct Pager {
  /// The command for the shell.
  let command: String

  /// The program of `PAGER`, or less if there is one; nil for cat, since cat does not stop at the end of a page.
  init?(_ variable: [UInt8]?) {
    let named = variable.map { String(decoding: $0, as: UTF8.self) }
    guard named != "cat" else { return nil }
    let program =
      named ?? "if command -v less > /dev/null 2>&1; then exec less; else exec cat; fi"
    // As other programs do: leave what fits, show colours, keep the screen.
    command = "LESS=\"${LESS-FRX}\"; export LESS; \(program)"
  }

  /// Whether a text has more lines than a screen, long ones counted as often as they are broken.
  static func isNeeded(_ text: String, columns: Int, rows: Int) -> Bool {
    var left = rows - 1
    for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
      left -= max(1, (visibleCount(line) + columns - 1) / max(1, columns))
      if left < 0 { return true }
    }
    return false
  }

  /// The characters of a line without the signs that set its colours.
  private static func visibleCount(_ line: Substring) -> Int {
    guard line.contains("\u{1b}") else { return line.count }
    var (count, isSign) = (0, false)
    for character in line {
      if character == "\u{1b}" {
        isSign = true
      } else if isSign {
        isSign = character != "m"
      } else {
        count += 1
      }
    }
    return count
  }
}

extension Console {
  /// Writes a result; if it is longer than the screen, a person leafs through it.
  func leaf(_ text: String) throws {
    guard let columns = outputStyle.width, let rows = Terminal.height(output.rawValue),
      OwnProcess.variable("TERM") != Array("dumb".utf8),
      Pager.isNeeded(text, columns: columns, rows: rows),
      let pager = Pager(OwnProcess.variable("PAGER")),
      runShell(pager.command, input: Array((text + "\n").utf8))
    else { return try print(text) }
  }
}
