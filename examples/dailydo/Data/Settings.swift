import Foundation
import OpenWOApp

/// The settings that all devices share: one row, made when somebody changes one.
enum Settings {
  /// The hour at which a new day begins.
  static func resetTime(in db: Connection) throws -> Int {
    try db.value("SELECT resetTime FROM settings ORDER BY updatedAt DESC, id LIMIT 1") ?? 0
  }

  static func update(resetTime: Int, at time: String, in db: Connection) throws {
    let changed = try db.execute(
      "UPDATE settings SET resetTime = ?, updatedAt = ?", resetTime, time)
    guard changed == 0 else { return }
    try db.execute(
      "INSERT INTO settings VALUES (?, ?, ?)", UUID().uuidString, resetTime, time)
  }

  /// Of several rows the newest stays; of equally new ones the same on every device.
  static let keepNewest: @Sendable (Connection) throws -> Void = { db in
    try db.execute(
      """
      DELETE FROM settings
      WHERE id <> (SELECT id FROM settings ORDER BY updatedAt DESC, id LIMIT 1)
      """)
  }
}
