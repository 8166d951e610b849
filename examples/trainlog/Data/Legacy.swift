import Foundation
import OpenWOApp

/// What the app from before kept outside of the database; read once, never written.
struct Legacy: Decodable {
  let weightUnit: String?
  let favoriteExercises: [String]?

  init(weightUnit: String?, favoriteExercises: [String]?) {
    (self.weightUnit, self.favoriteExercises) = (weightUnit, favoriteExercises)
  }

  /// Reads a property list, as `UserDefaults` writes it, or JSON.
  ///
  /// In a property list the favourites may be a list, or data with JSON.
  init(of file: Data) throws {
    guard
      let list = try? PropertyListSerialization.propertyList(from: file, format: nil),
      let values = list as? [String: Any]
    else {
      self = try JSONDecoder().decode(Legacy.self, from: file)
      return
    }
    let favorites = values["favoriteExercises"]
    let names =
      try (favorites as? Data).map { try JSONDecoder().decode([String].self, from: $0) }
      ?? favorites as? [String]
    self.init(weightUnit: values["weightUnit"] as? String, favoriteExercises: names)
  }

  /// Where the app from before has them.
  static var usualPath: String {
    let name = "\(TrainLog.profile.app).plist"
    #if os(Linux)
      let home = ProcessInfo.processInfo.environment["HOME"] ?? "/"
      return "\(home)/.config/\(name)"
    #else
      return NSString("~/Library/Preferences/\(name)").expandingTildeInPath
    #endif
  }

  /// Fills in what is empty; what the person has said since counts more.
  func fillIn(_ db: Connection, at time: String) throws {
    let settings = SettingsStore(db)
    if let unit = weightUnit.flatMap(WeightUnit.init), try settings.isEmpty {
      try settings.update(unit, at: time)
    }
    let favorites = FavoriteExerciseStore(db)
    guard try favorites.all.isEmpty else { return }
    for exercise in favoriteExercises ?? [] { try favorites.add(exercise, at: time) }
  }
}
