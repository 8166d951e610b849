import ExampleShared
import Foundation
import OpenWOApp

/// The data that the earlier app kept outside the database; read once, never written.
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
    guard let settings = EarlierSettings(file) else {
      self = try JSONDecoder().decode(Legacy.self, from: file)
      return
    }
    self.init(
      weightUnit: settings.value("weightUnit"),
      favoriteExercises: try settings.list("favoriteExercises"))
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
