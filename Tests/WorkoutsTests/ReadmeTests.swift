import Foundation
import Testing

/// Everything in the README is true.
struct ReadmeTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  @Test(arguments: [
    "workouts/Workouts", "trainlog/TrainLog", "buffstuff/BuffStuff", "dailydo/DailyDo",
  ])
  func `an app needs only a short file for openwo`(name: String) throws {
    let lines = try text("examples/\(name).swift").split(separator: "\n")
    #expect(lines.count <= 80)
    #expect(lines.contains { $0.contains("AppProfile(") })
    // The data of the app is plain SQL.
    let folder = Self.root.appending(path: "examples/\(name.prefix { $0 != "/" })/Data")
    for file in try FileManager.default.contentsOfDirectory(atPath: folder.path) {
      let code = try String(contentsOf: folder.appending(path: file), encoding: .utf8)
      #expect(!code.contains("syncState") && !code.contains("publish("), "\(file)")
    }
  }

  @Test func `every verb in the README is one of the command's`() throws {
    let desk = try Desk()
    let help = try desk.run("openwo", "help").text
    let rows = try text("README.md").split(separator: "\n").filter { $0.hasPrefix("| `") }
    let verbs = rows.compactMap { $0.split(separator: "`").dropFirst().first.map(String.init) }
    #expect(verbs.count >= 12)
    for verb in verbs { #expect(help.contains("\n  \(verb) "), "\(verb)") }
  }

  @Test func `every file that the pages name is there`() throws {
    for page in ["README.md", "docs/ARCHITECTURE.md"] {
      let folder = Self.root.appending(path: page).deletingLastPathComponent()
      for link in try text(page).components(separatedBy: "](").dropFirst() {
        let path = String(link.prefix { $0 != ")" })
        let isThere = FileManager.default.fileExists(atPath: folder.appending(path: path).path)
        #expect(isThere, "\(path) in \(page)")
      }
    }
    let words = try text("docs/ARCHITECTURE.md").split(separator: "`").map(String.init)
    for path in words where path.hasPrefix("Sources/") || path.hasPrefix("examples/") {
      #expect(
        FileManager.default.fileExists(atPath: Self.root.appending(path: path).path), "\(path)")
    }
  }
}
