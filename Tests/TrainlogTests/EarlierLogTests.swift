import ArgumentParser
import Foundation
import Household
import OpenWOApp
import Testing

@testable import trainlog

/// The log of an app from before, which SwiftData kept.
struct EarlierLogTests {
  private let house: Household

  init() throws { house = try Household() }

  /// The tables as SwiftData makes them, with one workout.
  private static let sql =
    EarlierFile.coreData + """
      CREATE TABLE ZWORKOUT (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER, ZDATE TIMESTAMP,
        ZNOTE VARCHAR, ZID BLOB);
      CREATE TABLE ZEXERCISESET (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZDURATIONSECONDS INTEGER, ZREPS INTEGER, ZWORKOUT INTEGER, ZCREATEDAT TIMESTAMP, ZRPE FLOAT,
        ZWEIGHT FLOAT, ZEXERCISEID VARCHAR, ZID BLOB);
      CREATE TABLE ZFAVORITEEXERCISE (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZCREATEDAT TIMESTAMP, ZEXERCISEID VARCHAR);
      CREATE TABLE ZUSERSETTINGS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZUPDATEDAT TIMESTAMP, ZID VARCHAR, ZWEIGHTUNITRAW VARCHAR);
      INSERT INTO Z_PRIMARYKEY VALUES (1, 'ExerciseSet', 0, 3), (2, 'Workout', 0, 2);
      INSERT INTO ZWORKOUT VALUES (1, 2, 1, 785500000.25, '重い', x'00112233445566778899AABBCCDDEEFF');
      INSERT INTO ZEXERCISESET VALUES
        (1, 1, 1, NULL, 5, 1, 785500000.5, 8.5, 82.5, 'squat', x'10112233445566778899AABBCCDDEEFF'),
        (2, 1, 1, 60, NULL, 1, 785500060.0, NULL, NULL, 'plank', x'20112233445566778899AABBCCDDEEFF');
      INSERT INTO ZFAVORITEEXERCISE VALUES (1, 3, 1, 785500000.0, 'squat');
      INSERT INTO ZUSERSETTINGS VALUES (1, 4, 1, 785500000.0, 'singleton', 'lb');
      """

  private static let late = """
    INSERT INTO ZWORKOUT VALUES (2, 2, 1, 785600000.0, '', x'30112233445566778899AABBCCDDEEFF');
    INSERT INTO ZEXERCISESET VALUES
      (3, 1, 1, NULL, 8, 2, 785600000.0, NULL, 60.0, 'bench', x'40112233445566778899AABBCCDDEEFF');
    """

  private func workouts(on device: String) async throws -> [Workout] {
    try await house.on(device, TrainLog.profile) { store in
      try await App(store: store, clock: Date.init).perform(try Words.parse(["list"]))
      return try await store.database.read { db in try Workout.all(in: db) }
    }
  }

  private func bringOver(on device: String) async throws -> BroughtOver {
    try await house.on(device, TrainLog.profile) { store in
      await store.bringOver(LegacyStore.file) { try LegacyStore($0).fillIn($1) }
    }
  }

  private func file(_ name: String = "default.store") -> URL {
    house.data("phone").appending(path: name)
  }

  @Test(arguments: EarlierFile.Left.allCases, ["default.store", "TrainLog.store"])
  func `the log of SwiftData is here at the first start, and its file is as it was`(
    left: EarlierFile.Left, name: String
  ) async throws {
    _ = try house.places("phone")
    let old = try EarlierFile(file(name), left, Self.sql, late: Self.late)
    let bytes = old.bytes
    let found = try await workouts(on: "phone")
    #expect(found.map(\.note) == ["", "重い"])
    #expect(found.map(\.date) == ["2025-11-23T14:13:20Z", "2025-11-22T10:26:40Z"])
    #expect(found.last?.id == "00112233-4455-6677-8899-AABBCCDDEEFF")
    #expect(found.last?.sets.map(\.exerciseId) == ["squat", "plank"])
    #expect(found.last?.sets.map(\.weight) == [82.5, nil])
    #expect(found.last?.sets.map(\.durationSeconds) == [nil, 60])
    #expect(found.last?.sets.map(\.rpe) == [8.5, nil])
    try await house.on("phone", TrainLog.profile) { store in
      let (unit, favorites) = try await store.database.read { db in
        (try SettingsStore(db).unit, try FavoriteExerciseStore(db).all)
      }
      #expect(unit == .lb && favorites == ["squat"])
    }
    #expect(old.bytes == bytes)
    let memory = try FileManager.default.subpathsOfDirectory(atPath: house.state("phone").path)
    #expect(memory.filter { $0.contains("earlier-") } == [])
  }

  @Test func `an import is reported once, and later deletions stay`() async throws {
    _ = try house.places("phone")
    let old = try EarlierFile(file(), .logged, Self.sql, late: Self.late)
    let first = try await bringOver(on: "phone")
    #expect(first == .entries(4, from: old.url.path))
    let texts = Catalogue(.ja, TrainLog.profile.wording)
    #expect(texts.broughtOver(first)?.contains("4件") == true)
    try await house.on("phone", TrainLog.profile) { store in
      try await App(store: store, clock: Date.init).perform(try Words.parse(["delete", "1"]))
    }
    #expect(try await bringOver(on: "phone") == .nothing)
    #expect(try await workouts(on: "phone").map(\.note) == ["重い"])
  }

  @Test func `imported data goes into the folder, and importing it twice adds it once`()
    async throws
  {
    for device in ["phone", "mac"] {
      _ = try house.places(device)
      _ = try EarlierFile(
        house.data(device).appending(path: "default.store"), .closed, Self.sql, late: Self.late)
    }
    #expect(try await workouts(on: "phone").count == 2)
    try house.carry("phone", "mac")
    #expect(try await workouts(on: "mac").count == 2)
    try house.carry("phone", "mac")
    #expect(try await workouts(on: "phone").map(\.note) == ["", "重い"])
  }

  @Test func `a file that is not a training log is named once and left alone`() async throws {
    _ = try house.places("phone")
    let other = try EarlierFile(
      file(), .closed, "CREATE TABLE Z_PRIMARYKEY (x); CREATE TABLE ZNOTE (x);", late: "")
    let bytes = other.bytes
    #expect(try await bringOver(on: "phone") == .unknown(other.url.path))
    #expect(try await bringOver(on: "phone") == .nothing)
    #expect(try await workouts(on: "phone").isEmpty)
    #expect(other.bytes == bytes)
  }

  @Test(arguments: [0, 100, 5000, 9000])
  func `a damaged file is named and left alone, and read once it is whole again`(
    size: Int
  ) async throws {
    _ = try house.places("phone")
    let old = try EarlierFile(file(), .closed, Self.sql, late: Self.late)
    let whole = try Data(contentsOf: old.url)
    let damaged = Data(whole.prefix(size)) + (size == 100 ? Data("rest".utf8) : Data())
    try damaged.write(to: old.url)
    #expect(try await bringOver(on: "phone") == .damaged(old.url.path))
    #expect(try await bringOver(on: "phone") == .nothing)
    #expect(try Data(contentsOf: old.url) == damaged)
    try whole.write(to: old.url)
    #expect(try await bringOver(on: "phone") == .entries(4, from: old.url.path))
  }
}
