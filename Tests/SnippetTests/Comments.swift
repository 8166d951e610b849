import OpenWOApp
import OpenWOTesting

/// The examples in the comments of the libraries.
enum Comments {
  static func database() throws {
    // snippet: SyncedDatabase
    let store = try SyncedDatabase(path: "Training/openwo.sqlite")
    let names = try store.read { db in
      try db.rows("SELECT name FROM exercise") { try $0.get(0) as String }
    }
    try store.write { db in
      try db.execute("INSERT INTO session (day) VALUES (?)", "2026-11-21")
    }
    // end
    _ = names
  }

  static func opening(_ configuration: Configuration) throws {
    // snippet: SyncedDatabase.open
    let store = try SyncedDatabase.open("Training/openwo.sqlite", .createIfMissing, configuration)
    // end
    _ = store
  }

  static func values(_ store: SyncedDatabase, _ show: ([String]) -> Void) async throws {
    // snippet: SyncedDatabase.values
    let names = store.values { db in
      try db.rows("SELECT name FROM exercise") { try $0.get(0) as String }
    }
    for try await names in names { show(names) }
    // end
  }

  static func app(_ profile: AppProfile) async throws {
    // snippet: AppStore
    let app = try await AppStore.open(profile)
    let titles = try await app.database.read { db in
      try db.rows("SELECT title FROM todo") { try $0.get(0) as String }
    }
    // end
    _ = titles
  }

  static func devices(_ profile: AppProfile) async throws {
    // snippet: TestDevices
    let devices = try TestDevices()
    try await devices.on("phone", profile) { app in
      try app.database.write { try $0.execute("INSERT INTO todo (title) VALUES ('milk')") }
    }
    try devices.service.carry()
    let count = try await devices.on("mac", profile) { app in
      try app.database.read { try $0.value("SELECT count(*) FROM todo", as: Int.self) }
    }
    // end
    _ = count
  }
}
