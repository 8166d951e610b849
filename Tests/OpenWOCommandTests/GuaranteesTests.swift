import Foundation
import Testing

/// The page that says what is promised, and how to try it.
struct GuaranteesTests {
  private static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func page() throws -> String {
    try String(contentsOf: Self.root.appending(path: "docs/GUARANTEES.md"), encoding: .utf8)
  }

  /// The commands of the page: first those that make the store, then those that try each promise.
  private func trials() throws -> [(promise: String, commands: String)] {
    let block = try #require(try page().components(separatedBy: "```sh\n").dropFirst().first)
    let commands = try #require(block.components(separatedBy: "\n```").first)
    return commands.components(separatedBy: "\n# ").enumerated().map { index, part in
      guard index > 0 else { return ("", part) }
      let lines = part.split(separator: "\n", maxSplits: 1).map(String.init)
      return (lines[0], lines[1])
    }
  }

  @Test func `each promise can be tried as the page shows, one after the other`() throws {
    let stage = try Stage()
    let trials = try trials().filter { $0.commands.contains("notes.db") }
    #expect(trials.count == 8)
    for trial in trials {
      let result = try stage.run("{ \(trial.commands); } 2>&1")
      #expect(result.status == 0, "\(trial.promise): \(result.text)")
      let lines = result.text.split(separator: "\n")
      if trial.commands.hasPrefix("cksum") { #expect(lines.first == lines.last, "\(lines)") }
      if trial.commands.contains(".dump") { #expect(result.text.contains("VALUES('milk')")) }
    }
    let rows = try stage.text("sqlite3 notes.db 'SELECT text FROM note ORDER BY text'")
    #expect(rows == "milk\nnotes.db\nnotes.sync-conflict-20261127-101112-ABCDEFG.db\n")
  }

  @Test func `the page fits on one screen`() throws {
    let lines = try page().split(separator: "\n", omittingEmptySubsequences: false).dropLast()
    #expect(lines.count <= 50)
    #expect(lines.allSatisfy { $0.count <= 100 })
  }
}
