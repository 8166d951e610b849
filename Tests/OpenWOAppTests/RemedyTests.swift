import Foundation
import OpenWOApp
import OpenWOTesting
import Testing

/// The ways out of errors that an app shows, in both languages, and what a tap does.
struct RemedyTests {
  private let house: TestDevices

  init() throws { house = try TestDevices() }

  private func error(_ code: StoreError.Code) -> StoreError {
    StoreError(code, "it did not work")
  }

  @Test func `every error code has a remedy with a text in both languages`() {
    for code in StoreError.Code.all {
      let (english, japanese) = (
        Catalogue(.en).choices(for: error(code)), Catalogue(.ja).choices(for: error(code))
      )
      #expect(!english.isEmpty, "\(code)")
      for (en, ja) in zip(english, japanese) {
        #expect(en.text.contains { $0.isASCII && $0.isLetter }, "\(code): \(en.text)")
        #expect(ja.text.contains { !$0.isASCII }, "\(code): \(ja.text)")
        for text in [en.text, ja.text] {
          #expect(!text.contains("openwo") && !text.contains("{"), "\(code): \(text)")
        }
        // A sentence ends with a full stop, a button's label does not.
        #expect(en.text.hasSuffix(".") == (en.performer == .person), "\(code): \(en.text)")
        #expect(ja.text.hasSuffix("。") == (ja.performer == .person), "\(code): \(ja.text)")
      }
    }
  }

  @Test func `another device's lock can be ended from here, and the call made again`() async throws
  {
    let profile = Notes.profile()
    try await house.on("phone", profile) { _ in }
    try house.service.carry()
    let app = try await AppStore.open(profile, house.places("phone"))
    _ = await app.attachment()
    let mac = try await AppStore.open(profile, house.places("mac"))
    _ = await mac.attachment()
    _ = try mac.database.lock(LockRequest(note: "by hand", outlivesProcess: true))
    try house.service.carry("mac", "phone")
    let refused = try #require(
      #expect(throws: StoreError.self) { try app.add("a", "milk") } as StoreError?)
    let choices = Catalogue(.ja).choices(for: refused)
    #expect(choices.map(\.text) == ["もう一度試す", "macでの編集を終了"])
    #expect(choices.map(\.performer) == [.app, .store])
    #expect(try await !app.perform(choices[0].remedy))
    #expect(try await app.perform(choices[1].remedy))
    try app.add("a", "milk")
    try await app.close()
    try await mac.close()
  }

  @Test func `an edit of this device ends with a tap, and is kept`() async throws {
    let app = try await AppStore.open(Notes.profile(), house.places("phone"))
    _ = await app.attachment()
    _ = try app.database.lock(LockRequest(note: "by hand", outlivesProcess: true))
    let refused = try #require(
      #expect(throws: StoreError.self) { try app.add("a", "milk") } as StoreError?)
    #expect(refused.remedies == [.unlock, .discardEdit])
    #expect(try await app.perform(.unlock))
    try app.add("a", "milk")
    try await app.close()
  }

  @Test func `a change that was set aside can be brought in or made live`() throws {
    let kept = try #require(VersionID(String(repeating: "a", count: 64)))
    let error = StoreError(.setAside, "it is kept", version: kept)
    #expect(error.remedies == [.merge(kept), .restore(kept), .lookAgain])
    #expect(
      Catalogue(.en).choices(for: error).map(\.text)
        == ["Bring them in", "Go Back to the Kept Version", "Show What Is There Now"])
  }

  @Test func `what is wrong with a store is offered as buttons in both languages`() async throws {
    let profile = Notes.profile()
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    let database = house.folder("phone").appending(path: "NotesCloud.sqlite")
    try FileManager.default.removeItem(at: database)
    let findings = try SyncedDatabase.examine(
      path: database.path, configuration: house.places("phone").configuration(profile))
    let missing = try #require(findings.first { $0.code == "unavailable" })
    #expect(Catalogue(.en).choices(for: missing).map(\.performer) == [.store, .person])
    #expect(Catalogue(.en).choices(for: missing).first?.text == "Sync Now")
    #expect(Catalogue(.ja).choices(for: missing).first?.text == "今すぐ同期")
  }

  @Test func `an error that is not a store's can be tried again`() {
    struct Mistake: Error {}
    #expect(Catalogue(.en).choices(for: Mistake()).map(\.text) == ["Try Again"])
  }

  @Test func `a lost file of the store is put back with a tap`() async throws {
    let app = try await AppStore.open(Notes.profile(), house.places("phone"))
    _ = await app.attachment()
    try app.add("a", "milk")
    let companion = house.folder("phone").appending(path: "NotesCloud.sqlite.openwo")
    try FileManager.default.removeItem(at: companion.appending(path: "store.json"))
    let told = try #require(
      #expect(throws: StoreError.self) { try app.database.publish() } as StoreError?)
    #expect(told.remedies == [.checkFolder, .sync])
    #expect(try await app.perform(.repair))
    #expect(FileManager.default.fileExists(atPath: companion.appending(path: "store.json").path))
    try app.add("b", "bread")
    try app.database.publish()
    try app.shows(["a=milk", "b=bread", "seed=welcome"])
    try await app.close()
  }

  @Test
  func `a folder whose versions are away is looked at and repaired, not this device's own file`()
    async throws
  {
    let profile = Notes.profile()
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    try FileManager.default.removeItem(
      at: house.folder("phone").appending(path: "NotesCloud.sqlite.openwo"))
    try await house.on("phone", profile) { app in
      guard case .failed(let error) = app.localReason else {
        Issue.record("\(String(describing: app.localReason))")
        return
      }
      #expect(error.remedies == [.waitForService, .repair])
      let found = try await app.examine()
      #expect(found.contains { $0.remedies == [.waitForService, .repair] })
      #expect(await app.syncState.restartReason == nil)
      await app.didBecomeActive()
      #expect(await app.syncState.restartReason == nil)
      #expect(try await app.perform(.repair))
      #expect(await app.syncState.restartReason == .folderAvailable)
    }
    try await house.on("phone", profile) { app in
      #expect(app.activeStore == .synced)
      try app.shows(["a=milk", "seed=welcome"])
    }
  }

  @Test func `the side that lost is brought in, or made live, with a tap`() async throws {
    let profile = Notes.profile()
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    try house.service.carry()
    try await house.on("phone", profile) { try $0.add("b", "bread") }
    try await house.on("mac", profile) { try $0.add("c", "cheese") }
    try house.service.carry()
    try await house.on("mac", profile) { app in
      let side = try #require(try app.database.setAside().first)
      try app.shows(["a=milk", "c=cheese", "seed=welcome"])
      #expect(try await app.perform(.merge(side.version)))
      try app.shows(["a=milk", "b=bread", "c=cheese", "seed=welcome"])
      #expect(try await app.perform(.restore(side.version)))
      try app.shows(["a=milk", "b=bread", "seed=welcome"])
    }
  }

  @Test func `what has arrived is live after a tap on sync`() async throws {
    let profile = Notes.profile()
    let app = try await AppStore.open(profile, house.places("phone"))
    _ = await app.attachment()
    try app.database.publish()
    try house.service.carry()
    try await house.on("mac", profile) { try $0.add("a", "milk") }
    try house.service.carry()
    #expect(try await app.perform(.sync))
    try app.shows(["a=milk", "seed=welcome"])
    try await app.close()
  }
}
