import OpenWOApp

/// The favourite exercises: a row each, none for the others.
struct FavoriteExerciseStore {
  private let db: Connection

  init(_ db: Connection) {
    self.db = db
  }

  func isFavorite(_ exercise: String) throws -> Bool {
    try db.value("SELECT 1 FROM favoriteExercise WHERE exerciseId = ?", exercise, as: Bool.self)
      ?? false
  }

  /// Makes an exercise a favourite, or no longer; answers which.
  func toggle(_ exercise: String, at time: String) throws -> Bool {
    if try db.execute("DELETE FROM favoriteExercise WHERE exerciseId = ?", exercise) > 0 {
      return false
    }
    try add(exercise, at: time)
    return true
  }

  func add(_ exercise: String, at time: String) throws {
    try db.execute(
      "INSERT OR IGNORE INTO favoriteExercise (exerciseId, createdAt) VALUES (?, ?)", exercise,
      time)
  }

  var all: [String] {
    get throws {
      try db.rows("SELECT exerciseId FROM favoriteExercise ORDER BY exerciseId") { try $0.get(0) }
    }
  }
}
