import Foundation
import Testing

@testable import workouts

/// Messages for a person in both languages; logged entries are never out of sight.
struct SightTests {
  private func workouts(_ desk: Desk, _ words: String...) throws -> (status: Int32, text: String) {
    let process = try RunningApp("workouts", [desk.database] + words, desk.environment)
    let status = try process.ended()
    return (status, process.lines.joined(separator: "\n"))
  }

  @Test(arguments: ["workouts", "trainlog", "buffstuff", "dailydo"])
  func `the Japanese help has every verb and every option`(program: String) throws {
    let desk = try Desk()
    let english = try desk.run(program, "--help").text
    let japanese = try desk.run(program, "--help", "--lang", "ja")
    #expect(japanese.status == 0 && japanese.text.contains("使い方：\(program)"))
    let list = try #require(english.firstMatch(of: /One of: ([a-z, \n-]+)\./)).output.1
    let verbs = list.split { $0 == "," || $0.isWhitespace }
    #expect(verbs.count > 8)
    for verb in verbs {
      #expect(japanese.text.contains(try Regex("\\b\(verb)\\b")), "\(verb)")
    }
    for option in english.matches(of: /--[a-z]+/).map(\.output) {
      #expect(japanese.text.contains(option), "\(option)")
    }
  }

  @Test func `without the folder there is nothing to lock`() throws {
    let desk = try Desk()
    try FileManager.default.removeItem(at: desk.folder)
    let refused = try workouts(desk, "lock", "editing")
    #expect(refused.status == 1 && refused.text.contains("there is no file to edit"))
    let japanese = try workouts(desk, "lock", "--lang", "ja")
    #expect(japanese.status == 1 && japanese.text.contains("編集できるファイルがありません"))
    // The app still works, and nothing is left locked.
    #expect(try workouts(desk, "log", "1", "60").status == 0)
    let unlock = try workouts(desk, "unlock")
    #expect(unlock.status == 1 && unlock.text.contains("nobody has locked it"))
    #expect(!FileManager.default.fileExists(atPath: desk.folder.path))
  }

  @Test func `an edit that leaves rows without their workout is reported with a way back`() throws {
    let desk = try Desk()
    #expect(try workouts(desk, "log", "1").status == 0)
    #expect(try workouts(desk, "lock").status == 0)
    try desk.sqlite3("DELETE FROM workout WHERE name = 'Core'")
    let english = try workouts(desk, "unlock")
    #expect(english.status == 1 && english.text.contains("pointing at a missing row"))
    #expect(!english.text.contains("try again"), "\(english.text)")
    let japanese = try workouts(desk, "unlock", "--lang", "ja")
    #expect(japanese.status == 1 && japanese.text.contains("編集を終了できません"))
    #expect(japanese.text.contains("workouts \(desk.database) unlock --discard"))
    #expect(try workouts(desk, "unlock", "--discard", "--lang", "ja").status == 0)
    #expect(try workouts(desk, "list").text.contains("Core"))
  }

  @Test func `the first look with the folder shows entries logged without it`() throws {
    let desk = try Desk()
    #expect(try workouts(desk, "log", "1", "60").status == 0)
    let away = desk.root.appending(path: "away")
    try FileManager.default.moveItem(at: desk.folder, to: away)
    #expect(try workouts(desk, "log", "2", "--feedback", "offline").status == 0)
    try FileManager.default.moveItem(at: away, to: desk.folder)
    let shown = try workouts(desk, "sessions").text
    #expect(shown.contains("session 2") && shown.contains("offline"), "\(shown)")
  }

  @Test func `an error of the command line is in the person's language`() throws {
    let desk = try Desk()
    let english = try workouts(desk, "log", "1", "--minutes=-4")
    #expect(english.status == 64 && english.text.contains("--minutes cannot be negative"))
    let japanese = try workouts(desk, "log", "1", "--minutes=-4", "--lang", "ja")
    #expect(japanese.status == 64)
    #expect(
      japanese.text == "workouts: --minutesには0以上を指定してください。\n使い方：workouts --help")
  }
}
