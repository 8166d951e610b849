import ArgumentParser
import ExampleShared
import Foundation
import Household
import OpenWOApp
import Testing

@testable import dailydo

/// The to-dos of an app from before, which SwiftData kept.
struct EarlierListTests {
  private let house: Household

  init() throws {
    house = try Household()
    _ = try house.places("phone")
  }

  /// The tables as SwiftData makes them; `id` is the column of a model that has an id of its own.
  private static func sql(id: Bool) -> String {
    EarlierFile.coreData + """
      CREATE TABLE ZTODOITEM (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZISCOMPLETED INTEGER, ZTITLE VARCHAR\(id ? ", ZID BLOB" : ""));
      CREATE TABLE ZSETTINGS (Z_PK INTEGER PRIMARY KEY, Z_ENT INTEGER, Z_OPT INTEGER,
        ZRESETTIME INTEGER);
      INSERT INTO ZSETTINGS VALUES (1, 1, 1, 4);
      INSERT INTO ZTODOITEM VALUES (1, 2, 1, 0, '牛乳'\(id ? ", x'00112233445566778899AABBCCDDEEFF'" : ""));
      """
  }

  private func late(id: Bool) -> String {
    "INSERT INTO ZTODOITEM VALUES (2, 2, 1, 1, 'パン'\(id ? ", x'10112233445566778899AABBCCDDEEFF'" : ""));"
  }

  private func shown() async throws -> [String] {
    try await house.on("phone", DailyDo.profile) { store in
      let app = App(store: store)
      try await app.perform(try Words.parse(["list"]))
      return try await app.list().map { "\($0.title)\($0.isCompleted ? " ✓" : "")" }
    }
  }

  @Test(arguments: EarlierFile.Left.allCases, [true, false])
  func `the to-dos of SwiftData are here at the first start, and its file is as it was`(
    left: EarlierFile.Left, hasIDs: Bool
  ) async throws {
    let old = try EarlierFile(
      house.data("phone").appending(path: "default.store"), left, Self.sql(id: hasIDs),
      late: late(id: hasIDs))
    let bytes = old.bytes
    #expect(try await shown() == ["パン ✓", "牛乳"])
    #expect(old.bytes == bytes)
    let hour = try await house.on("phone", DailyDo.profile) { store in
      try await App(store: store).perform(try Words.parse(["delete", "牛乳"]))
      return try await store.database.read { db in try Settings.resetTime(in: db) }
    }
    #expect(hour == 4)
    #expect(try await shown() == ["パン ✓"])
    // Nothing leaves the device, as the switch is off.
    #expect(try house.names(in: house.folder("phone")) == [])
  }

  @Test func `a file of another app is left alone`() async throws {
    let url = house.data("phone").appending(path: "default.store")
    let old = try EarlierFile(
      url, .logged, EarlierFile.coreData + "CREATE TABLE ZNOTE (Z_PK INTEGER PRIMARY KEY);",
      late: "INSERT INTO ZNOTE VALUES (1)")
    let bytes = old.bytes
    #expect(try await shown() == [])
    #expect(old.bytes == bytes)
  }

  /// The settings as the earlier app's `UserDefaults` wrote them.
  private func defaults(_ values: [String: Any]) throws -> EarlierSettings {
    let file = try PropertyListSerialization.data(
      fromPropertyList: values, format: .binary, options: 0)
    return try #require(EarlierSettings(file))
  }

  @Test func `a device that was switched on in the app from before syncs from the first start on`()
    async throws
  {
    let old = try EarlierFile(
      house.data("phone").appending(path: "default.store"), .logged, Self.sql(id: true),
      late: late(id: true))
    let places = try house.places("phone")
    try DailyDo.takeOverSwitch(of: defaults(["useCloudSync": true]), places)
    #expect(try await shown() == ["パン ✓", "牛乳"])
    #expect(try house.names(in: house.folder("phone")).first == "DailyDoCloud.sqlite")
    // A later choice of the person overrides it.
    try await house.on("phone", DailyDo.profile) { try await $0.setSyncEnabled(false) }
    try DailyDo.takeOverSwitch(of: defaults(["useCloudSync": true]), places)
    let isOn = try await house.on("phone", DailyDo.profile) { $0.syncEnabled }
    #expect(!isOn)
    _ = old
  }

  @Test func `settings that say nothing of syncing, or something else, leave the switch off`()
    async throws
  {
    let places = try house.places("phone")
    let kinds: [[String: Any]] = [[:], ["useCloudSync": "yes"], ["useCloudSync": false]]
    for values in kinds {
      try DailyDo.takeOverSwitch(of: defaults(values), places)
      let isOn = try await house.on("phone", DailyDo.profile) { $0.syncEnabled }
      #expect(!isOn, "\(values)")
    }
    try DailyDo.takeOverSwitch(of: nil, places)
    #expect(EarlierSettings(Data("no property list".utf8)) == nil)
    #expect(EarlierSettings(at: house.root.appending(path: "none.plist").path) == nil)
    #expect(try house.names(in: house.folder("phone")) == [])
  }
}
