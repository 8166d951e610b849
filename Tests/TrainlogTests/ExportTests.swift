import ArgumentParser
import ExampleShared
import Foundation
import Household
import OpenWOApp
import OpenWOFiles
import Testing

@testable import trainlog

/// The export: its keys, its name, and that nothing keeps it from being made.
struct ExportTests {
  private let house: Household
  private let time = Date(timeIntervalSince1970: 1_795_269_720)

  init() throws { house = try Household() }

  private func fill(_ app: AppStore) throws {
    try app.database.write { db in
      try db.execute("INSERT INTO workout VALUES ('w1', '2026-11-20T18:00:00Z', 'heavy 🏋️')")
      try db.execute(
        """
        INSERT INTO exerciseSet VALUES
          ('s1', 'w1', 0, 'squat', 82.5, 5, NULL, 8.5, '2026-11-20T18:05:00Z'),
          ('s2', 'w1', 1, 'plank', NULL, NULL, 60, NULL, '2026-11-20T18:15:00Z')
        """)
      try FavoriteExerciseStore(db).add("squat", at: "2026-11-20T18:00:00Z")
      try SettingsStore(db).update(.lb, at: "2026-11-20T18:00:00Z")
    }
  }

  private func export(_ app: AppStore) async throws -> String {
    let mayBeStale = await app.syncState.mayBeStale
    let zone = try #require(TimeZone(identifier: "Asia/Tokyo"))
    return try await app.database.read { db in
      let export = try Export(
        of: db, at: time, mayBeStale: mayBeStale, locale: Locale(identifier: "ja_JP"),
        timeZone: zone)
      return String(decoding: try export.json(), as: UTF8.self)
    }
  }

  static let expected = """
    {
      "appVersion" : "1.0",
      "exportedAt" : "2026-11-21T14:02:00Z",
      "favorites" : [
        "squat"
      ],
      "locale" : "ja_JP",
      "schemaVersion" : 1,
      "settings" : {
        "weightUnit" : "lb"
      },
      "timezone" : "Asia/Tokyo",
      "workouts" : [
        {
          "date" : "2026-11-20T18:00:00Z",
          "id" : "w1",
          "note" : "heavy 🏋️",
          "sets" : [
            {
              "createdAt" : "2026-11-20T18:05:00Z",
              "durationSeconds" : null,
              "exerciseId" : "squat",
              "id" : "s1",
              "reps" : 5,
              "rpe" : 8.5,
              "weight" : 82.5
            },
            {
              "createdAt" : "2026-11-20T18:15:00Z",
              "durationSeconds" : 60,
              "exerciseId" : "plank",
              "id" : "s2",
              "reps" : null,
              "rpe" : null,
              "weight" : null
            }
          ]
        }
      ]
    }

    """

  @Test func `the keys are those of the design, and the same data gives the same bytes`()
    async throws
  {
    let app = try await AppStore.open(TrainLog.profile, house.places("phone"))
    try fill(app)
    try app.database.publish()
    #expect(try await export(app) == Self.expected)
    #expect(try await export(app) == Self.expected)
  }

  @Test func `the file's name has the time in the person's zone`() throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let name = Export.fileName(at: time, timeZone: tokyo)
    #expect(name == "trainlog_export_20261121_2302.json")
  }

  @Test(arguments: [
    FolderFinding(.available), FolderFinding(.noAccount), FolderFinding(.restricted),
    FolderFinding(.unknown), FolderFinding(.available, .quotaExceeded),
  ])
  func `the export works in every state of syncing`(found: FolderFinding) async throws {
    var places = try house.places("phone")
    places.folderProbe = FixedFolder(found)
    let app = try await AppStore.open(TrainLog.profile, places)
    try fill(app)
    try app.database.publish()
    #expect(try await export(app) == Self.expected)
  }

  @Test func `while somebody has the file locked the state from before is exported`() async throws {
    let app = try await AppStore.open(TrainLog.profile, house.places("phone"))
    try fill(app)
    try app.database.publish()
    _ = try app.database.lock(LockRequest(note: "by hand"))
    #expect(try await export(app) == Self.expected)
    _ = try app.database.unlock()
  }

  @Test func `while syncing or offline the export says that it may be stale`() async throws {
    let app = try await AppStore.open(TrainLog.profile, house.places("phone"))
    try fill(app)
    let state = await app.syncState
    #expect(state.status == .syncing)
    let japanese = Catalogue(.ja, TrainLog.profile.wording)
    #expect(state.staleness.map { japanese[$0] } == "同期中のため最新でない可能性")
    #expect(try await export(app).contains("\"warnings\" : [\n    \"mayBeStale\"\n  ]"))
    try await app.close()
    var places = try house.places("phone")
    places.networkProbe = FixedNetwork(.offline)
    let offline = try await AppStore.open(TrainLog.profile, places)
    #expect(try await export(offline).contains("mayBeStale"))
    let told = await offline.syncState.staleness
    #expect(told.map { japanese[$0] } == "オフラインのため最新でない可能性があります")
  }

  @Test func `an export brings the same screen to an empty device, and changes nothing twice`()
    async throws
  {
    let phone = try await AppStore.open(TrainLog.profile, house.places("phone"))
    try fill(phone)
    let (bytes, shown) = try await phone.database.read { db in
      (try Export(of: db, at: time, mayBeStale: false).json(), try Workout.all(in: db))
    }
    try await phone.close()
    let mac = try await AppStore.open(TrainLog.profile, house.places("mac"))
    let export = try Export(json: bytes)
    let counts = try await mac.database.write { db in
      try (1...2).map { _ in try export.fillIn(db, at: "2026-11-21T14:02:00Z") }
    }
    #expect(counts == [1, 0])
    let found = try await mac.database.read { db in
      (try Workout.all(in: db), try FavoriteExerciseStore(db).all, try SettingsStore(db).unit)
    }
    #expect(found.0.map(\.id) == shown.map(\.id) && found.0.map(\.date) == shown.map(\.date))
    #expect(found.0[0].sets.map(\.id) == shown[0].sets.map(\.id))
    #expect(found.0[0].sets.map(\.weight) == shown[0].sets.map(\.weight))
    #expect(found.1 == ["squat"] && found.2 == .lb)
    let again = try await mac.database.read { db in
      try Export(of: db, at: time, mayBeStale: false).json()
    }
    #expect(again == bytes)
    try await mac.close()
  }

  @Test(arguments: [
    (["LANG": "ja_JP.UTF-8"], "ja_JP"), (["LANG": "de_DE.UTF-8", "LC_ALL": "ja_JP"], "ja_JP"),
    (["LC_MESSAGES": "fr_FR", "LANG": "en_US"], "fr_FR"),
  ])
  func `the locale of an export is the person's`(environment: [String: String], name: String) {
    #expect(Locale.person(environment).identifier == name)
  }

  @Test func `a second export in one minute has a name of its own`() async throws {
    let app = try await AppStore.open(TrainLog.profile, house.places("phone"))
    let folder = house.root.appending(path: "exports")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    #expect(
      Export.fileNames(at: time, timeZone: .gmt).prefix(2)
        == ["trainlog_export_20261121_1402.json", "trainlog_export_20261121_1402_2.json"])
    let path = folder.appending(path: "mine.json").path
    let export = try Words.parse(["export", "-o", path])
    try await App(store: app, clock: { time }).perform(export)
    let before = FileManager.default.contents(atPath: path)
    await #expect(throws: Mistake.self) {
      try await App(store: app, clock: { time }).perform(export)
    }
    #expect(FileManager.default.contents(atPath: path) == before)
    try await app.close()
  }

  @Test func `the query of the profile is the one in the file`() throws {
    let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
      .deletingLastPathComponent().deletingLastPathComponent()
    let file = try String(
      contentsOf: root.appending(path: "examples/trainlog/export.sql"), encoding: .utf8)
    let query = file.split(separator: "\n").filter { !$0.hasPrefix("--") }.joined(separator: "\n")
    #expect(Export.query.split(separator: "\n").joined(separator: "\n") == query)
  }
}
