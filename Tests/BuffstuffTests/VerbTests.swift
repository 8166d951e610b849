import ArgumentParser
import ExampleShared
import Foundation
import Household
import OpenWOApp
import Testing

@testable import buffstuff

/// What each verb does with the store, and what it prints.
struct VerbTests {
  private let house: Household
  private let profile = BuffStuff.profile

  init() throws {
    house = try Household()
    for device in ["phone", "tablet"] { _ = try house.places(device) }
  }

  @discardableResult
  private func on<Result: Sendable>(
    _ device: String, _ body: (App) async throws -> Result
  ) async throws -> Result {
    try await house.on(device, profile) { store in try await body(App(store: store)) }
  }

  @Test func `a finished workout is published at once, and a set waits for the next one`()
    async throws
  {
    // The app stays open: closing it would publish whatever waits.
    let store = try await AppStore.open(profile, house.places("phone"))
    _ = await store.attachment()
    let app = App(store: store)
    func waiting() throws -> Int { try store.database.history().count { !$0.isPublished } }
    try await app.addExercise("Squat", weight: 80)
    #expect(try waiting() == 0)
    try await app.changeExercise("Squat", weight: 85)
    #expect(try waiting() == 0)
    try await app.startWorkout("Legs")
    try await app.logSet("Squat", reps: 5)
    #expect(try waiting() > 0)
    try await app.finishWorkout()
    #expect(try waiting() == 0)
    try await app.deleteExercise("Squat")
    #expect(try waiting() == 0)
    try await store.close()
  }

  @Test func `an exercise and a workout are the same after the way through their rows`()
    async throws
  {
    let (exercise, workout) = try await on("phone") { app in
      let made = Exercise(name: "Squat", weight: 82.5, at: "2026-11-21T14:02:00.000Z")
      try await app.store.database.write { db in try made.insert(into: db) }
      try await app.startWorkout("Legs")
      try await app.logSet("Squat", reps: 5)
      try await app.logSet("Squat", reps: 3, weight: 90)
      return (made, try await app.store.database.read { db in try Workout.all(in: db)[0] })
    }
    #expect(workout.completedAt == nil)
    #expect(
      workout.entries == [
        .init(exercise: "Squat", reps: 5, weight: 82.5),
        .init(exercise: "Squat", reps: 3, weight: 90),
      ])
    try house.carry("phone", "tablet")
    let found = try await on("tablet") { app in
      try await app.store.database.read { db in
        (try Exercise.all(in: db), try Workout.all(in: db))
      }
    }
    #expect(found.0 == [exercise] && found.1 == [workout])
    // The types are those of the design: text for times, 0 or 1 for flags.
    let types = try await on("tablet") { app in
      try await app.store.database.read { db in
        try db.value(
          """
          SELECT format('%s %d %s %d %s %s %s', typeof(isFavorite), isFavorite, typeof(isDeleted),
            isDeleted, typeof(defaultWeight), typeof(createdAt), typeof(modifiedAt)) FROM exercise
          """, as: String.self)
      }
    }
    #expect(types == "integer 0 integer 0 real text text")
  }

  @Test func `a full folder is reported with every verb, in the person's language`() {
    var state = SyncState(
      activeStore: .local, syncEnabled: true, availability: .available, network: .online,
      status: .error, lastError: .quotaExceeded)
    let terminal = Terminal("buffstuff", profile, .ja)
    #expect(terminal.warnings(state) == ["同期フォルダの空き容量が不足しています。空き容量を増やしてから、もう一度お試しください。"])
    (state.lastError, state.lockedBy, state.setAside) = (nil, "mac", 2)
    #expect(
      terminal.warnings(state) == [
        "macで編集中です。終わるまで、この端末では変更できません。",
        "別の端末の変更が優先されました。この端末の変更（2件）は残っています。 buffstuff bring-in",
      ])
    (state.lockedBy, state.setAside) = (nil, 0)
    #expect(terminal.warnings(state) == [])
  }

  @Test func `without its folder the button says why nothing was synced`() async throws {
    var places = try house.places("phone")
    places.folderProbe = FixedFolder(FolderFinding(.noAccount))
    let store = try await AppStore.open(profile, places)
    let mistake = await #expect(throws: Mistake.self) {
      try await App(store: store).perform(Words.parse(["sync"]))
    }
    #expect(mistake?.words.ja == "データはこの端末内だけに保存されているため、同期していません。")
    try await store.close()
  }

  @Test(arguments: ["x", "1.5", ""])
  func `an invalid number of days purges nothing`(word: String) async throws {
    try await on("phone") { app in
      try await app.addExercise("Squat", weight: 80)
      try await app.deleteExercise("Squat")
      await #expect(throws: Mistake.self) { try await app.perform(Words.parse(["purge", word])) }
      let rows = try await app.store.database.read { db in
        try db.value("SELECT count(*) FROM exercise", as: Int.self)
      }
      #expect(rows == 1)
    }
  }
}
