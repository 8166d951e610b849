import ArgumentParser
import ExampleShared
import Foundation
import OpenWOApp
import Synchronization
import Testing

@testable import workouts

/// The ways out of an error, as buttons of the app.
struct ButtonTests {
  private let desk: Desk
  private let shown = Shown()

  private final class Shown: Sendable {
    let labels = Mutex<[[String]]>([])
  }

  init() throws {
    desk = try Desk()
    try desk.open().close()
  }

  private func open() async throws -> AppStore {
    var places = Workouts.places(desk.database)
    places.configuration = desk.configuration
    return try await AppStore.open(Workouts.profile(desk.database), places)
  }

  /// An app whose person presses these buttons, one after the other.
  private func app(
    _ store: AppStore, _ language: Language, pressing buttons: Int?...
  ) -> App {
    let screen = Screen(path: desk.database, language: language)
    return App(
      app: store, screen: screen,
      buttons: Buttons { [shown] labels in
        shown.labels.withLock { shown in
          shown.append(labels)
          return shown.count > buttons.count ? nil : buttons[shown.count - 1]
        }
      })
  }

  @Test func `an edit that is in the way ends with a button, and the session is logged`()
    async throws
  {
    let store = try await open()
    _ = try store.database.lock(LockRequest(outlivesProcess: true))
    try desk.sqlite3("UPDATE workout SET name = 'Edited' WHERE id = 1")
    let words = try Words.parse([desk.database, "log", "1"])
    #expect(await app(store, .en, pressing: 0).status(of: words) == 0)
    #expect(shown.labels.withLock { $0 } == [["Finish the Edit", "Discard the Edit"]])
    let session = try await store.database.read { db in try Session.latest(1, in: db) }.first
    #expect(session?.type == "Edited")
    try await store.close()
  }

  @Test func `in Japanese an edit is discarded with a button`() async throws {
    let store = try await open()
    _ = try store.database.lock(LockRequest(outlivesProcess: true))
    try desk.sqlite3("UPDATE workout SET name = 'Edited' WHERE id = 1")
    let words = try Words.parse([desk.database, "log", "1"])
    #expect(await app(store, .ja, pressing: 1).status(of: words) == 0)
    #expect(shown.labels.withLock { $0 } == [["編集を終了", "編集を破棄"]])
    let session = try await store.database.read { db in try Session.latest(1, in: db) }.first
    #expect(session?.type == "Full body A")
    try await store.close()
  }

  @Test func `a person who presses nothing gets the status of the error`() async throws {
    let store = try await open()
    _ = try store.database.lock(LockRequest(outlivesProcess: true))
    let words = try Words.parse([desk.database, "log", "1"])
    #expect(await app(store, .en, pressing: nil).status(of: words) == 11)
    #expect(shown.labels.withLock { $0.count } == 1)
    #expect(try store.database.lockReport() != nil)
    try await store.close()
  }

  @Test(arguments: [StoreError.Code.inDoubt, .setAside])
  func `what may be written already is not written again`(code: StoreError.Code) async throws {
    let store = try await open()
    let buttons = Buttons { [shown] labels in
      shown.labels.withLock { $0.append(labels) }
      return 0
    }
    let error = StoreError(code, "it may be there", remedies: [.sync, .lookAgain])
    #expect(try await buttons.offer(after: error, Catalogue(.en), store) { _ in } == false)
    #expect(shown.labels.withLock { $0 } == [["Sync Now"]])
    try await store.close()
  }
}
