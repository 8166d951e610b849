// snippet: the record and the schema of the tutorial
import Foundation
import OpenWOApp

/// Something to do.
struct Todo: Codable, Sendable, Equatable {
  var id: UUID
  var title: String
  var isDone: Bool
  var createdAt: Date

  static let migrations = Migrations([
    .init(1) { db in
      try db.executeScript(
        """
        CREATE TABLE todo (
          id TEXT PRIMARY KEY,
          title TEXT NOT NULL,
          isDone INTEGER NOT NULL DEFAULT 0,
          createdAt TEXT NOT NULL
        ) STRICT
        """)
    }
  ])
}
// end
