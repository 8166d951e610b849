import ArgumentParser
import ExampleShared
import Foundation
import Household
import OpenWOApp
import Testing

@testable import buffstuff

/// The data that the app kept in `UserDefaults` before it had a database.
struct EarlierSettingsTests {
  private let house: Household

  init() throws {
    house = try Household()
    _ = try house.places("phone")
  }

  private func settings(_ values: [String: Any]) throws -> EarlierSettings {
    let file = house.root.appending(path: "old.plist")
    try PropertyListSerialization.data(fromPropertyList: values, format: .binary, options: 0)
      .write(to: file)
    return try #require(EarlierSettings(at: file.path))
  }

  private func after(
    _ legacy: Legacy, _ sql: String
  ) async throws -> [String] {
    try await house.on("phone", BuffStuff.profile) { store in
      // Twice, as after a crash.
      for _ in 1...2 {
        try await store.database.write { db in
          try legacy.fillIn(db, on: "phone", at: "2026-11-21T14:02:00.000Z")
        }
      }
      return try await store.database.read { db in try db.rows(sql) { try $0.get(0) as String } }
    }
  }

  @Test func `the data that the app kept before it had a database is imported`() async throws {
    let exercises = """
      [{"id": "e1", "name": "Squat", "muscleGroup": "legs", "equipment": "barbell", "notes": "low bar",
        "isFavorite": true, "defaultWeight": 80, "defaultReps": 5, "weightIncrement": 1.25,
        "createdAt": 0, "modifiedAt": "2026-11-20T14:02:00.000Z"},
       {"id": "e2", "name": "Row", "isDeleted": true}]
      """
    let workouts = """
      [{"id": "w1", "name": "Legs", "startedAt": 60, "completedAt": 3600, "notes": "good",
        "entries": [{"exercise": "Squat", "reps": 5}]}]
      """
    let active = #"{"id": "w2", "name": "Arms", "entries": [{"exercise": "Curl", "reps": 8}]}"#
    let legacy = try Legacy(
      settings([
        "buff_stuff_exercises": Data(exercises.utf8), "buff_stuff_workouts": Data(workouts.utf8),
        "buff_stuff_active_workout": Data(active.utf8),
      ]))
    #expect(
      try await after(
        legacy,
        """
        SELECT format('%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s|%s', id, name, muscleGroup, equipment, notes, isFavorite, isDeleted,
          defaultWeight, defaultReps, weightIncrement, createdAt, modifiedAt)
        FROM exercise ORDER BY id
        """) == [
          "e1|Squat|legs|barbell|low bar|1|0|80.0|5|1.25|2001-01-01T00:00:00.000Z|2026-11-20T14:02:00.000Z",
          "e2|Row|other|other||0|1|0.0|8|2.5|2026-11-21T14:02:00.000Z|2026-11-21T14:02:00.000Z",
        ])
    #expect(
      try await after(
        legacy,
        """
        SELECT format('%s|%s|%s|%s|%s|%s|%s', id, name, startedAt, coalesce(completedAt, 'now'), notes,
          json_extract(entriesJSON, '$[0].exercise'), device) FROM workout ORDER BY id
        """) == [
          "w1|Legs|2001-01-01T00:01:00.000Z|2001-01-01T01:00:00.000Z|good|Squat|phone",
          "w2|Arms|2026-11-21T14:02:00.000Z|now||Curl|phone",
        ])
  }

  @Test func `settings without anything of the app bring nothing`() async throws {
    let legacy = try Legacy(settings(["other": 1]))
    #expect(try await after(legacy, "SELECT name FROM exercise") == [])
    let broken = try settings(["buff_stuff_exercises": Data("[".utf8)])
    #expect(throws: DecodingError.self) { try Legacy(broken) }
  }

  @Test(arguments: ["no property list", ""])
  func `earlier settings that cannot be read are named once, and are left as they are`(
    text: String
  ) async throws {
    let file = house.root.appending(path: "broken.plist")
    try Data(text.utf8).write(to: file)
    for _ in 1...2 {
      try await house.on("phone", BuffStuff.profile) { store in
        var app = App(store: store)
        app.settings = file.path
        try await app.perform(Words.parse(["add", "Squat"]))
        #expect(store.values["legacyMigrated"]?.bool == false)
      }
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    #expect(Catalogue(.ja).broughtOver(.unknown("x"))?.contains("このアプリのファイルではない") == true)
  }

  @Test(arguments: [true, false])
  func `the switch of the app from before counts until it is moved`(isOn: Bool) async throws {
    let places = try house.places("phone")
    let earlier = try settings(["buff_stuff_cloudkit_enabled": isOn])
    try earlier.takeOverSwitch("buff_stuff_cloudkit_enabled", BuffStuff.profile, places)
    func found() async throws -> Bool {
      try await house.on("phone", BuffStuff.profile) { $0.syncEnabled }
    }
    #expect(try await found() == isOn)
    try await house.on("phone", BuffStuff.profile) { try await $0.setSyncEnabled(!isOn) }
    try earlier.takeOverSwitch("buff_stuff_cloudkit_enabled", BuffStuff.profile, places)
    #expect(try await found() == !isOn)
  }
}
