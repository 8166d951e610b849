import Foundation
import OpenWOTesting
import Testing

@testable import OpenWOApp

/// An app says "Synced" only after a look at the folder that understood all of it.
struct ProofTests {
  private let house: TestDevices
  private let profile = Notes.profile()

  init() throws { house = try TestDevices() }

  private func open() async throws -> AppStore {
    let app = try await AppStore.open(profile, house.places("phone"))
    _ = await app.attachment()
    return app
  }

  /// A conflict copy of which half is there.
  private func cutCopy() throws -> URL {
    let folder = house.folder("phone")
    let whole = try Data(contentsOf: folder.appending(path: "NotesCloud.sqlite"))
    let copy = folder.appending(path: "NotesCloud (conflicted copy 2026-11-20 101112).sqlite")
    try whole.prefix(whole.count / 2).write(to: copy)
    house.clock.advance(by: .seconds(10))
    return copy
  }

  @Test func `a conflict copy that is not whole is told, and ends a tap on sync with its error`()
    async throws
  {
    let app = try await open()
    try app.add("a", "milk")
    try app.database.publish()
    #expect(await app.syncState.status == .synced)
    let copy = try cutCopy()
    await app.didBecomeActive()
    for _ in 0..<2 {
      let state = await app.syncState
      #expect(state.status == .error && state.lastError == .unfinishedCopy)
      let rows = SyncSection(state, profile, .ja).rows
      #expect(rows.contains { $0.title.contains("不完全なコピー") })
      let error = await #expect(throws: StoreError.self) { try await app.perform(.sync) }
      #expect(error?.code == .copyNotWhole)
    }
    let known = SyncState.ofStore(
      path: house.folder("phone").appending(path: "NotesCloud.sqlite").path,
      house.places("phone").configuration(profile)
    ).state
    #expect(known.status == .error && known.lastError == .unfinishedCopy)
    try FileManager.default.removeItem(at: copy)
    #expect(try await app.perform(.sync))
    #expect(await app.syncState.status == .synced)
    try await app.close()
  }

  @Test func `what a look in the background leaves open reaches those who listen`() async throws {
    let app = try await open()
    var states = app.syncStates().makeAsyncIterator()
    _ = try cutCopy()
    try house.runBackground(of: app.database)
    while let state = await states.next(), state.lastError != .unfinishedCopy {}
    try await app.close()
  }

  @Test func `a newer version without the file that it rests on is waited for`() async throws {
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    try house.service.carry()
    let app = try await open()
    let folder = house.folder("phone").appending(path: "NotesCloud.sqlite.openwo/versions")
    let known = try house.names(in: folder)
    house.service.hold { $0.hasSuffix("NotesCloud.sqlite") }
    for text in ["bread", "cheese"] {
      try await house.on("mac", profile) { try $0.add(text, text) }
      try house.service.carry()
    }
    let late = try house.names(in: folder).filter { !known.contains($0) }.dropLast()
    try #require(!late.isEmpty)
    let away = house.root.appending(path: "away")
    try FileManager.default.createDirectory(at: away, withIntermediateDirectories: true)
    for name in late {
      try FileManager.default.moveItem(
        at: folder.appending(path: name), to: away.appending(path: name))
    }
    await app.didBecomeActive()
    #expect(await app.syncState.status == .syncing)
    let error = await #expect(throws: StoreError.self) { try await app.perform(.sync) }
    #expect(error?.remedies == [.waitForService])
    for name in late {
      try FileManager.default.moveItem(
        at: away.appending(path: name), to: folder.appending(path: name))
    }
    house.clock.advance(by: .seconds(10))
    await app.didBecomeActive()
    #expect(await app.syncState.status == .synced)
    try app.shows(["a=milk", "bread=bread", "cheese=cheese", "seed=welcome"])
    try await app.close()
  }

  @Test func `a state that was computed earlier does not replace a later one`() async {
    func state(_ status: SyncState.Status) -> SyncState {
      SyncState(
        activeStore: .synced, syncEnabled: true, availability: .available, network: .unknown,
        status: status)
    }
    let board = SyncBoard()
    // The inner call stands for another thread that computes and tells meanwhile.
    let told = board.current {
      board.current { state(.synced) }
      return state(.syncing)
    }
    #expect(board.last.status == .synced && told.status == .synced)
    var states = board.listen().makeAsyncIterator()
    #expect(await states.next()?.status == .synced)
  }
}
