import OpenWOApp

/// The one row of settings; it is there once the person has changed one.
struct SettingsStore {
  private let db: Connection

  init(_ db: Connection) {
    self.db = db
  }

  var isEmpty: Bool {
    get throws { try db.value("SELECT count(*) FROM userSettings", as: Int.self) == 0 }
  }

  var unit: WeightUnit {
    get throws {
      let raw = try db.value("SELECT weightUnitRaw FROM userSettings", as: String.self)
      return raw.flatMap(WeightUnit.init) ?? .kg
    }
  }

  /// Changes how weights are shown; the log is not touched.
  func update(_ unit: WeightUnit, at time: String) throws {
    try db.execute(
      """
      INSERT INTO userSettings (id, weightUnitRaw, updatedAt) VALUES ('singleton', ?, ?)
      ON CONFLICT (id) DO UPDATE
        SET weightUnitRaw = excluded.weightUnitRaw, updatedAt = excluded.updatedAt
      """, unit.rawValue, time)
  }
}
