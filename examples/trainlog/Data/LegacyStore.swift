import OpenWOApp

/// The log that the app from before kept with SwiftData; read once, never written.
struct LegacyStore {
  static let file = EarlierDatabase(
    "TrainLogCloud.store", "TrainLog.store", "default.store",
    tables: ["Z_PRIMARYKEY", "ZWORKOUT", "ZEXERCISESET"])

  private let old: Connection

  init(_ old: Connection) { self.old = old }

  /// Adds the workouts, favourites and unit that are not here yet; gives how many.
  func fillIn(_ db: Connection) throws -> Int {
    let known = Set(try Workout.all(in: db).map(\.id))
    let new = try workouts().filter { !known.contains($0.id) }
    for workout in new { try workout.insert(into: db) }
    return try new.count + fillInFavorites(db) + fillInUnit(db)
  }

  private func workouts() throws -> [Workout] {
    let sets = Dictionary(grouping: try sets(), by: \.workoutId)
    return try old.rows(
      """
      SELECT CAST(Z_PK AS TEXT), \(CoreDataColumn.uuid("ZID")), \(CoreDataColumn.moment("ZDATE")),
        coalesce(ZNOTE, '')
      FROM ZWORKOUT ORDER BY ZDATE, Z_PK
      """
    ) { row in
      let number: String = try row.get(0)
      return Workout(
        id: try row.get(1), date: try row.get(2), note: try row.get(3), sets: sets[number] ?? [])
    }
  }

  /// The sets, each with the number of its workout.
  private func sets() throws -> [ExerciseSet] {
    try old.rows(
      """
      SELECT \(CoreDataColumn.uuid("ZID")) AS id, CAST(\(try owner()) AS TEXT) AS workoutId,
        ZEXERCISEID AS exerciseId, ZWEIGHT AS weight, ZREPS AS reps,
        ZDURATIONSECONDS AS durationSeconds, ZRPE AS rpe,
        \(CoreDataColumn.moment("ZCREATEDAT")) AS createdAt
      FROM ZEXERCISESET WHERE \(try owner()) IS NOT NULL ORDER BY ZCREATEDAT, Z_PK
      """, as: ExerciseSet.self)
  }

  /// The column with the workout of a set; without an inverse in the model it is called after the property of the workout.
  private func owner() throws -> String {
    let columns = try old.rows("SELECT name FROM pragma_table_info('ZEXERCISESET')") {
      try $0.get(0) as String
    }
    let isThere = columns.contains("ZWORKOUT")
    return isThere ? "ZWORKOUT" : columns.first { $0.hasSuffix("SETS") } ?? "ZWORKOUT"
  }

  private func has(_ table: String) throws -> Bool {
    try old.value("SELECT EXISTS (SELECT 1 FROM sqlite_schema WHERE name = ?)", table) ?? false
  }

  private func fillInFavorites(_ db: Connection) throws -> Int {
    guard try has("ZFAVORITEEXERCISE") else { return 0 }
    let favorites = FavoriteExerciseStore(db)
    let before = try favorites.all.count
    let found = try old.rows(
      "SELECT ZEXERCISEID, \(CoreDataColumn.moment("ZCREATEDAT")) FROM ZFAVORITEEXERCISE"
    ) { (try $0.get(0) as String, try $0.get(1) as String) }
    for (exercise, time) in found { try favorites.add(exercise, at: time) }
    return try favorites.all.count - before
  }

  /// A later choice of the person overrides it.
  private func fillInUnit(_ db: Connection) throws -> Int {
    guard try has("ZUSERSETTINGS"), try SettingsStore(db).isEmpty else { return 0 }
    let found = try old.row(
      """
      SELECT ZWEIGHTUNITRAW, \(CoreDataColumn.moment("ZUPDATEDAT"))
      FROM ZUSERSETTINGS ORDER BY ZUPDATEDAT DESC
      """
    ) { (try $0.get(0) as String, try $0.get(1) as String) }
    guard let (raw, time) = found, let unit = WeightUnit(rawValue: raw) else { return 0 }
    try SettingsStore(db).update(unit, at: time)
    return 1
  }
}
