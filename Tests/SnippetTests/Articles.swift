import Foundation
import OpenWOApp

/// The parts of the README and of the articles about a store; a test compares them.
enum Articles {
  static func opening() throws -> SyncedDatabase {
    // snippet: opening
    var configuration = Configuration()
    configuration.app = "org.example.training"
    configuration.migrations = Migrations([
      .init(1) { db in
        try db.executeScript(
          """
          CREATE TABLE exercise (id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
          CREATE TABLE session (id TEXT PRIMARY KEY, startedAt TEXT NOT NULL, note TEXT);
          """)
      },
      .init(2) { db in try db.executeScript("ALTER TABLE session ADD COLUMN endedAt TEXT") },
    ])
    configuration.settling = .merge
    let store = try SyncedDatabase.open("Training/training.sqlite", .createIfMissing, configuration)
    // end
    return store
  }

  static func following(_ store: SyncedDatabase) -> Task<Void, any Error> {
    // snippet: the values of a query
    let following = Task {
      let names = store.values { db in
        try db.rows("SELECT name FROM exercise ORDER BY id") { try $0.get(0) as String }
      }
      for try await names in names { print("show them: \(names)") }
    }
    // end
    return following
  }

  static func backAndForth(_ store: SyncedDatabase) throws {
    // snippet: an edit and the way back
    let lock = try store.lock(LockRequest(note: "editing templates"))
    let edit = try store.unlock()
    let before = try store.version(named: "@~1")
    let restored = try store.restore(before.id)
    // end
    _ = (lock, edit, restored)
  }

  static func records(_ store: SyncedDatabase) throws {
    // snippet: records
    struct Session: Codable, Sendable {
      var id: UUID
      var startedAt: Date
      var note: String?
    }
    try store.write { db in
      try db.execute("INSERT INTO session (id, startedAt) VALUES (?, ?)", UUID(), Date.now)
    }
    let sessions = try store.read { db in
      try db.rows("SELECT id, startedAt, note FROM session", as: Session.self)
    }
    // end
    _ = sessions
  }

  static func bringing(_ store: SyncedDatabase, _ before: Version, _ other: Version) throws {
    var configuration = Configuration()
    // snippet: merging by hand
    configuration.settling = .merge
    configuration.pinned = [PinnedRows("session", where: "endedAt IS NULL")]
    let difference = try store.diff(from: .version(before.id), rows: .all)
    let merged = try store.merge(.version(other.id), MergeRequest(rules: ["settings": .newest]))
    // end
    _ = (configuration, difference, merged)
  }

  static func rules() -> AppProfile {
    var profile = AppProfile(app: "a", localFile: "l", syncedFile: "s")
    // snippet: rules for merges
    profile.settling = .merge
    profile.mergeRules = ["settings": .singleton, "session": .newest]
    profile.mergeDeclarations = [
      .reference(table: "note", column: "book", parent: "book", parentColumn: "id"),
      .key(table: "day", columns: ["date"]),
    ]
    // end
    return profile
  }

  static func setAside(_ store: SyncedDatabase) throws {
    // snippet: what was set aside
    for side in try store.setAside() {
      let rows = side.changes.map { "\($0.inserted + $0.updated + $0.deleted) in \($0.table)" }
      print("\(side.deviceName) wrote at \(side.at): \(rows.joined(separator: ", "))")
      _ = try store.merge(.version(side.version))
    }
    // end
  }

  static func lock(_ store: SyncedDatabase) async throws {
    // snippet: a lock
    let report = try await store.lock(note: "new plan", waitingUpTo: .seconds(60))
    print("not answered yet: \(report.waitingFor.map(\.name))")
    // Edit the file here with any program.
    let edit = try await store.unlock(discard: false)
    print("changed: \(edit.changes.map(\.table))")
    // end
  }

  static func happenings(_ store: SyncedDatabase) async {
    // snippet: events
    for await event in store.events() {
      switch event {
      case .locked(let lock): print("\(lock.holder) is editing")
      case .unlocked: print("the data can be changed again")
      case .settled(_, _, let setAside): print("\(setAside.count) sides are kept apart")
      case .problem(let error): print(error.message)
      default: break
      }
    }
    // end
  }

  static func errors(_ store: SyncedDatabase) throws {
    // snippet: catching errors
    do {
      try store.write { db in try db.execute("DELETE FROM exercise WHERE name = ?", "Squat") }
    } catch StoreError.Code.locked {
      print("somebody is editing the data; nothing was changed")
    } catch let error as StoreError {
      print(error.message)
      for remedy in error.remedies { print(remedy) }
    } catch let error as SQLiteError where error.code == .constraint {
      print("a row refers to this one")
    }
    // end
  }

  static func buttons(_ app: AppStore) async throws {
    // snippet: remedies as buttons
    do {
      try await app.database.write { db in try db.execute("DELETE FROM exercise") }
    } catch let error as StoreError {
      let texts = Catalogue(.ja)
      print(texts.message(for: error))
      for choice in texts.choices(for: error) {
        switch choice.performer {
        case .store: print("[ \(choice.text) ]")  // a tap calls app.perform(choice.remedy)
        case .app: print("[ \(choice.text) ]")  // a tap does what the text says
        case .person: print(choice.text)
        }
      }
    }
    // end
  }

  static func device() {
    // snippet: settings of a device
    var places = AppPlaces(syncFolder: "/home/you/Sync/Training")
    places.dataFolder = "/home/you/.local/share/training"
    places.configuration.deviceName = "desk"
    places.configuration.pollInterval = .seconds(30)
    // end
    _ = places
  }
}

// snippet: a model for a screen
@MainActor
final class ExerciseModel {
  let names: ObservedQuery<[String]>

  init(_ app: AppStore) {
    names = ObservedQuery(app.database) { db in
      try db.rows("SELECT name FROM exercise ORDER BY name") { try $0.get(0) as String }
    }
  }
}
// end

// snippet: a type that reads its own row
struct Exercise: RowDecodable, Sendable, Equatable {
  var id: Int
  var name: String

  init(row: borrowing Row) throws {
    id = try row.get("id")
    name = try row.get("name")
  }
}
// end

// snippet: a record
struct TrainingSession: Codable, Sendable {
  var id = UUID()
  var startedAt = Date.now
  var note: String?
}

func begin(_ db: Connection) throws -> TrainingSession {
  var session = TrainingSession()
  try db.insert(session, into: "session")
  session.note = "legs"
  try db.update(session, in: "session")
  return session
}
// end

// snippet: an enumeration as an argument
enum Level: String, Codable, Sendable, Bindable { case easy, hard }

func setLevel(_ level: Level, of exercise: Int, _ db: Connection) throws -> Bool {
  try db.execute("UPDATE exercise SET level = ? WHERE id = ?", level, exercise) == 1
}
// end
