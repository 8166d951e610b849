import OpenWOApp

/// The list on the screen, read again only when rows arrive from another device.
struct TodoList {
  private let store: AppStore
  private let events: AsyncStream<StoreEvent>

  init(_ store: AppStore) {
    self.store = store
    events = store.database.events()
  }

  /// Shows the to-dos now and after each import, until the task is cancelled or the store is closed.
  func follow(_ show: ([Todo]) -> Void) async throws {
    show(try await read())
    for await event in events where event.bringsRows { show(try await read()) }
  }

  private func read() async throws -> [Todo] {
    try await store.database.read { db in try Todo.all(in: db) }
  }
}
