import Foundation
import Household
import OpenWOApp
import OpenWOFiles
import Testing

/// Which file is open after launch, and that it stays so.
struct ChoiceTests {
  private let house: Household
  private let profile = Notes.profile()

  init() throws { house = try Household() }

  @Test(arguments: [
    (StoreStatus.Availability.available, SyncState.ActiveStore.synced, LocalReason?.none),
    (.noAccount, .local, .noAccount), (.restricted, .local, .restricted),
    (.unknown, .local, .noAnswer),
  ])
  func `the synced file is opened when the folder can be used, the local one otherwise`(
    found: StoreStatus.Availability, active: SyncState.ActiveStore, reason: LocalReason?
  ) async throws {
    var places = try house.places("phone")
    places.folderProbe = FixedFolder(FolderFinding(found))
    let app = try await AppStore.open(profile, places)
    #expect(app.activeStore == active)
    #expect(app.localReason == reason)
    let state = await app.syncState
    #expect(state.availability == found && state.activeStore == active)
    try app.add("a", "milk")
    try app.shows(["a=milk", "seed=welcome"])
    try await app.close()
    let isThere = FileManager.default.fileExists(
      atPath: house.folder("phone").appending(path: "NotesCloud.sqlite").path)
    #expect(isThere == (active == .synced))
  }

  @Test func `a folder that is not set up or not there leaves the data on this device`()
    async throws
  {
    var places = try house.places("phone", makingFolder: false)
    let missing = try await AppStore.open(profile, places)
    #expect(missing.localReason == .noAccount)
    try await missing.close()
    places.syncFolder = nil
    let none = try await AppStore.open(profile, places)
    #expect(none.localReason == .noAccount)
    #expect(try house.names(in: house.root) == ["cloud", "data-phone", "state-phone"])
  }

  @Test func `a folder that does not answer is not waited for`() async throws {
    var places = try house.places("phone")
    let probe = HangingFolder()
    places.folderProbe = probe
    places.probeLimit = .zero
    let app = try await AppStore.open(profile, places)
    #expect(app.localReason == .noAnswer)
    #expect(await app.syncState.status == .error)
    #expect(await app.syncState.lastError == .serviceUnavailable)
    // The answer comes late: the open store stays, and the user is told that a new start would help.
    var states = app.syncStates().makeAsyncIterator()
    probe.answer()
    while let state = await states.next(), !state.restartRequired {}
    #expect(await app.syncState.restartReason == .folderAvailable)
    #expect(app.activeStore == .local)
  }

  @Test func `a folder that comes into reach is used after a new start only`() async throws {
    let app = try await AppStore.open(profile, house.places("phone", makingFolder: false))
    try app.add("a", "milk")
    #expect(await !app.syncState.restartRequired)
    _ = try house.places("phone")
    await app.didBecomeActive()
    let state = await app.syncState
    #expect(state.restartReason == .folderAvailable && state.activeStore == .local)
    #expect(state.status == .localOnly)
    try FileManager.default.removeItem(at: house.folder("phone"))
    await app.didBecomeActive()
    #expect(await !app.syncState.restartRequired)
    _ = try house.places("phone")
    try await app.close()
    let notes = try await house.on("phone", profile) { app in
      #expect(app.activeStore == .synced)
      return try app.notes
    }
    #expect(notes == ["a=milk", "seed=welcome"])
  }

  @Test func `a file that cannot be opened leads to the local one, and stays as it is`()
    async throws
  {
    _ = try house.places("phone")
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    let manifest = house.folder("phone").appending(
      path: "NotesCloud.sqlite.openwo/store.json")
    let text = try String(contentsOf: manifest, encoding: .utf8)
    try text.replacing("\"format\" : 1", with: "\"format\" : 99")
      .write(to: manifest, atomically: true, encoding: .utf8)
    try await house.on("phone", profile) { app in
      guard case .failed(let error) = app.localReason else {
        Issue.record("\(String(describing: app.localReason))")
        return
      }
      #expect(error.code == .newerFormat)
      let state = await app.syncState
      #expect(state.status == .error && state.lastError == .newerVersion)
      #expect(state.details.first == .onlyOnThisDevice)
      // The last seen state of the folder is here to continue with.
      try app.shows(["a=milk", "seed=welcome"])
    }
  }

  @Test func `development data is kept apart from production data`() async throws {
    let development = Notes.profile { $0.environment = "development" }
    try await house.on("phone", profile) { try $0.add("a", "real") }
    _ = try house.places("phone")
    try await house.on("phone", development) { try $0.add("b", "test") }
    try await house.expect("phone", profile, ["a=real", "seed=welcome"])
    try await house.expect("phone", development, ["b=test", "seed=welcome"])
  }

  @Test func `two apps share a folder without meeting`() async throws {
    let other = AppProfile(
      app: "org.example.other", localFile: "Notes.sqlite", syncedFile: "NotesCloud.sqlite")
    _ = try house.places("phone")
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    try await house.on("phone", other) { app in
      guard case .failed(let error) = app.localReason else {
        Issue.record("\(String(describing: app.localReason))")
        return
      }
      #expect(error.code == .otherStore)
    }
    try await house.expect("phone", profile, ["a=milk", "seed=welcome"])
  }
}
