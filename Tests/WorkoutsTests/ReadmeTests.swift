import Foundation
import OpenWO
import Testing

/// Everything in the README is true.
struct ReadmeTests {
  static let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent()

  private func text(_ path: String) throws -> String {
    try String(contentsOf: Self.root.appending(path: path), encoding: .utf8)
  }

  /// The code of the README; `the code is what the README shows` compares the two.
  private func glance(_ path: String) throws -> (names: [String], following: Task<Void, any Error>)
  {
    let store = try SyncedDatabase(path: path)
    let names = try store.read { db in
      try db.rows("SELECT name FROM exercise ORDER BY id") { try $0.get(0) as String }
    }
    try store.write { db in
      try db.execute("INSERT INTO exercise (name) VALUES (?)", "Squat")
    }
    let following = Task {
      for try await names in store.values({ db in
        try db.rows("SELECT name FROM exercise ORDER BY id") { try $0.get(0) as String }
      }) { print("show them: \(names)") }
    }
    let lock = try store.lock(LockRequest(note: "editing templates"))
    let edit = try store.unlock()
    let before = try store.version(named: "@~1")
    let restored = try store.restore(before.id)
    _ = (lock, edit, restored)
    return (names, following)
  }

  private func values(_ store: SyncedDatabase) throws {
    struct Session: Codable, Sendable {
      var id: UUID
      var startedAt: Date
      var note: String?
    }
    try store.write { db in
      try db.execute("INSERT INTO session (id, startedAt) VALUES (?, ?)", UUID(), Date.now)
    }
    let sessions = try store.read { db in
      try db.rows("SELECT id, startedAt, note FROM session", as: Session.self)
    }
    _ = sessions
  }

  private func together(
    _ store: SyncedDatabase, _ configuration: inout Configuration, before: Version, other: Version
  ) throws {
    configuration.settling = .merge
    configuration.pinned = [PinnedRows("session", where: "endedAt IS NULL")]
    let difference = try store.diff(from: .version(before.id), rows: .all)
    let merged = try store.merge(.version(other.id), MergeRequest(rules: ["settings": .newest]))
    _ = (difference, merged)
  }

  @Test func `the code is what the README shows`() throws {
    let blocks = try text("README.md").components(separatedBy: "```swift\n").dropFirst()
    #expect(blocks.count == 3)
    for block in blocks {
      let shown = try #require(block.components(separatedBy: "```").first)
      let indented = shown.split(separator: "\n").map { "    \($0)\n" }.joined()
      #expect(try text("Tests/WorkoutsTests/ReadmeTests.swift").contains(indented))
    }
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
