import Foundation
import OpenWOApp

/// The whole log as one JSON document; the same data at the same time gives the same bytes.
struct Export: Codable {
  private(set) var schemaVersion = 1
  let exportedAt: String
  private(set) var appVersion = "1.0"
  let locale: String
  let timezone: String
  let workouts: [Workout]
  let favorites: [String]
  let settings: Settings
  /// `mayBeStale` while syncing or offline; left out otherwise.
  let warnings: [String]?

  struct Settings: Codable {
    let weightUnit: String
  }

  init(
    of db: Connection, at time: Date, mayBeStale: Bool, locale: Locale = .person(),
    timeZone: TimeZone = .current
  ) throws {
    exportedAt = time.formatted(.iso8601)
    self.locale = locale.identifier
    timezone = timeZone.identifier
    workouts = try Workout.all(in: db)
    favorites = try FavoriteExerciseStore(db).all
    settings = Settings(weightUnit: try SettingsStore(db).unit.rawValue)
    warnings = mayBeStale ? ["mayBeStale"] : nil
  }

  /// UTF-8, keys in order.
  func json() throws -> Data {
    let encoder = JSONEncoder()
    encoder.outputFormatting = [.prettyPrinted, .sortedKeys, .withoutEscapingSlashes]
    return try encoder.encode(self) + Data("\n".utf8)
  }

  /// Reads what ``json()`` wrote.
  init(json: Data) throws {
    self = try JSONDecoder().decode(Export.self, from: json)
  }

  /// Adds what is not here yet; gives how many workouts that were.
  func fillIn(_ db: Connection, at time: String) throws -> Int {
    let known = Set(try Workout.all(in: db).map(\.id))
    let new = workouts.filter { !known.contains($0.id) }
    for workout in new { try workout.insert(into: db) }
    for exercise in favorites { try FavoriteExerciseStore(db).add(exercise, at: time) }
    let store = SettingsStore(db)
    if let unit = WeightUnit(rawValue: settings.weightUnit), try store.isEmpty {
      try store.update(unit, at: time)
    }
    return new.count
  }

  /// The names to try in turn: a second export in one minute has a number.
  static func fileNames(at time: Date, timeZone: TimeZone = .current) -> [String] {
    let name = fileName(at: time, timeZone: timeZone)
    return [name] + (2...99).map { "\(name.dropLast(5))_\($0).json" }
  }

  /// `trainlog_export_yyyyMMdd_HHmm.json`, in local time.
  static func fileName(at time: Date, timeZone: TimeZone = .current) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = timeZone
    formatter.dateFormat = "yyyyMMdd_HHmm"
    return "trainlog_export_\(formatter.string(from: time)).json"
  }
}

extension Locale {
  /// The person's, as the environment says; a system's default has no language on Linux.
  static func person(
    _ environment: [String: String] = ProcessInfo.processInfo.environment
  ) -> Locale {
    let name = ["LC_ALL", "LC_MESSAGES", "LANG"].compactMap { environment[$0] }.first {
      !$0.isEmpty
    }
    guard let name = name?.split(separator: ".").first, name != "C", name != "POSIX" else {
      return .current
    }
    return Locale(identifier: String(name))
  }
}
