// snippet: the profile and the calls of the tutorial
import Foundation
import OpenWOApp

extension AppProfile {
  /// What openwo has to know about this app.
  static let todo: AppProfile = {
    var profile = AppProfile(
      app: "org.example.todo", localFile: "Todo.sqlite", syncedFile: "Todo.sqlite")
    profile.migrations = Todo.migrations
    profile.settling = .merge
    return profile
  }()
}

/// The app without its screen.
struct TodoList: Sendable {
  let app: AppStore

  func all() async throws -> [Todo] {
    try await app.database.read(Self.query)
  }

  func add(_ title: String) async throws {
    try await app.database.write { db in
      try db.execute(
        "INSERT INTO todo (id, title, createdAt) VALUES (?, ?, ?)", UUID(), title, Date.now)
    }
  }

  func finish(_ title: String) async throws {
    try await app.database.write { db in
      try db.execute("UPDATE todo SET isDone = 1 WHERE title = ?", title)
    }
  }

  static let query: @Sendable (Connection) throws -> [Todo] = { db in
    try db.rows("SELECT id, title, isDone, createdAt FROM todo ORDER BY createdAt", as: Todo.self)
  }
}
// end
