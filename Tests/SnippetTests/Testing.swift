import Foundation
import OpenWOApp
import OpenWOTesting
import Testing

/// The part of the article about testing, which runs as it is.
struct TestingArticle {
  @Test func `a late, torn and conflicting service is played`() async throws {
    let profile = AppProfile.todo
    // snippet: a service that misbehaves
    let devices = try TestDevices()  // "phone" and "mac"
    let list = { (app: AppStore) in TodoList(app: app) }
    try await devices.on("phone", profile) { try await list($0).add("milk") }
    devices.service.hold { $0.contains(".openwo/versions/") }  // the versions are late
    try devices.service.carry()  // files move now, and only now
    devices.service.release()
    devices.service.tear("Todo.sqlite")  // half of the file comes first
    try devices.service.carry()
    try devices.service.carry()
    devices.clock.advance(by: .seconds(60))
    let todos = try await devices.on("mac", profile) { try await list($0).all() }
    #expect(todos.map(\.title) == ["milk"])
    // end
  }

  @Test @MainActor func `an observed query follows a write`() async throws {
    let devices = try TestDevices()
    try await devices.on("phone", .todo) { app in
      try await TodoList(app: app).add("milk")
      // snippet: waiting for an observed query
      let names = ObservedQuery(app.database) { db in
        try db.rows("SELECT title FROM todo") { try $0.get(0) as String }
      }
      while names.value != ["milk"] { await Task.yield() }
      // end
    }
  }
}
