import Household
import OpenWOApp
import Testing

/// The smallest app: notes.
enum Notes {
  static func profile(_ change: (inout AppProfile) -> Void = { _ in }) -> AppProfile {
    var profile = AppProfile(
      app: "org.example.notes", localFile: "Notes.sqlite", syncedFile: "NotesCloud.sqlite")
    profile.migrations = Migrations([
      .init(1) { db in
        try db.executeScript(
          """
          CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT NOT NULL, isDone INTEGER NOT NULL DEFAULT 0);
          INSERT INTO note VALUES ('seed', 'welcome', 0);
          """)
      }
    ])
    change(&profile)
    return profile
  }

  /// A profile with a switch.
  static func switched(_ isOn: Bool) -> AppProfile {
    profile { $0.syncSwitch = .user(isOn: isOn) }
  }
}

extension AppStore {
  func add(_ id: String, _ text: String) throws {
    try database.write { try $0.execute("INSERT INTO note (id, text) VALUES (?, ?)", id, text) }
  }

  func change(_ id: String, _ text: String) throws {
    try database.write { try $0.execute("UPDATE note SET text = ?2 WHERE id = ?1", id, text) }
  }

  func remove(_ id: String) throws {
    try database.write { try $0.execute("DELETE FROM note WHERE id = ?", id) }
  }

  /// Expects these notes.
  func shows(_ expected: [String], sourceLocation: SourceLocation = #_sourceLocation) throws {
    let shown = try notes
    #expect(shown == expected, sourceLocation: sourceLocation)
  }

  /// The notes as `id=text`, in order of id.
  var notes: [String] {
    get throws {
      try database.read { db in
        try db.rows("SELECT id || '=' || text FROM note ORDER BY id") { try $0.get(0) as String }
      }
    }
  }
}

extension Household {
  /// Expects that a device shows these notes after a new start.
  func expect(
    _ device: String, _ profile: AppProfile, _ notes: [String],
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    try await on(device, profile) { try $0.shows(notes, sourceLocation: sourceLocation) }
  }
}
