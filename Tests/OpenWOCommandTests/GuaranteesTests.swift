import Foundation
import Testing

/// The page that says what is promised, and how to try it.
struct GuaranteesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func page() throws -> String {
    try String(contentsOf: Self.root.appending(path: "docs/GUARANTEES.md"), encoding: .utf8)
  }

  /// The commands of the table, each of which tries one promise.
  private func trials() throws -> [(promise: String, command: String)] {
    try page().split(separator: "\n").compactMap { line in
      guard line.hasPrefix("| **") else { return nil }
      let cells = line.split(separator: " | ").map(String.init)
      let words = cells[1].split(separator: "`").map(String.init)
      return (cells[0], words[0])
    }
  }

  @Test func `each promise can be tried as the page says, one after the other`() throws {
    let stage = try Stage()
    let block = try #require(try page().components(separatedBy: "```sh\n").dropFirst().first)
    try stage.text(try #require(block.components(separatedBy: "```").first))
    let trials = try trials().filter { $0.command.contains("notes.db") }
    #expect(trials.count == 7)
    for trial in trials {
      let result = try stage.run("{ \(trial.command); } 2>&1")
      #expect(result.status == 0, "\(trial.promise): \(result.text)")
      let lines = result.text.split(separator: "\n")
      if trial.command.hasPrefix("cksum") { #expect(lines.first == lines.last, "\(lines)") }
      if trial.command.contains("SELECT") { #expect(lines.suffix(2) == ["milk", "bread"]) }
    }
    let rows = try stage.text("sqlite3 notes.db 'SELECT text FROM note ORDER BY text'")
    #expect(rows == "bread\neggs\nmilk\n")
  }
}
