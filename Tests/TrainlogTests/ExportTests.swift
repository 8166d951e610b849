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

  @Test func `the file's name has the time, where the person is`() throws {
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    let name = Export.fileName(at: time, timeZone: tokyo)
    #expect(name == "trainlog_export_20261121_2302.json")
  }

  @Test(arguments: [
    FolderFinding(.available), FolderFinding(.noAccount), FolderFinding(.restricted),
    FolderFinding(.unknown), FolderFinding(.available, .quotaExceeded),
  ])
  func `the export is made however syncing stands`(found: FolderFinding) async throws {
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
    #expect(await app.syncState.status == .syncing)
    #expect(try await export(app).contains("\"warnings\" : [\n    \"mayBeStale\"\n  ]"))
    try await app.close()
    var places = try house.places("phone")
    places.networkProbe = FixedNetwork(.offline)
    let offline = try await AppStore.open(TrainLog.profile, places)
    #expect(try await export(offline).contains("mayBeStale"))
  }
}
