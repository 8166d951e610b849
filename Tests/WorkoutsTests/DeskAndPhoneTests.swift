import Foundation
import Household
import OpenWOApp
import Testing

@testable import workouts

/// The app's purpose: the phone logs, the mac edits with any program, and a real program carries
/// files between them.
struct DeskAndPhoneTests {
  let house: Household

  init() throws {
    house = try Household()
    for device in ["phone", "mac", "tablet"] { _ = try house.places(device) }
  }

  func database(_ device: String) -> String {
    house.folder(device).appending(path: "openwo.sqlite").path
  }

  private func start(_ device: String, _ program: String, _ arguments: [String]) throws
    -> RunningApp
  {
    try RunningApp(
      program, arguments,
      [
        "OPENWO_STATE_DIR": house.state(device).path, "OPENWO_DEVICE_NAME": device,
        "XDG_DATA_HOME": house.data(device).path, "OPENWO_NETWORK": "online", "LANG": "C",
      ])
  }

  /// Runs a program on a device to its end.
  @discardableResult
  func on(
    _ device: String, _ program: String, _ arguments: String...
  ) throws -> (status: Int32, text: String) {
    let process = try start(device, program, arguments)
    let status = try process.ended()
    return (status, process.lines.joined(separator: "\n"))
  }

  @Test func `the mac locks, the phone lets go, and the edit is on the phone afterwards`() throws {
    try on("phone", "workouts", database("phone"), "log", "1", "60")
    try house.carry("phone", "mac", "tablet")
    #expect(try on("mac", "openwo", "sync", database("mac")).status == 0)
    try house.carry("mac", "phone")
    let app = try start("phone", "workouts", [database("phone"), "run"])
    try app.line("1  Full body A")
    #expect(
      try on("mac", "openwo", "lock", database("mac"), "--note", "new targets").status == 0)
    try house.carry("mac", "phone")
    try app.line("* locked by")
    #expect(try on("phone", "workouts", database("phone"), "log", "1").status == 11)
    // The phone's answer travels back: the mac sees that nobody else has the file.
    try house.carry("phone", "mac")
    let status = try on("mac", "openwo", "status", database("mac")).text
    #expect(status.contains("has let go"), "\(status)")
    #expect(
      try on(
        "mac", "/usr/bin/env", "sqlite3", database("mac"),
        "UPDATE workout SET name = 'Legs' WHERE id = 1"
      ).status == 0)
    #expect(try on("mac", "openwo", "unlock", database("mac")).status == 0)
    try house.carry("mac", "phone", "tablet")
    try app.line("* unlocked")
    try app.line("1  Legs")
    app.interrupt()
    #expect(try app.ended() == 0)
    #expect(try on("phone", "workouts", database("phone"), "log", "legs").status == 0)
    try house.carry("phone", "tablet", "mac")
    let tablet = try on("tablet", "workouts", database("tablet"), "sessions").text
    #expect(tablet.contains("session 2") && tablet.contains("Legs"), "\(tablet)")
  }

  @Test func `a workout that is still on its way when the mac edits is there on both`() throws {
    try on("phone", "workouts", database("phone"), "list")
    try house.carry("phone", "mac")
    try on("mac", "openwo", "sync", database("mac"))
    try on("phone", "workouts", database("phone"), "log", "1", "60")
    // The phone has no network; the mac edits meanwhile.
    let edit = try on(
      "mac", "openwo", "edit", database("mac"), "--", "sqlite3", "{}",
      "UPDATE workout SET name = 'Legs' WHERE id = 1")
    #expect(edit.status == 0, "\(edit.text)")
    for _ in 1...2 {
      try house.carry("phone", "mac")
      for device in ["phone", "mac"] { try on(device, "openwo", "sync", database(device)) }
    }
    for device in ["phone", "mac"] {
      let shown = try on(device, "workouts", database(device), "list").text
      #expect(shown.contains("Legs"), "\(shown)")
      let sessions = try on(device, "workouts", database(device), "sessions").text
      #expect(sessions.contains("session 1"), "\(sessions)")
    }
    let history = try on("mac", "openwo", "history", database("mac")).text
    #expect(history.contains("merge"), "\(history)")
  }

  @Test func `sessions logged without the folder are in it at the next start with it`() throws {
    try FileManager.default.removeItem(at: house.folder("phone"))
    let first = try on("phone", "workouts", database("phone"), "log", "1", "60")
    #expect(first.status == 0 && first.text.contains("kept on this device"), "\(first.text)")
    let status = try on("phone", "workouts", database("phone"), "status", "--lang", "ja").text
    #expect(status.contains("この端末内にのみ保存されています。アプリ削除や機種変更でデータが消えます。"))
    _ = try house.places("phone")
    #expect(try on("phone", "workouts", database("phone"), "sessions").text.contains("session 1"))
    #expect(try house.names(in: house.folder("phone")).contains("openwo.sqlite"))
    let kept = try house.names(in: house.data("phone").appending(path: "org.example.workouts"))
    #expect(kept.contains { $0.hasPrefix("openwo.sqlite.migrated-") }, "\(kept)")
  }

  @Test func `a phone and a mac that begin apart have the sessions of both`() throws {
    for _ in 1...2 { try on("phone", "workouts", database("phone"), "log", "1", "60") }
    try on("mac", "workouts", database("mac"), "log", "2", "45")
    // The grace time, in which the other one's files may still be on their way, is over by then.
    for _ in 1...3 {
      try house.carry("phone", "mac")
      for device in ["phone", "mac"] { try on(device, "openwo", "sync", database(device)) }
    }
    let shown = try ["phone", "mac"].map { try on($0, "workouts", database($0), "sessions").text }
    #expect(shown[0] == shown[1])
    for number in 1...3 { #expect(shown[0].contains("session \(number)"), "\(shown[0])") }
    for device in ["phone", "mac"] {
      let status = try on(device, "openwo", "status", database(device)).text
      #expect(status.contains("begun apart"), "\(status)")
    }
  }
}

/// A plan that is rewritten on one device while another one logs it.
extension DeskAndPhoneTests {
  @Test func `a log finds its exercise after the plan was rewritten on another device`() throws {
    try on("mac", "workouts", database("mac"), "list")
    try house.carry("mac", "tablet")
    try on("tablet", "workouts", database("tablet"), "list")
    try house.carry("tablet", "mac")
    let rewrite = """
      DELETE FROM workoutExercise WHERE workoutId = 1;
      INSERT INTO workoutExercise (workoutId, exerciseId, position, sets, target)
        VALUES (1, 3, 1, 3, 8), (1, 1, 2, 3, 5), (1, 5, 3, 3, 5)
      """
    let edit = try on("mac", "openwo", "edit", database("mac"), "--", "sqlite3", "{}", rewrite)
    #expect(edit.status == 0, "\(edit.text)")
    // Meanwhile, without a network.
    try on("tablet", "workouts", database("tablet"), "log", "1", "99", "88", "77")
    for _ in 1...2 {
      try house.carry("mac", "tablet")
      for device in ["mac", "tablet"] { try on(device, "openwo", "sync", database(device)) }
    }
    for device in ["mac", "tablet"] {
      #expect(
        try on(device, "workouts", database(device), "show", "1").text == """
          Full body A: Squat day
            1. Bench press  3 x 8, last time 88 kg
            2. Squat  3 x 5, last time 99 kg
            3. Bent-over row  3 x 5, last time 77 kg
          """)
      let sessions = try on(device, "workouts", database(device), "sessions").text
      #expect(sessions.contains("session 1"), "\(sessions)")
      let dangling = try on(
        device, "/usr/bin/env", "sqlite3", database(device), "PRAGMA foreign_key_check")
      #expect(dangling.text == "")
    }
  }
}
