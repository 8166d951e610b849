import ArgumentParser
import ExampleShared
import Foundation
import OpenWOApp
import OpenWOTesting
import Testing

@testable import dailydo

/// The design's own list of what has to be so, between devices that a fake service connects.
struct DailyDoTests {
  private let house: TestDevices
  private let profile = DailyDo.profile

  init() throws {
    house = try TestDevices()
  }

  private func `do`(_ device: String, _ verbs: [String]...) async throws {
    try await house.on(device, profile) { store in
      for verb in verbs { try await App(store: store).perform(Words.parse(verb)) }
    }
  }

  private func shown(_ device: String) async throws -> [String] {
    try await house.on(device, profile) { store in
      try await App(store: store).list().map { "\($0.title)\($0.isCompleted ? " ✓" : "")" }
    }
  }

  private func switchOn(_ devices: String...) async throws {
    for device in devices {
      try await house.on(device, profile) { try await $0.setSyncEnabled(true) }
    }
  }

  @Test func `nothing leaves the device until syncing is switched on`() async throws {
    try await self.do("phone", ["add", "milk"])
    #expect(try house.names(in: house.folder("phone")) == [])
    try await switchOn("phone")
    #expect(try house.names(in: house.folder("phone")) == [])
    #expect(try await shown("phone") == ["milk"])
    #expect(try house.names(in: house.folder("phone")).first == "DailyDoCloud.sqlite")
  }

  @Test func `the switch says what it does, and a new start is asked for only when it was moved`()
    async throws
  {
    try await house.on("phone", profile) { store in
      func rows(_ language: Language) async -> [SyncSection.Row] {
        SyncSection(await store.syncState, profile, language).rows
      }
      #expect(await rows(.ja).map(\.title) == ["TODOと設定を複数デバイス間で同期します"])
      #expect(
        await rows(.en).map(\.title) == ["Syncs your to-dos and settings across your devices"])
      try await store.setSyncEnabled(true)
      #expect(await rows(.ja).last?.title == "変更を反映するにはアプリを再起動してください")
      #expect(store.activeStore == .local)
      try await store.setSyncEnabled(false)
      #expect(await rows(.ja).map(\.kind) == [.toggle])
    }
  }

  @Test(arguments: SyncState.Status.allCases)
  func `only the switch is shown, whatever happens to syncing`(status: SyncState.Status) {
    for reason in [.folderAvailable, .folderGone, nil] as [SyncState.RestartReason?] {
      let state = SyncState(
        activeStore: .local, syncEnabled: true, availability: .available, network: .offline,
        status: status, lastError: .quotaExceeded, restartReason: reason, lockedBy: "mac",
        setAside: 3, hasChangesToAdd: true)
      #expect(SyncSection(state, profile, .ja).rows.map(\.kind) == [.toggle])
    }
  }

  @Test func `to-dos added, done and deleted on one device are so on the other`() async throws {
    try await switchOn("phone", "mac")
    try await self.do("phone", ["add", "milk"], ["add", "bread"])
    try house.service.carry("phone", "mac")
    #expect(try await shown("mac") == ["bread", "milk"])
    try await self.do("mac", ["done", "milk"], ["delete", "bread"], ["add", "cheese"])
    try house.service.carry("mac", "phone")
    #expect(try await shown("phone") == ["cheese", "milk ✓"])
  }

  @Test func `another device's changes are here within a minute of the clock`() async throws {
    try await switchOn("phone", "mac")
    try await self.do("phone", ["add", "milk"])
    try house.service.carry("phone", "mac")
    // Both stay open: closing an app would publish whatever waits.
    let mac = try await AppStore.open(profile, house.places("mac"))
    let phone = try await AppStore.open(profile, house.places("phone"))
    _ = await phone.attachment()
    let before = house.clock.now
    // The time that the machine takes does not count.
    house.clock.set(before)
    try await App(store: phone).perform(Words.parse(["done", "milk"]))
    // The background thread does this within a fifth of a second.
    try house.runBackground(of: phone.database)
    #expect(try phone.database.history().allSatisfy(\.isPublished))
    try house.service.carry("phone", "mac")
    await mac.didBecomeActive()
    let todos = try await App(store: mac).list()
    #expect(todos.map(\.isCompleted) == [true])
    #expect(house.clock.now.timeIntervalSince(before) <= 60)
  }

  @Test func `the screen is read again for arrivals, not for local changes`() async throws {
    try await switchOn("phone", "mac")
    try await self.do("phone", ["add", "milk"])
    try house.service.carry("phone", "mac")
    _ = try await shown("mac")
    try house.service.carry("mac", "phone")
    let mac = try await AppStore.open(profile, house.places("mac"))
    _ = await mac.attachment()
    let (screens, shown) = AsyncStream<[Todo]>.makeStream()
    let list = TodoList(mac)
    let following = Task { try await list.follow { shown.yield($0) } }
    var seen = screens.makeAsyncIterator()
    #expect(await seen.next()?.map(\.isCompleted) == [false])
    // This device's own changes are already on the screen.
    for verb in ["add", "delete"] { try await App(store: mac).perform(Words.parse([verb, "x"])) }
    try await self.do("phone", ["done", "milk"])
    try house.service.carry("phone", "mac")
    await mac.didBecomeActive()
    // One column changed: the very next screen has it.
    let next = await seen.next()
    #expect(next?.map(\.isCompleted) == [true])
    following.cancel()
  }

  @Test func `without a network to-dos are written, and reach the others afterwards`() async throws
  {
    try await switchOn("phone", "mac")
    try await self.do("phone", ["add", "milk"])
    try house.service.carry("phone", "mac")
    _ = try await shown("mac")
    try await self.do("phone", ["add", "on the plane"])
    try await self.do("mac", ["done", "milk"])
    for _ in 1...2 {
      try house.service.carry("phone", "mac")
      _ = try await (shown("phone"), shown("mac"))
    }
    #expect(try await shown("phone") == ["milk ✓", "on the plane"])
    #expect(try await shown("mac") == ["milk ✓", "on the plane"])
  }

  @Test func `two devices that began apart have one row of settings, the newest`() async throws {
    try await self.do("phone", ["add", "milk"])
    try await set(resetTime: 3, on: "phone", at: "2026-01-01T00:00:00Z")
    try await set(resetTime: 5, on: "mac", at: "2026-02-01T00:00:00Z")
    try await switchOn("phone", "mac")
    _ = try await shown("phone")
    try await settle(on: 5)
  }

  /// Lets both devices hear of each other, and expects one row of settings with this hour on each.
  private func settle(on hour: Int) async throws {
    for _ in 1...2 {
      try house.service.carry("phone", "mac")
      _ = try await (shown("phone"), shown("mac"))
    }
    for device in ["phone", "mac"] {
      let found = try await house.on(device, profile) { store in
        try await store.database.read { db in
          (try Settings.resetTime(in: db), try db.value("SELECT count(*) FROM settings") ?? 0)
        }
      }
      #expect(found == (hour, 1), "\(device)")
    }
  }

  private func set(resetTime: Int, on device: String, at time: String) async throws {
    try await house.on(device, profile) { store in
      try await store.database.write { db in
        try Settings.update(resetTime: resetTime, at: time, in: db)
      }
    }
  }

  @Test func `of two settings of the hour within a second the later one counts`() async throws {
    try await switchOn("phone", "mac")
    try await self.do("phone", ["add", "milk"])
    try house.service.carry("phone", "mac")
    _ = try await shown("mac")
    let second = Date(timeIntervalSince1970: 1_795_269_720)
    for (device, hour, fraction) in [("phone", "4", 0.9), ("mac", "5", 0.1), ("phone", "6", 0.5)] {
      try await house.on(device, profile) { store in
        try await App(store: store) { second + fraction }.perform(Words.parse(["reset", hour]))
      }
    }
    try await settle(on: 6)
  }

  @Test func `every device keeps the same of equally new settings`() async throws {
    let kept = try await house.on("phone", profile) { store in
      try await store.database.write { db in
        for id in ["c", "a", "b"] {
          try db.execute("INSERT INTO settings VALUES (?, 1, '2026-01-01T00:00:00Z')", id)
        }
        try Settings.keepNewest(db)
        return try db.rows("SELECT id FROM settings") { try $0.get(0) as String }
      }
    }
    #expect(kept == ["a"])
  }

  @Test func `tidying rows that are already tidy makes no version`() async throws {
    try await switchOn("phone")
    try await self.do("phone", ["add", "milk"])
    func reasons() async throws -> [VersionReason] {
      try await house.on("phone", profile) { try $0.database.history().map(\.version.reason) }
    }
    let before = try await reasons()
    for _ in 1...3 { _ = try await shown("phone") }
    let after = try await reasons()
    #expect(after == before)
  }

  @Test func `two devices that begin before the service brings anything have the to-dos of both`()
    async throws
  {
    try await switchOn("phone", "mac")
    try await self.do("phone", ["add", "milk"], ["add", "bread"])
    try await self.do("mac", ["add", "cheese"])
    for _ in 1...3 {
      try house.service.carry("phone", "mac")
      _ = try await (shown("phone"), shown("mac"))
    }
    for device in ["phone", "mac"] {
      #expect(try await shown(device) == ["bread", "cheese", "milk"])
      try await house.on(device, profile) { store in
        let joined = try store.database.status().joined
        #expect(joined != nil)
        // Nothing but the switch: there is nothing for a person to do.
        let rows = SyncSection(await store.syncState, profile, .en).rows
        #expect(rows.map(\.kind) == [.toggle])
      }
    }
  }

  @Test func `done items are open again when a new day begins at the hour that is set`()
    async throws
  {
    let evening = Date(timeIntervalSince1970: 1_795_294_800)  // 21:00 UTC
    try await house.on("phone", profile) { store in
      func at(_ hours: Double) -> App { App(store: store) { evening + hours * 3600 } }
      for verb in [["reset", "4"], ["add", "milk"], ["add", "bread"], ["done", "milk"]] {
        try await at(0).perform(Words.parse(verb))
      }
      let begin = Day.begin(at: evening, hour: 4)
      #expect(begin <= evening.formatted(.iso8601))
      #expect(Day.begin(at: evening + 86_400, hour: 4) > evening.formatted(.iso8601))
      try await at(24).perform(Words.parse(["list"]))
      #expect(try await at(24).list().map(\.isCompleted) == [false, false])
    }
  }

  @Test(arguments: [
    (0, "2026-11-20T15:00:00Z"), (4, "2026-11-20T19:00:00Z"), (23, "2026-11-21T14:00:00Z"),
  ])
  func `a day begins in the person's time zone`(hour: Int, begin: String) throws {
    // 23:02 in Tokyo.
    let now = Date(timeIntervalSince1970: 1_795_269_720)
    let tokyo = try #require(TimeZone(identifier: "Asia/Tokyo"))
    #expect(Day.begin(at: now, hour: hour, timeZone: tokyo) == begin)
  }

  @Test func `a to-do gets another title, on both devices`() async throws {
    try await switchOn("phone", "mac")
    try await self.do("phone", ["add", "milk"])
    try house.service.carry("phone", "mac")
    try await self.do("mac", ["edit", "milk", "oat milk"])
    try house.service.carry("mac", "phone")
    #expect(try await shown("phone") == ["oat milk"])
    await #expect(throws: Mistake.self) { try await self.do("phone", ["edit", "tea", "coffee"]) }
  }
}
