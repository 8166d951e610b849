import Foundation
import Household
import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWOApp

/// Messages for an app's user about unusual states, and the ways out of them.
struct TellingTests {
  private let house: Household

  init() throws { house = try Household() }

  @Test func `before the first look nothing is claimed`() {
    let state = SyncBoard().last
    #expect(state.status == .checking && state.label == .checking && state.details == [])
    #expect(Catalogue(.ja)[state.label] == "確認中...")
  }

  @Test func `a folder that goes away under a running app offers a new start`() async throws {
    let profile = Notes.profile()
    let app = try await AppStore.open(profile, house.places("phone"))
    try app.add("a", "milk")
    await app.willResignActive()
    let away = house.root.appending(path: "elsewhere")
    try FileManager.default.moveItem(at: house.folder("phone"), to: away)
    let error = #expect(throws: StoreError.self) { try app.add("b", "bread") }
    let told = await app.explain(try #require(error), .en)
    #expect(told == "The folder is gone. Restart the app to go on with this device's own data.")
    let state = await app.syncState
    #expect(state.restartReason == .folderGone && state.status == .error)
    let rows = SyncSection(state, profile, .ja).rows
    #expect(rows.contains { $0.title == "フォルダが見つかりません。再起動すると、この端末内で続けられます。" })
    #expect(rows[0].value == "同期エラー" && rows.last?.kind == .tryAgain)
    try FileManager.default.moveItem(at: away, to: house.folder("phone"))
    await app.didBecomeActive()
    #expect(await app.syncState.restartReason == nil)
    try app.add("b", "bread")
    try await app.close()
  }

  @Test func `without its folder a running app never says that all is synced`() async throws {
    let profile = Notes.profile()
    let app = try await AppStore.open(profile, house.places("phone"))
    #expect(await app.syncState.status == .synced)
    // Nobody has written, so nothing has failed: only the look finds out.
    try FileManager.default.moveItem(
      at: house.folder("phone"), to: house.root.appending(path: "elsewhere"))
    await app.didBecomeActive()
    let state = await app.syncState
    #expect(state.status == .error && state.label == .syncError && state.details == [.folderGone])
    try? await app.close()
  }

  @Test func `the state names the person who edits the data while the lock is held`() async throws {
    let profile = Notes.profile()
    let app = try await AppStore.open(profile, house.places("phone"))
    _ = try app.database.lock(LockRequest(note: "by hand", outlivesProcess: true))
    let locked = await app.syncState
    #expect(locked.lockedBy == "phone")
    let rows = SyncSection(locked, profile, .en).rows
    #expect(rows.contains { $0.title.hasPrefix("The data is being edited on phone.") })
    _ = try app.database.unlock()
    #expect(await app.syncState.lockedBy == nil)
    try await app.close()
  }

  @Test func `rows that lost to a later writer are reported, and merged at the user's request`()
    async throws
  {
    let profile = Notes.profile { $0.settling = .lastWriterWins }
    _ = try (house.places("phone"), house.places("mac"))
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    try house.carry("phone", "mac")
    try await house.on("mac", profile) { _ in }
    try await house.on("phone", profile) { app in
      try app.add("b", "bread")
      try app.add("c", "cheese")
    }
    try await house.on("mac", profile) { try $0.add("d", "dates") }
    for _ in 1...2 {
      try house.carry("phone", "mac")
      for device in ["phone", "mac"] { try await house.on(device, profile) { _ in } }
    }
    try house.carry("phone", "mac")
    try await house.on("phone", profile) { app in
      _ = await app.attachment()
      let state = await app.syncState
      #expect(state.setAside == 2)
      let row = SyncSection(state, profile, .ja).rows.first { $0.kind == .setAside }
      #expect(row?.title == "別の端末の変更が優先されました。この端末の変更（2件）は残っています。")
      #expect(row?.value == "取り込む" && row?.isTappable == true)
      #expect(try await app.bringIn() == 1)
      #expect(await app.syncState.setAside == 0)
      try app.shows(["a=milk", "b=bread", "c=cheese", "d=dates", "seed=welcome"])
    }
  }

  @Test func `a file that was busy at launch is tried again, and a new start is offered then`()
    async throws
  {
    let profile = Notes.profile()
    var places = try house.places("phone")
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    places.configuration.busyTimeout = .zero
    let path = house.folder("phone").appending(path: "NotesCloud.sqlite").path
    let other = try Connection(
      path: FilePath(path), Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    try other.execute("BEGIN EXCLUSIVE")
    let app = try await AppStore.open(profile, places)
    guard case .failed(let error) = app.localReason else {
      Issue.record("\(String(describing: app.localReason))")
      return
    }
    #expect(error.code == .busy)
    let busy = await app.syncState
    #expect(busy.restartReason == nil && busy.lastError == .requestRateLimited)
    #expect(busy.details == [.onlyOnThisDevice, .requestRateLimited])
    try other.execute("ROLLBACK")
    other.close()
    await app.didBecomeActive()
    let state = await app.syncState
    #expect(state.restartReason == .folderAvailable && state.activeStore == .local)
    try await app.close()
  }

  @Test func `times are those of the person's time zone`() {
    let moment = Timestamp(milliseconds: 1_795_269_720_000)
    let here = Catalogue(.en).time(moment)
    #expect(here == Catalogue(.en).time(moment, minutesEast: moment.minutesEast))
  }

  @Test(arguments: [
    (["LANG": "ja_JP.UTF-8"], Language.ja), (["LANG": "ja_JP.UTF-8", "LC_ALL": "C"], .en),
    (["LC_MESSAGES": "ja", "LANG": "en_US"], .ja), (["LC_ALL": "", "LANG": "ja"], .ja), ([:], .en),
  ])
  func `the language is that of the locale that counts`(
    environment: [String: String], language: Language
  ) {
    #expect(Language(environment: environment) == language)
  }
}
