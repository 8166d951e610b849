import Household
import Observation
import OpenWOApp
import Testing

/// A query that a screen follows.
@MainActor struct ObservedQueryTests {
  @Test func `the value changes after a write, and the screen is told`() async throws {
    let house = try Household()
    let app = try await AppStore.open(Notes.profile(), house.places("phone"))
    _ = await app.attachment()
    let query = ObservedQuery(app.database) { db in
      try db.rows("SELECT id FROM note ORDER BY id") { try $0.get(0) as String }
    }
    #expect(query.value == nil)
    await change(of: query, from: nil)
    #expect(query.value == ["seed"])
    try app.add("a", "milk")
    await change(of: query, from: ["seed"])
    #expect(query.value == ["a", "seed"] && query.error == nil)
    try await app.close()
  }

  @Test func `an error of the query is told`() async throws {
    let house = try Household()
    let app = try await AppStore.open(Notes.profile(), house.places("phone"))
    let query = ObservedQuery(app.database) { try $0.value("SELECT x FROM nowhere", as: Int.self) }
    while query.error == nil { await Task.yield() }
    #expect(query.error is SQLiteError)
    try await app.close()
  }

  /// Waits until the value is another one.
  private func change(
    of query: ObservedQuery<[String]>, from value: [String]?
  ) async {
    while query.value == value {
      await withCheckedContinuation { (told: CheckedContinuation<Void, Never>) in
        withObservationTracking {
          _ = query.value
        } onChange: {
          told.resume()
        }
      }
      await Task.yield()
    }
  }
}
