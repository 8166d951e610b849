import Foundation
import OpenWOApp

/// The whole log as one JSON document; the same data at the same time gives the same bytes.
struct Export: Encodable {
  let schemaVersion = 1
  let exportedAt: String
  let appVersion = "1.0"
  let locale: String
  let timezone: String
  let workouts: [Workout]
  let favorites: [String]
  let settings: Settings
  /// `mayBeStale` while syncing or offline; left out otherwise.
  let warnings: [String]?

  struct Settings: Encodable {
    let weightUnit: String
  }

  init(
    of db: Connection, at time: Date, mayBeStale: Bool, locale: Locale = .current,
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

  /// `trainlog_export_yyyyMMdd_HHmm.json`, in local time.
  static func fileName(at time: Date, timeZone: TimeZone = .current) -> String {
    let formatter = DateFormatter()
    formatter.locale = Locale(identifier: "en_US_POSIX")
    formatter.timeZone = timeZone
    formatter.dateFormat = "yyyyMMdd_HHmm"
    return "trainlog_export_\(formatter.string(from: time)).json"
  }
}
