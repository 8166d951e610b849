import ArgumentParser
import ExampleShared
import Foundation
import Household
import OpenWOApp
import Testing

@testable import trainlog

/// The app itself: log, favourites, settings.
struct TrainLogTests {
  private let house: Household
  private let time = "2026-11-21T14:02:00Z"

  init() throws { house = try Household() }

  private func open() async throws -> AppStore {
    try await AppStore.open(TrainLog.profile, house.places("phone"))
  }

  @Test func `the tables are those of the design`() async throws {
    let columns = try await open().database.read { db in
      try ["workout", "exerciseSet", "favoriteExercise", "userSettings"].map { table in
        try db.rows("SELECT name FROM pragma_table_info(?)", table) { try $0.get(0) as String }
      }
    }
    #expect(
      columns == [
        ["id", "date", "note"],
        [
          "id", "workoutId", "position", "exerciseId", "weight", "reps", "durationSeconds", "rpe",
          "createdAt",
        ],
        ["exerciseId", "createdAt"], ["id", "weightUnitRaw", "updatedAt"],
      ])
  }

  @Test func `settings that nobody changed have no row, and there is never a second one`()
    async throws
  {
    let app = try await open()
    #expect(try await app.database.read { db in try SettingsStore(db).isEmpty })
    try await app.database.write { db in try SettingsStore(db).update(.lb, at: time) }
    try await app.database.write { db in try SettingsStore(db).update(.kg, at: time) }
    #expect(throws: SQLiteError.self) {
      try app.database.write { db in
        try db.execute("INSERT INTO userSettings VALUES ('other', 'kg', ?)", time)
      }
    }
  }

  @Test func `a favourite is one row, and an exercise that is not a favourite has none`()
    async throws
  {
    let app = try await open()
    let found = try await app.database.write { db in
      let favorites = FavoriteExerciseStore(db)
      return try [
        favorites.isFavorite("squat"), favorites.toggle("squat", at: time),
        favorites.isFavorite("squat"), favorites.toggle("squat", at: time),
      ]
    }
    #expect(found == [false, true, true, false])
    #expect(throws: SQLiteError.self) {
      try app.database.write { db in
        for _ in 1...2 { try db.execute("INSERT INTO favoriteExercise VALUES ('x', ?)", time) }
      }
    }
  }

  @Test func `another unit changes the display, not the data`() async throws {
    let app = try await open()
    try await app.database.write { db in
      let set = try ExerciseSet("80x5", of: "squat", in: .kg, at: time)
      _ = try Workout.log([set], note: "", at: time, in: db)
    }
    try app.database.publish()
    let before = try app.database.version(named: "@")
    try await app.database.write { db in try SettingsStore(db).update(.lb, at: time) }
    let changes = try app.database.diff(from: .version(before.id)).tables
    #expect(changes.map(\.table) == ["userSettings"] && changes.first?.inserted == 1)
    let weight = try await app.database.read { db in try ExerciseSet.all(in: db).first?.weight }
    #expect(weight == 80)
    #expect(WeightUnit.lb.text(80) == "176.4 lb" && WeightUnit.kg.text(80) == "80.0 kg")
    #expect(abs(WeightUnit.lb.kilograms(176.37) - 80) < 0.01)
  }

  @Test(arguments: [
    "", "80", "80x", "x", "-1x5", "80x0", "heavyx5", "infx1", "80x5x", "s", "0s", "80x5@11",
    "80x5@", "@8",
  ])
  func `an invalid set is not logged`(word: String) {
    #expect(throws: Mistake.self) { try ExerciseSet(word, of: "squat", in: .kg, at: "") }
  }

  @Test(arguments: [false, true], [false, true])
  func `the app from before fills in what is empty, once`(
    hasUnit: Bool, hasFavorite: Bool
  ) async throws {
    let app = try await open()
    let legacy = Legacy(weightUnit: "lb", favoriteExercises: ["bench", "row"])
    try await app.database.write { db in
      if hasUnit { try SettingsStore(db).update(.kg, at: time) }
      if hasFavorite { try FavoriteExerciseStore(db).add("squat", at: time) }
      try legacy.fillIn(db, at: time)
    }
    let unit = try await app.database.read { db in try SettingsStore(db).unit }
    let favorites = try await app.database.read { db in try FavoriteExerciseStore(db).all }
    #expect(unit == (hasUnit ? .kg : .lb))
    #expect(favorites == (hasFavorite ? ["squat"] : ["bench", "row"]))
  }

  @Test func `the settings of the app from before are taken over once and never written`()
    async throws
  {
    let old = house.root.appending(path: "legacy.json")
    try Data(#"{"weightUnit":"lb","favoriteExercises":["bench"]}"#.utf8).write(to: old)
    let bytes = try Data(contentsOf: old)
    let store = try await open()
    let app = App(store: store, clock: Date.init)
    let takeOver = try Words.parse(["legacy", "--from", old.path])
    try await app.perform(takeOver)
    try await app.perform(try Words.parse(["favorite", "bench"]))
    for _ in 1...10 { try await app.perform(try Words.parse(["log", "squat", "80x5"])) }
    try await app.perform(takeOver)
    #expect(try await store.database.read { db in try FavoriteExerciseStore(db).all } == [])
    #expect(try Data(contentsOf: old) == bytes)
  }

  @Test(
    arguments: [
      ("80x5", 80, 5, nil, nil), ("82,5x5", 82.5, 5, nil, nil), ("x12", nil, 12, nil, nil),
      ("60s", nil, nil, 60, nil), ("82.5x5@8,5", 82.5, 5, nil, 8.5), ("60s@7", nil, nil, 60, 7),
    ] as [(String, Double?, Int?, Int?, Double?)])
  func `a set has weight, repetitions, a time and how hard it was`(
    word: String, weight: Double?, reps: Int?, seconds: Int?, rpe: Double?
  ) throws {
    let set = try ExerciseSet(word, of: "squat", in: .kg, at: "")
    #expect(set.weight == weight && set.reps == reps)
    #expect(set.durationSeconds == seconds && set.rpe == rpe)
  }

  @Test func `a workout is edited and deleted by its number in the list`() async throws {
    let store = try await open()
    var now = Date(timeIntervalSince1970: 1_795_269_720)
    func perform(_ words: String...) async throws {
      now += 60
      let moment = now
      try await App(store: store, clock: { moment }).perform(try Words.parse(words))
    }
    func all() async throws -> [Workout] {
      try await store.database.read { db in try Workout.all(in: db) }
    }
    try await perform("log", "squat", "80x5", "85x5")
    try await perform("log", "bench", "60x8", "--note", "light")
    try await perform("edit", "2", "90x3@9", "--note", "heavy")
    #expect(try await all().map(\.note) == ["light", "heavy"])
    #expect(try await all()[1].sets.map(\.weight) == [90])
    #expect(try await all()[1].sets.map(\.exerciseId) == ["squat"])
    try await perform("edit", "1", "--note", "")
    #expect(try await all()[0].sets.map(\.reps) == [8])
    try await perform("delete", "1")
    #expect(try await all().map(\.note) == ["heavy"])
    for refused in [["delete", "2"], ["log", "squat"], ["edit", "1"], ["edit", "7", "80x5"]] {
      await #expect(throws: Mistake.self) {
        try await App(store: store, clock: Date.init).perform(try Words.parse(refused))
      }
    }
    #expect(try await all().map(\.note) == ["heavy"])
  }

  @Test func `a number means the workout that the last list showed under it`() async throws {
    let store = try await open()
    let app = App(store: store, clock: Date.init)
    for (note, minute) in [("first", "14:02"), ("second", "14:03")] {
      try await store.database.write { db in
        let set = try ExerciseSet("80x5", of: "squat", in: .kg, at: time)
        _ = try Workout.log([set], note: note, at: "2026-11-21T\(minute):00Z", in: db)
      }
    }
    try await app.perform(try Words.parse(["list"]))
    // Another device's workout comes in, and is the newest.
    try await store.database.write { db in
      let set = try ExerciseSet("60x8", of: "bench", in: .kg, at: time)
      _ = try Workout.log([set], note: "theirs", at: "2026-11-21T14:04:00Z", in: db)
    }
    try await app.perform(try Words.parse(["edit", "1", "--note", "changed"]))
    try await app.perform(try Words.parse(["delete", "2"]))
    await #expect(throws: Mistake.self) { try await app.perform(try Words.parse(["delete", "2"])) }
    let left = try await store.database.read { db in try Workout.all(in: db).map(\.note) }
    #expect(left == ["theirs", "changed"])
    try await app.perform(try Words.parse(["list"]))
    try await app.perform(try Words.parse(["delete", "1"]))
    let last = try await store.database.read { db in try Workout.all(in: db).map(\.note) }
    #expect(last == ["changed"])
  }

  @Test func `an edit of one exercise leaves the others of its workout`() async throws {
    let store = try await open()
    let sets = try ["squat 80x5", "squat 85x3", "plank 60s"].map { words in
      let pair = words.split(separator: " ").map(String.init)
      return try ExerciseSet(pair[1], of: pair[0], in: .kg, at: time)
    }
    try await store.database.write { db in
      _ = try Workout.log(sets, note: "", at: time, in: db)
    }
    func shown() async throws -> [String] {
      try await store.database.read { db in
        try Workout.all(in: db)[0].sets.map { "\($0.exerciseId) \($0.text(in: .kg, .ja))" }
      }
    }
    #expect(try await shown() == ["squat 80.0 kg x 5", "squat 85.0 kg x 3", "plank 60秒"])
    let app = App(store: store, clock: Date.init)
    // Which one is meant has to be said.
    let mistake = await #expect(throws: Mistake.self) {
      try await app.perform(try Words.parse(["edit", "1", "90x5"]))
    }
    #expect(mistake?.words.ja == "種目も指定してください：squat、plank")
    try await app.perform(try Words.parse(["edit", "1", "squat", "90x5"]))
    #expect(try await shown() == ["squat 90.0 kg x 5", "plank 60秒"])
    try await app.perform(try Words.parse(["edit", "1", "plank", "45s", "50s"]))
    #expect(try await shown() == ["squat 90.0 kg x 5", "plank 45秒", "plank 50秒"])
    let ids = try await store.database.read { db in try ExerciseSet.all(in: db).map(\.id) }
    #expect(ids.contains(sets[0].id) && ids.contains(sets[2].id))
  }

  @Test(arguments: ["no settings", ""])
  func `earlier settings that cannot be read are named once, and are left as they are`(
    text: String
  ) async throws {
    let store = try await open()
    let file = house.root.appending(path: "broken.plist")
    try Data(text.utf8).write(to: file)
    var app = App(store: store, clock: Date.init)
    app.settings = file.path
    for _ in 1...2 {
      try await app.perform(try Words.parse(["log", "squat", "80x5"]))
      #expect(store.values["legacyMigrated"]?.bool == false)
    }
    #expect(try String(contentsOf: file, encoding: .utf8) == text)
    // Named by hand they are refused.
    await #expect(throws: Mistake.self) {
      try await app.perform(try Words.parse(["legacy", "--from", file.path]))
    }
  }

  @Test(arguments: [
    (["list", "--xyzzy"], "--xyzzyというオプションはありません。"),
    (["list", "--folde", "x"], "--foldeというオプションはありません。--folderではありませんか？"),
    (["frobnicate"], "「frobnicate」というコマンドはありません。"),
    ([], "コマンドを指定してください。"),
    (["list", "--note"], "--noteに値を指定してください。"),
    (["list", "--lang", "fr"], "「fr」は--langに指定できません。"),
  ])
  func `a mistake on the command line is named in Japanese`(words: [String], text: String) {
    let error = #expect(throws: (any Error).self) { try TrainLog.parseAsRoot(words) }
    let told = CommandLineMistake(error.map { TrainLog.message(for: $0) } ?? "")
    #expect(told.text == text)
  }

  @Test func `settings are read from a property list as the app from before wrote it`() throws {
    let names = try JSONEncoder().encode(["bench", "row"])
    let list = try PropertyListSerialization.data(
      fromPropertyList: ["weightUnit": "lb", "favoriteExercises": names], format: .binary,
      options: 0)
    let legacy = try Legacy(of: list)
    #expect(legacy.weightUnit == "lb" && legacy.favoriteExercises == ["bench", "row"])
    #expect(throws: (any Error).self) { try Legacy(of: Data("no settings".utf8)) }
  }
}
