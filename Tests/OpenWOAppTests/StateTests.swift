import Foundation
import Household
import OpenWOFiles
import Synchronization
import Testing

@testable import OpenWOApp

/// The state of syncing as one value, and the switch.
struct StateTests {
  private let house: Household

  init() throws { house = try Household() }

  @Test func `the state in one word follows from the open file, the error and what waits`() {
    func status(_ active: SyncState.ActiveStore, _ error: SyncErrorKind?, _ isWaiting: Bool)
      -> SyncState.Status
    { SyncState.status(active, lastError: error, isWaiting: isWaiting) }
    #expect(status(.synced, nil, false) == .synced)
    #expect(status(.synced, nil, true) == .syncing)
    for isWaiting in [false, true] {
      #expect(status(.local, nil, isWaiting) == .localOnly)
      #expect(status(.local, .notAuthenticated, isWaiting) == .localOnly)
      for kind in SyncErrorKind.allCases {
        #expect(status(.synced, kind, isWaiting) == .error)
        if kind != .notAuthenticated { #expect(status(.local, kind, isWaiting) == .error) }
      }
    }
  }

  @Test func `pending versions are reported, and so is their publication`() async throws {
    let app = try await AppStore.open(
      Notes.profile { $0.publishing = .debounced(seconds: 30) }, house.places("phone"))
    #expect(await app.syncState.status == .synced)
    try app.add("a", "milk")
    let saved = await app.syncState
    #expect(saved.status == .syncing && saved.lastLocalSaveAt != nil)
    var states = app.syncStates().makeAsyncIterator()
    await app.willResignActive()
    while let state = await states.next(), state.status != .synced {}
    #expect(await app.syncState.status == .synced)
  }

  @Test func `the device that has checked out the live version is reported with the time`()
    async throws
  {
    let profile = Notes.profile()
    _ = try (house.places("phone"), house.places("mac"))
    try await house.on("mac", profile) { _ in }
    try house.carry("mac", "phone")
    try await house.on("phone", profile) { #expect(await $0.syncState.seenBy.count <= 1) }
    try await house.on("mac", profile) { try $0.add("a", "milk") }
    try await house.on("mac", profile) { #expect(await $0.syncState.seenBy == []) }
    try house.carry("mac", "phone")
    try await house.on("phone", profile) { _ in }
    let adopted = Timestamp(milliseconds: house.clock.now())
    try house.carry("phone", "mac")
    try await house.on("mac", profile) { app in
      let seen = await app.syncState.seenBy
      #expect(seen.map(\.device) == ["phone"])
      #expect(abs((seen.first?.at.milliseconds ?? 0) - adopted.milliseconds) < 10_000)
    }
  }

  @Test func `a missing network is reported, with the note that data is safe here`() async throws {
    var places = try house.places("phone")
    places.networkProbe = FixedNetwork(.offline)
    let app = try await AppStore.open(Notes.profile(), places)
    try app.add("a", "milk")
    let state = await app.syncState
    #expect(state.network == .offline && state.lastError == .networkUnavailable)
    #expect(state.label == .offline && state.details == [.networkUnavailable])
    try app.shows(["a=milk", "seed=welcome"])
  }

  @Test func `a lost network is reported at the next foreground, and so is its return`()
    async throws
  {
    var places = try house.places("phone")
    let network = ChangingNetwork()
    places.networkProbe = network
    let app = try await AppStore.open(Notes.profile(), places)
    #expect(await app.syncState.label == .synced)
    for (now, label) in [(.offline, .offline), (.online, .synced)]
      as [(StoreStatus.Network, SyncText)]
    {
      network.now.withLock { $0 = now }
      await app.didBecomeActive()
      var states = app.syncStates().makeAsyncIterator()
      #expect(await states.next()?.label == label)
    }
    try await app.close()
  }

  private final class ChangingNetwork: NetworkProbing {
    let now = Mutex(StoreStatus.Network.online)

    func look() -> StoreStatus.Network { now.withLock { $0 } }
  }

  @Test func `a full folder leads to the local file with the warning, and back`() async throws {
    let profile = Notes.profile()
    var places = try house.places("phone")
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    places.folderProbe = FixedFolder(FolderFinding(.available, .quotaExceeded))
    let app = try await AppStore.open(profile, places)
    #expect(app.localReason == .full)
    try app.shows(["a=milk", "seed=welcome"])
    try app.add("b", "bread")
    let state = await app.syncState
    #expect(state.status == .error && state.lastError == .quotaExceeded)
    #expect(state.details == [.onlyOnThisDevice, .quotaExceeded])
    // Publishing this device's versions does not free space in the folder.
    try app.database.publish()
    app.follow(.published(try app.database.version(named: "@").id))
    #expect(await app.syncState.lastError == .quotaExceeded)
    try await app.close()
    try await house.expect("phone", profile, ["a=milk", "b=bread", "seed=welcome"])
  }

  @Test(arguments: [false, true])
  func `a new start is asked for only while the switch differs from the launch`(isOn: Bool)
    async throws
  {
    let app = try await AppStore.open(Notes.switched(isOn), house.places("phone"))
    #expect(app.activeStore == (isOn ? .synced : .local))
    #expect(await app.syncState.restartReason == nil)
    try await app.setSyncEnabled(!isOn)
    #expect(await app.syncState.restartReason == .switchMoved)
    #expect(app.activeStore == (isOn ? .synced : .local))
    try await app.setSyncEnabled(isOn)
    #expect(await app.syncState.restartReason == nil)
  }

  @Test func `off by default, nothing is made in the folder until it is switched on`() async throws
  {
    let profile = Notes.switched(false)
    _ = try house.places("phone")
    try await house.on("phone", profile) { app in
      #expect(app.localReason == .switchedOff && !app.syncEnabled)
      try app.add("a", "milk")
      #expect(try house.names(in: house.folder("phone")) == [])
      try await app.setSyncEnabled(true)
      #expect(try house.names(in: house.folder("phone")) == [])
    }
    try await house.on("phone", profile) { app in
      #expect(app.activeStore == .synced && app.syncEnabled)
      try app.shows(["a=milk", "seed=welcome"])
      try app.add("b", "bread")
      try await app.setSyncEnabled(false)
    }
    // Switched off: the data is here, and the folder is left as it is.
    let folder = try house.names(in: house.folder("phone"))
    try await house.on("phone", profile) { app in
      #expect(app.localReason == .switchedOff)
      try app.shows(["a=milk", "b=bread", "seed=welcome"])
      try app.add("c", "cheese")
    }
    #expect(try house.names(in: house.folder("phone")) == folder)
    try await house.on("phone", profile) { try await $0.setSyncEnabled(true) }
    try await house.expect("phone", profile, ["a=milk", "b=bread", "c=cheese", "seed=welcome"])
  }

  @Test func `an app without a switch has none to move`() async throws {
    let app = try await AppStore.open(Notes.profile(), house.places("phone"))
    await #expect(throws: StoreError.self) { try await app.setSyncEnabled(false) }
    #expect(app.syncEnabled)
  }

  @Test func `values of this device reach neither the folder nor the database`() async throws {
    let profile = Notes.profile()
    let app = try await AppStore.open(profile, house.places("phone"))
    #expect(app.values["hasSeenTutorial"] == nil)
    try app.values.set("hasSeenTutorial", true)
    try app.values.set("searchText", "benchpress-filter")
    #expect(DeviceValues(profile, try house.places("phone"))["hasSeenTutorial"]?.bool == true)
    try app.values.set("hasSeenTutorial", nil)
    #expect(app.values["hasSeenTutorial"] == nil)
    #expect(throws: StoreError.self) { try app.values.set("../escape", true) }
    try await app.close()
    for folder in [house.folder("phone"), house.data("phone")] {
      for text in ["hasSeenTutorial", "benchpress-filter"] {
        #expect(try !house.contains(text, below: folder))
      }
    }
  }
}
