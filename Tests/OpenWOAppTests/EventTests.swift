import Foundation
import Household
import OpenWOApp
import OpenWOFiles
import Testing

@testable import OpenWO

/// The events of an app, and when its writes are published.
struct EventTests {
  private let house: Household
  private let profile = Notes.profile()

  init() throws { house = try Household() }

  /// The events so far.
  private func drain(_ events: AsyncStream<StoreEvent>, _ app: AppStore) async -> [StoreEvent] {
    app.database.core.events.finish()
    var found: [StoreEvent] = []
    for await event in events { found.append(event) }
    return found
  }

  @Test func `one column changed on another device reaches the screen as that column`()
    async throws
  {
    _ = try (house.places("phone"), house.places("mac"))
    try await house.on("mac", profile) { try $0.add("a", "milk") }
    try house.carry("mac", "phone")
    try await house.on("phone", profile) { try $0.shows(["a=milk", "seed=welcome"]) }
    try house.carry("phone", "mac")
    let mac = try await AppStore.open(profile, house.places("mac"))
    let events = mac.database.events()
    try await house.on("phone", profile) { app in
      try app.database.write { try $0.execute("UPDATE note SET isDone = 1 WHERE id = 'a'") }
    }
    try house.carry("phone", "mac")
    await mac.didBecomeActive()
    let told = await drain(events, mac)
    let imports = told.filter(\.bringsRows)
    guard case .imported(_, let changes) = imports.first, imports.count == 1 else {
      Issue.record("\(told)")
      return
    }
    #expect(
      changes == [
        TableChange(table: "note", inserted: 0, updated: 1, deleted: 0, columns: ["isDone"])
      ])
  }

  @Test func `an app's own writes do not make it read again`() async throws {
    let app = try await AppStore.open(profile, house.places("phone"))
    _ = await app.attachment()
    let events = app.database.events()
    try app.add("a", "milk")
    try app.database.publish()
    let told = await drain(events, app)
    #expect(told.count == 2, "\(told)")
    #expect(told.filter(\.bringsRows) == [])
  }

  @Test func `a failed import is a problem and no reason to read again`() {
    let error = StoreError(.noSpace, "no space is left")
    #expect(!StoreEvent.problem(error).bringsRows)
  }

  @Test func `several writes within the pause are one version, published when it is over`()
    async throws
  {
    let slow = Notes.profile { $0.publishing = .debounced(seconds: 30) }
    let app = try await AppStore.open(slow, house.places("phone"))
    _ = await app.attachment()
    let core = app.database.core
    func published() throws -> Int { try app.database.history().count { $0.isPublished } }
    func tick() throws { _ = try core.with { try $0.housekeeping.tick(folderChanged: false) } }
    let before = try published()
    // The machine's own time is not part of a pause.
    house.clock.setWall(house.clock.now())
    try app.add("a", "set 1")
    house.clock.advance(milliseconds: 20_000)
    try tick()
    try app.add("b", "set 2")
    house.clock.advance(milliseconds: 29_000)
    try tick()
    #expect(try published() == before)
    house.clock.advance(milliseconds: 1_000)
    try tick()
    #expect(try published() == before + 1)
    try app.add("c", "set 3")
    try app.database.publish()
    #expect(try published() == before + 2)
    try app.add("d", "set 4")
    await app.willResignActive()
    #expect(try published() == before + 3)
  }

  @Test func `a store is opened and closed a hundred times with listeners and leaves nothing`()
    async throws
  {
    for round in 0..<100 {
      let app = try await AppStore.open(
        Notes.switched(round.isMultiple(of: 2)), house.places("phone"))
      let (events, states) = (app.database.events(), app.syncStates())
      try await app.setSyncEnabled(!round.isMultiple(of: 2))
      try await app.close()
      _ = (events, states)
    }
    let descriptors = (try? FileManager.default.contentsOfDirectory(atPath: "/proc/self/fd")) ?? []
    let open = descriptors.compactMap {
      try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/fd/\($0)")
    }
    #expect(!open.contains { $0.hasPrefix(house.root.path) })
  }
}
