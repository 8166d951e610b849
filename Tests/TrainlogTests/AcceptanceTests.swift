import ArgumentParser
import Foundation
import Household
import OpenWOApp
import Testing

@testable import trainlog

/// The design's own list of what has to be so, between devices that a real program keeps in step.
struct AcceptanceTests {
  private let house: Household
  private let profile = TrainLog.profile
  private let time = "2026-11-21T14:02:00Z"

  init() throws { house = try Household() }

  private func logAll(_ app: AppStore, _ exercise: String) throws {
    try app.database.write { db in
      let set = try ExerciseSet("80x5", of: exercise, in: .kg, at: time)
      _ = try Workout.log([set], note: exercise, at: time, in: db)
      try FavoriteExerciseStore(db).add(exercise, at: time)
      try SettingsStore(db).update(.lb, at: time)
    }
  }

  private func everything(_ device: String) async throws -> [[ValueRow]] {
    try await house.on(device, profile) { app in
      #expect(app.activeStore == .synced)
      return try app.database.read { db in
        try ["workout", "exerciseSet", "favoriteExercise", "userSettings"].map {
          try db.rows("SELECT * FROM \($0) ORDER BY 1")
        }
      }
    }
  }

  @Test func `with the folder on, log, favourites and settings agree on several devices`()
    async throws
  {
    _ = try (house.places("phone"), house.places("tablet"), house.places("mac"))
    try await house.on("phone", profile) { try logAll($0, "squat") }
    try house.carry("phone", "tablet", "mac")
    try await house.on("tablet", profile) { try logAll($0, "row") }
    try house.carry("tablet", "phone", "mac")
    let shown = try await everything("phone")
    #expect(shown.map(\.count) == [2, 2, 2, 1])
    #expect(try await everything("tablet") == shown)
    #expect(try await everything("mac") == shown)
  }

  @Test func `after a reinstallation the data is there again`() async throws {
    _ = try house.places("phone")
    try await house.on("phone", profile) { try logAll($0, "squat") }
    let before = try await everything("phone")
    try house.carry("phone")
    try house.wipe("phone")
    _ = try house.places("phone")
    try house.carry("phone")
    #expect(try await everything("phone") == before)
  }

  @Test(arguments: ["away", "full"])
  func `without the folder or with a full one the app works and the notice is shown`(cause: String)
    async throws
  {
    var places = try house.places("phone", makingFolder: cause == "full")
    if cause == "full" {
      places.folderProbe = FixedFolder(FolderFinding(.available, .quotaExceeded))
    }
    let app = try await AppStore.open(profile, places)
    try logAll(app, "squat")
    let shown = try await app.database.read { db in try Workout.all(in: db).map(\.note) }
    #expect(shown == ["squat"])
    let rows = SyncSection(await app.syncState, profile, .ja).rows
    #expect(
      rows.contains { $0.title.hasPrefix("この端末内にのみ保存されています。アプリ削除や機種変更でデータが消えます。") })
    #expect(rows[0].value == (cause == "full" ? "iCloud容量不足" : "iCloud未設定"))
  }

  @Test func `a deletion on a device that was offline reaches the others later`() async throws {
    _ = try (house.places("phone"), house.places("mac"))
    try await house.on("phone", profile) { app in
      try logAll(app, "squat")
      try logAll(app, "row")
    }
    try house.carry("phone", "mac")
    _ = try await everything("mac")
    try await house.on("phone", profile) { app in
      try app.database.write { db in
        let squat = try Workout.all(in: db).first { $0.note == "squat" }
        try Workout.delete(squat?.id ?? "", in: db)
        _ = try FavoriteExerciseStore(db).toggle("squat", at: time)
      }
    }
    try house.carry("mac")
    #expect(try await everything("mac").map(\.count) == [2, 2, 2, 1])
    try house.carry("phone", "mac")
    #expect(try await everything("mac").map(\.count) == [1, 1, 1, 1])
  }

  @Test func `the later of two edits of one workout wins, and no set is doubled`()
    async throws
  {
    _ = try (house.places("phone"), house.places("mac"))
    try await house.on("phone", profile) { try logAll($0, "squat") }
    try house.carry("phone", "mac")
    _ = try await everything("mac")
    try house.carry("mac", "phone")
    for (device, word) in [("phone", "90x8"), ("mac", "80x5@9")] {
      try await house.on(device, profile) { store in
        try await App(store: store, clock: Date.init).perform(try Words.parse(["edit", "1", word]))
      }
    }
    for _ in 1...2 {
      try house.carry("phone", "mac")
      for device in ["phone", "mac"] { _ = try await everything(device) }
    }
    for device in ["phone", "mac"] {
      let sets = try await house.on(device, profile) { store in
        try await store.database.read { db in
          try ExerciseSet.all(in: db).map { $0.text(in: .lb, .en) }
        }
      }
      // The whole set, and no mixture of both.
      #expect(sets == ["80.0 lb x 5 @9"], "\(device)")
    }
  }

  @Test func `two devices that log before the service brings anything have the log of both`()
    async throws
  {
    _ = try (house.places("phone"), house.places("mac"))
    try await house.on("phone", profile) { app in
      for exercise in ["squat", "bench"] { try logAll(app, exercise) }
    }
    try await house.on("mac", profile) { try logAll($0, "row") }
    for _ in 1...3 {
      try house.carry("phone", "mac")
      for device in ["phone", "mac"] { _ = try await everything(device) }
    }
    let shown = try await everything("phone")
    #expect(shown.map(\.count) == [3, 3, 3, 1])
    #expect(try await everything("mac") == shown)
    for device in ["phone", "mac"] {
      let joined = try await house.on(device, profile) { try $0.database.status().joined }
      #expect(joined != nil, "\(device)")
    }
  }
}
