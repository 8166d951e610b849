import ExampleShared
import Foundation
import Household
import OpenWOApp
import OpenWOFiles
import Testing

@testable import buffstuff

/// The design's own list of what has to be so, between devices that a real program keeps in step.
struct BuffStuffTests {
  private let house: Household
  private let profile = BuffStuff.profile

  init() throws {
    house = try Household()
    for device in ["phone", "tablet", "watch"] { _ = try house.places(device) }
  }

  /// The app on a device, with the household's clock.
  @discardableResult
  private func on<Result: Sendable>(
    _ device: String, _ body: (App) async throws -> Result
  ) async throws -> Result {
    let clock = house.clock
    return try await house.on(device, profile) { store in
      try await body(
        App(store: store) {
          Date(timeIntervalSince1970: Double(clock.now()) / 1000)
        })
    }
  }

  private func exercises(_ device: String) async throws -> [String] {
    try await on(device) { app in
      try await app.store.database.read { db in
        try Exercise.all(in: db).map { "\($0.name) \($0.defaultWeight)" }
      }
    }
  }

  private func workouts(_ device: String) async throws -> [String] {
    try await on(device) { app in
      try await app.store.database.read { db in
        try Workout.all(in: db).map { "\($0.name) \($0.entries.count)\($0.isActive ? "…" : "")" }
      }
    }
  }

  @Test func `the columns are those of the design`() async throws {
    let columns = try await on("phone") { app in
      try await app.store.database.read { db in
        try ["exercise", "workout"].map { table in
          try db.rows("SELECT name || ' ' || type FROM pragma_table_info(?)", table) {
            try $0.get(0) as String
          }
        }
      }
    }
    #expect(
      columns == [
        [
          "id TEXT", "name TEXT", "muscleGroup TEXT", "equipment TEXT", "notes TEXT",
          "isFavorite INTEGER", "isDeleted INTEGER", "defaultWeight REAL", "defaultReps INTEGER",
          "weightIncrement REAL", "createdAt TEXT", "modifiedAt TEXT",
        ],
        [
          "id TEXT", "name TEXT", "startedAt TEXT", "completedAt TEXT", "notes TEXT",
          "entriesJSON TEXT", "isDeleted INTEGER", "modifiedAt TEXT", "device TEXT",
        ],
      ])
  }

  @Test func `a flag is 0 or 1, and entries are JSON`() async throws {
    try await on("phone") { app in
      let error = #expect(throws: SQLiteError.self) {
        try app.store.database.write { db in
          try db.execute(
            "INSERT INTO exercise (id, name, isFavorite, createdAt, modifiedAt) "
              + "VALUES ('x', 'x', 2, '', '')")
        }
      }
      #expect(error?.code == .constraint)
      try await app.addExercise("Squat \\ \u{0}", weight: 80)
      try await app.startWorkout("Legs \"🏋️\"")
      try await app.logSet("Squat \\ \u{0}", reps: 5)
      let isValid = try await app.store.database.read { db in
        try db.value("SELECT min(json_valid(entriesJSON)) FROM workout", as: Bool.self)
      }
      #expect(isValid == true)
    }
  }

  @Test func `a fresh installation with syncing on puts its data into the folder`() async throws {
    try await on("phone") { try await $0.addExercise("Squat", weight: 80) }
    try house.carry("phone")
    #expect(
      try house.names(in: house.root.appending(path: "cloud")) == [
        "BuffStuffCloud.sqlite", "BuffStuffCloud.sqlite.openwo",
      ])
  }

  @Test func `a new device with syncing on gets the data`() async throws {
    try await on("phone") { try await $0.addExercise("Squat", weight: 80) }
    try house.carry("phone", "tablet", "watch")
    #expect(try await exercises("tablet") == ["Squat 80.0"])
    #expect(try await exercises("watch") == ["Squat 80.0"])
  }

  @Test func `a workout logged on one device appears on the other`() async throws {
    try await on("phone") { app in
      try await app.addExercise("Squat", weight: 80)
      try await app.startWorkout("Legs")
      try await app.logSet("Squat", reps: 5)
      try await app.logSet("Squat", reps: 5)
      try await app.finishWorkout()
    }
    try house.carry("phone", "tablet")
    #expect(try await workouts("tablet") == ["Legs 2"])
  }

  @Test func `entries logged in airplane mode reach the other devices afterwards`() async throws {
    try await on("phone") { try await $0.addExercise("Squat", weight: 80) }
    try house.carry("phone", "tablet")
    _ = try await exercises("tablet")
    // The phone is not carried: it has no network.
    try await on("phone") { app in
      try await app.startWorkout("Legs")
      try await app.logSet("Squat", reps: 5)
      try await app.finishWorkout()
    }
    try await on("tablet") { try await $0.addExercise("Row", weight: 50) }
    try house.carry("tablet")
    try house.carry("phone", "tablet")
    _ = try await workouts("phone")
    try house.carry("phone", "tablet")
    for device in ["phone", "tablet"] {
      #expect(try await workouts(device) == ["Legs 1"])
      #expect(try await exercises(device) == ["Row 50.0", "Squat 80.0"])
    }
  }

  @Test func `the later of two edits of one exercise wins on every device`() async throws {
    try await on("phone") { try await $0.addExercise("Squat", weight: 80) }
    try house.carry("phone", "tablet", "watch")
    _ = try await exercises("tablet")
    try await on("phone") { try await $0.changeExercise("Squat", weight: 85) }
    try await on("tablet") { try await $0.changeExercise("Squat", weight: 90) }
    for _ in 1...2 {
      try house.carry("phone", "tablet", "watch")
      for device in ["phone", "tablet", "watch"] { _ = try await exercises(device) }
    }
    for device in ["phone", "tablet", "watch"] {
      #expect(try await exercises(device) == ["Squat 90.0"])
    }
  }

  @Test func `an edit after midnight is later than one before`() async throws {
    let day: Int64 = 86_400_000
    house.clock.advance(milliseconds: day - house.clock.now() % day - 60_000)
    try await on("phone") { try await $0.addExercise("Squat", weight: 80) }
    try house.carry("phone", "tablet", "watch")
    _ = try await exercises("tablet")
    try await on("phone") { try await $0.changeExercise("Squat", weight: 85) }
    house.clock.advance(milliseconds: 120_000)
    try await on("tablet") { try await $0.changeExercise("Squat", weight: 90) }
    for _ in 1...2 {
      try house.carry("phone", "tablet", "watch")
      for device in ["phone", "tablet", "watch"] { _ = try await exercises(device) }
    }
    #expect(try await exercises("phone") == ["Squat 90.0"])
    let time = try await on("phone") { app in
      try await app.store.database.read {
        try $0.value("SELECT modifiedAt FROM exercise") as String?
      }
    }
    #expect(try #require(time).wholeMatch(of: /\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z/) != nil)
  }

  @Test func `an exercise that was deleted is not brought back by an older edit`() async throws {
    try await on("phone") { try await $0.addExercise("Squat", weight: 80) }
    try house.carry("phone", "tablet")
    _ = try await exercises("tablet")
    try await on("tablet") { try await $0.changeExercise("Squat", weight: 90) }
    try await on("phone") { try await $0.deleteExercise("Squat") }
    for _ in 1...2 {
      try house.carry("phone", "tablet")
      for device in ["phone", "tablet"] { _ = try await exercises(device) }
    }
    for device in ["phone", "tablet"] { #expect(try await exercises(device) == []) }
    let purged = try await on("phone") { app in
      try await app.store.database.write { db in
        try Exercise.purge(deletedBefore: "2999-01-01T00:00:00.000Z", in: db)
      }
    }
    #expect(purged == 1)
  }

  @Test(arguments: SettlePolicy.allCases)
  func `the active workout stays on its device whatever arrives`(settling: SettlePolicy)
    async throws
  {
    var profile = profile
    profile.settling = settling
    try await on("phone") { try await $0.addExercise("Squat", weight: 80) }
    try house.carry("phone", "tablet")
    _ = try await exercises("tablet")
    let phone = try await AppStore.open(profile, house.places("phone"))
    let app = App(store: phone)
    try await app.startWorkout("Legs")
    try await app.logSet("Squat", reps: 5)
    try await on("tablet") { try await $0.addExercise("Row", weight: 50) }
    try house.carry("tablet", "phone")
    await phone.didBecomeActive()
    try await app.logSet("Squat", reps: 5)
    let entries = try await phone.database.read { db in try Workout.all(in: db).map(\.entries.count)
    }
    let names = try await phone.database.read { db in try Exercise.all(in: db).map(\.name) }
    #expect(entries == [2] && names == ["Row", "Squat"])
    try await app.finishWorkout()
    try await phone.close()
    try house.carry("phone", "tablet")
    #expect(try await workouts("tablet") == ["Legs 2"])
  }

  @Test func `switching syncing off leaves the data here and in the folder`() async throws {
    try await on("phone") { app in
      try await app.addExercise("Squat", weight: 80)
      try await app.store.setSyncEnabled(false)
    }
    try house.carry("phone", "tablet")
    try await on("phone") { app in
      #expect(app.store.activeStore == .local)
      try await app.addExercise("Row", weight: 50)
    }
    #expect(try await exercises("phone") == ["Row 50.0", "Squat 80.0"])
    #expect(try await exercises("tablet") == ["Squat 80.0"])
  }

  @Test func `the settings have one word, a button and the switch`() async throws {
    let rows = try await on("phone") { app in
      SyncSection(await app.store.syncState, profile, .en).rows
    }
    #expect(rows.map(\.kind) == [.status, .lastSync, .syncNow, .toggle])
    #expect(rows.filter(\.isTappable).map(\.kind) == [.syncNow, .toggle])
    #expect(rows[0].value == "Synced" && rows[3].value == "on")
    try await on("phone") { app in _ = try await app.store.syncNow() }
  }

  @Test func `two devices that begin before the service brings anything have the data of both`()
    async throws
  {
    try await on("phone") { app in
      try await app.addExercise("Squat", weight: 80)
      try await app.startWorkout("Legs")
      try await app.logSet("Squat", reps: 5)
      try await app.finishWorkout()
    }
    try await on("tablet") { try await $0.addExercise("Row", weight: 50) }
    for _ in 1...3 {
      try house.carry("phone", "tablet")
      for device in ["phone", "tablet"] { _ = try await exercises(device) }
    }
    for device in ["phone", "tablet"] {
      #expect(try await exercises(device) == ["Row 50.0", "Squat 80.0"])
      #expect(try await workouts(device) == ["Legs 1"])
      let joined = try await on(device) { try $0.store.database.status().joined }
      #expect(joined != nil)
    }
  }

  @Test func `the last sync is known at the next launch, also without the folder`() async throws {
    let minute: Int64 = 60_000
    house.clock.advance(milliseconds: 2 * minute - house.clock.now() % (2 * minute) + 20_000)
    try await on("phone") { try await $0.addExercise("Squat", weight: 80) }
    house.clock.advance(milliseconds: minute)
    let checked = try await on("phone") { await $0.store.syncState.lastCheckedAt }
    #expect(checked != nil)
    var places = try house.places("phone")
    places.folderProbe = FixedFolder(FolderFinding(.noAccount))
    house.clock.advance(milliseconds: 7_200_000)
    let app = try await AppStore.open(profile, places)
    #expect(app.activeStore == .local)
    let rows = SyncSection(await app.syncState, profile, .en, minutesEast: 0).rows
    let row = try #require(rows.first { $0.kind == .lastSync })
    // A launch knows the minute that was shown.
    let last = try #require(checked)
    #expect(row.value == Catalogue(.en).time(last, minutesEast: 0))
    #expect(!rows.contains { $0.kind == .syncNow })
    try await app.close()
  }

  @Test func `a set has its weight, and an exercise that nobody knows is refused`() async throws {
    try await on("phone") { app in
      try await app.addExercise("Squat", weight: 80)
      try await app.startWorkout("Legs")
      try await app.logSet("Squat", reps: 5)
      try await app.logSet("Squat", reps: 3, weight: 92.5)
      await #expect(throws: Mistake.self) { try await app.logSet("Sqat", reps: 5) }
      let entries = try await app.store.database.read { db in try Workout.all(in: db)[0].entries }
      #expect(entries.map(\.weight) == [80, 92.5])
    }
  }

  @Test func `a workout of before a reinstallation is finished by its name`() async throws {
    try await on("phone") { app in
      try await app.addExercise("Squat", weight: 80)
      try await app.startWorkout("Legs")
      try await app.logSet("Squat", reps: 5)
      try app.store.database.publish()
    }
    try house.carry("phone", "tablet")
    try await on("tablet") { app in
      await #expect(throws: Mistake.self) { try await app.finishWorkout(nil) }
      try await app.finishWorkout("Legs")
    }
    try house.carry("tablet", "phone")
    #expect(try await workouts("tablet") == ["Legs 1"])
    let isActive = try await on("tablet") { app in
      try await app.store.database.read { db in try Workout.all(in: db)[0].isActive }
    }
    #expect(!isActive)
  }
}
