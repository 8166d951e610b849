import Foundation
import OpenWOApp

/// The app: each verb is one read or one write of the repository.
struct App {
  let store: AppStore

  func perform(_ words: Words) async throws {
    let database = store.database
    switch words.verb {
    case .list: try await list().forEach(show)
    case .add:
      let title = try words.text("add what?")
      try await database.write { db in try Todo.add(title, in: db) }
    case .done:
      let title = try words.text("what is done?")
      try await database.write { db in try Todo.toggle(title, in: db) }
    case .delete:
      let title = try words.text("delete what?")
      try await database.write { db in try Todo.delete(title, in: db) }
    case .reset:
      guard let hour = Int(try words.text("at which hour?")), (0...23).contains(hour) else {
        throw Mistake("an hour is 0 to 23")
      }
      let now = Date().formatted(.iso8601)
      try await database.write { db in try Settings.update(resetTime: hour, at: now, in: db) }
    case .on, .off:
      try await store.setSyncEnabled(words.verb == .on)
      await settings(words.language)
    case .settings: await settings(words.language)
    case .open: try await stayOpen()
    }
  }

  func list() async throws -> [Todo] {
    try await store.database.read { db in try Todo.all(in: db) }
  }

  private func settings(_ language: Language) async {
    for row in SyncSection(await store.syncState, DailyDo.profile, language).rows {
      print(row.value.map { "\(row.title): \($0)" } ?? row.title)
    }
  }

  private func show(_ todo: Todo) { print("[\(todo.isCompleted ? "x" : " ")] \(todo.title)") }

  private func stayOpen() async throws {
    let list = TodoList(store)
    let following = Task { try await list.follow { $0.forEach(show) } }
    while readLine() != nil { await store.didBecomeActive() }
    following.cancel()
  }
}
