import Foundation
import Household
import OpenWOApp
import OpenWOFiles
import Testing

/// How the data of one device comes into the folder, and never into another account's.
struct AttachTests {
  private let house: Household
  private let profile = Notes.profile()

  init() throws { house = try Household() }

  /// Starts a device without its folder and writes.
  private func startLocal(_ device: String, _ notes: [(String, String)]) async throws {
    try? FileManager.default.removeItem(at: house.folder(device))
    try await house.on(device, profile) { app in
      #expect(app.activeStore == .local)
      for (id, text) in notes { try app.add(id, text) }
    }
    _ = try house.places(device)
  }

  @Test func `into an empty folder the file is copied once, and kept under another name`()
    async throws
  {
    try await startLocal("phone", [("a", "milk")])
    let report = try await house.on("phone", profile) { app in
      #expect(app.activeStore == .synced)
      try app.shows(["a=milk", "seed=welcome"])
      return await app.attachment()
    }
    #expect(report?.kind == .copied)
    let log = try house.names(
      in: house.state("phone").appending(path: "apps/org.example.notes/log"))
    #expect(log.count == 1)
    // The counts and the place are in it for later.
    let logged = try logged("phone")
    #expect(logged == [report])
    #expect(logged[0].tables.map { "\($0.table) \($0.copied)" } == ["note 2"])
    #expect(logged[0].keptAt?.contains("migrated-") == true && logged[0].failure == nil)
    let data = try house.names(in: house.data("phone"))
    #expect(data.count { $0.hasPrefix("Notes.sqlite.migrated-") } == 2, "\(data)")
    #expect(!data.contains("Notes.sqlite"))
    try await house.expect("phone", profile, ["a=milk", "seed=welcome"])
    #expect(
      try house.names(in: house.state("phone").appending(path: "apps/org.example.notes/log")) == log
    )
  }

  /// The kept reports about how the data moved into the folder, oldest first.
  private func logged(_ device: String) throws -> [AttachReport] {
    let folder = house.state(device).appending(path: "apps/org.example.notes/log")
    return try house.names(in: folder).map {
      try JSONDecoder().decode(
        AttachReport.self, from: Data(contentsOf: folder.appending(path: $0)))
    }
  }

  @Test func `data that cannot move into the folder now is logged and reported, and moves later`()
    async throws
  {
    for device in ["phone", "mac"] { _ = try house.places(device) }
    try await house.on("mac", profile) { try $0.add("m", "mac") }
    try house.carry("mac", "phone")
    try await house.on("phone", profile) { _ in }
    try house.carry("mac", "phone")
    let away = house.root.appending(path: "away")
    try FileManager.default.moveItem(at: house.folder("phone"), to: away)
    try await house.on("phone", profile) { try $0.add("p", "phone") }
    try FileManager.default.moveItem(at: away, to: house.folder("phone"))
    let mac = try await AppStore.open(profile, house.places("mac"))
    _ = try mac.database.lock(LockRequest(note: "by hand", outlivesProcess: true))
    try house.carry("mac", "phone")
    house.clock.advance(milliseconds: 5_000)
    let phone = try await AppStore.open(profile, house.places("phone"))
    let report = await phone.attachment()
    #expect(report?.kind == .failed)
    #expect(try logged("phone").last?.failure?.contains("is locked for editing") == true)
    // It is not in what is shown, so nobody says that all is synced.
    try phone.shows(["m=mac", "seed=welcome"])
    let state = await phone.syncState
    #expect(state.hasChangesToAdd && state.status == .syncing && state.lastError == nil)
    let words = SyncSection(state, profile, .ja).rows.map(\.title)
    #expect(words.contains("同期フォルダを使えない間の変更は、この端末に残っています。あとで自動的に取り込まれます。"))
    _ = try mac.database.unlock()
    try await mac.close()
    try house.carry("mac", "phone")
    await phone.didBecomeActive()
    try phone.shows(["m=mac", "p=phone", "seed=welcome"])
    let after = await phone.syncState
    #expect(!after.hasChangesToAdd)
    #expect(try logged("phone").last?.tables.map(\.copied) == [1])
    try await phone.close()
  }

  /// The service brings the files of another device's store in no order.
  @Test func `into a folder with parts of a store nothing is put`() async throws {
    try await startLocal("phone", [("a", "milk")])
    _ = try house.places("mac")
    try await house.on("mac", profile) { app in try app.add("m", "mac") }
    let versions = "NotesCloud.sqlite.openwo/versions"
    try FileManager.default.createDirectory(
      at: house.folder("phone").appending(path: versions), withIntermediateDirectories: true)
    for name in try house.names(in: house.folder("mac").appending(path: versions)) {
      try FileManager.default.copyItem(
        at: house.folder("mac").appending(path: versions).appending(path: name),
        to: house.folder("phone").appending(path: versions).appending(path: name))
    }
    try await house.on("phone", profile) { app in
      #expect(app.activeStore == .local)
      try app.shows(["a=milk", "seed=welcome"])
    }
    #expect(try house.names(in: house.folder("phone")) == ["NotesCloud.sqlite.openwo"])
  }

  @Test func `into a folder with data rows are merged by key and counted`() async throws {
    _ = try house.places("mac")
    try await house.on("mac", profile) { app in
      try app.add("a", "milk")
      try app.add("m", "mac")
    }
    try await startLocal("phone", [("a", "bread"), ("p", "phone")])
    try house.carry("mac", "phone")
    let report = try await house.on("phone", profile) { app in
      #expect(app.activeStore == .synced)
      try app.shows(["a=bread", "m=mac", "p=phone", "seed=welcome"])
      return await app.attachment()
    }
    #expect(report?.kind == .merged && report?.failure == nil)
    #expect(report?.tables.first?.copied == 1 && report?.tables.first?.decided == 1)
    #expect(report?.keptAt?.contains("migrated-") == true)
    try house.carry("phone", "mac")
    try await house.expect("mac", profile, ["a=bread", "m=mac", "p=phone", "seed=welcome"])
  }

  @Test func `the seeds of a new device do not beat what the folder has`() async throws {
    _ = try house.places("mac")
    try await house.on("mac", profile) { try $0.change("seed", "mine") }
    house.clock.advance(milliseconds: 100_000)
    try await startLocal("phone", [])
    try house.carry("mac", "phone")
    let report = try await house.on("phone", profile) { app in
      try app.shows(["seed=mine"])
      return await app.attachment()
    }
    #expect(report?.kind == .nothingNew)
    try await startLocal("tablet", [("t", "tablet")])
    try house.carry("phone", "tablet")
    try await house.expect("tablet", profile, ["seed=mine", "t=tablet"])
  }

  @Test func `a folder that goes away and comes back loses nothing that was written meanwhile`()
    async throws
  {
    _ = try house.places("phone")
    try await house.on("phone", profile) { app in
      try app.add("a", "milk")
      try app.add("b", "bread")
    }
    try house.carry("phone")
    let folder = house.folder("phone")
    let away = house.root.appending(path: "away")
    try FileManager.default.moveItem(at: folder, to: away)
    try await house.on("phone", profile) { app in
      #expect(app.localReason == .noAccount)
      try app.shows(["a=milk", "b=bread", "seed=welcome"])
      try app.remove("a")
      try app.add("c", "cheese")
    }
    _ = try house.places("mac")
    try house.carry("mac")
    try await house.on("mac", profile) { try $0.change("b", "brown bread") }
    try FileManager.default.moveItem(at: away, to: folder)
    try house.carry("mac", "phone")
    try await house.expect("phone", profile, ["b=brown bread", "c=cheese", "seed=welcome"])
    // The next time without the folder continues from there.
    try FileManager.default.moveItem(at: folder, to: away)
    try await house.expect("phone", profile, ["b=brown bread", "c=cheese", "seed=welcome"])
    try FileManager.default.moveItem(at: away, to: folder)
    try house.carry("phone", "mac")
    for device in ["phone", "mac"] {
      try await house.expect(device, profile, ["b=brown bread", "c=cheese", "seed=welcome"])
    }
  }

  @Test func `an empty folder in the place of a store does not become a new store`() async throws {
    _ = try house.places("phone")
    try await house.on("phone", profile) { try $0.add("a", "milk") }
    try FileManager.default.removeItem(at: house.folder("phone"))
    _ = try house.places("phone")
    try await house.on("phone", profile) { app in
      #expect(await app.syncState.lastError == .notAuthenticated)
      #expect(await app.syncState.status == .localOnly)
      try app.shows(["a=milk", "seed=welcome"])
    }
    #expect(try house.names(in: house.folder("phone")) == [])
  }

  @Test func `another account's folder never gets what belongs to the one before`() async throws {
    _ = try house.places("phone")
    try await house.on("phone", profile) { try $0.add("a", "mine") }
    let mine = house.root.appending(path: "mine")
    try FileManager.default.moveItem(at: house.folder("phone"), to: mine)
    try await house.on("phone", profile) { try $0.add("b", "mine, offline") }
    _ = try house.places("guest")
    try await house.on("guest", profile) { try $0.add("g", "theirs") }
    try FileManager.default.moveItem(at: house.folder("guest"), to: house.folder("phone"))
    try await house.on("phone", profile) { app in
      try app.shows(["g=theirs", "seed=welcome"])
      let report = await app.attachment()
      #expect(report?.kind == .setAside && report?.keptAt?.contains(".of-") == true)
      let told = try #require(report.flatMap(Catalogue(.ja).attached))
      #expect(told == "このフォルダのデータを表示しています。以前のデータはこの端末に別に保管されています。")
    }
    #expect(try !house.contains("mine", below: house.folder("phone")))
    try FileManager.default.moveItem(
      at: house.folder("phone"), to: house.root.appending(path: "theirs"))
    try FileManager.default.moveItem(at: mine, to: house.folder("phone"))
    try await house.expect("phone", profile, ["a=mine", "b=mine, offline", "seed=welcome"])
    #expect(try !house.contains("theirs", below: house.folder("phone")))
  }

  @Test func `an older app's plain file becomes the store's first version`() async throws {
    let files = FileManager.default
    try files.createDirectory(at: house.data("phone"), withIntermediateDirectories: true)
    let old = house.data("phone").appending(path: "Notes.sqlite").path
    _ = try await Shell.run(
      "sqlite3", old,
      """
      PRAGMA journal_mode=WAL; CREATE TABLE note (id TEXT PRIMARY KEY, text TEXT NOT NULL,
        isDone INTEGER NOT NULL DEFAULT 0); INSERT INTO note VALUES ('old', 'from before', 0);
      PRAGMA user_version = 1
      """)
    _ = try house.places("phone")
    try await house.on("phone", profile) { app in
      #expect(app.activeStore == .synced)
      try app.shows(["old=from before"])
    }
  }

  @Test func `writes of a joined device without the folder go into the store that stayed`()
    async throws
  {
    for device in ["phone", "mac"] {
      _ = try house.places(device)
      try await house.on(device, profile) { try $0.add(device, "first") }
    }
    for _ in 1...3 {
      try house.carry("phone", "mac")
      for device in ["phone", "mac"] { _ = try await house.on(device, profile) { try $0.notes } }
    }
    let away = house.root.appending(path: "folder-away")
    for device in ["phone", "mac"] {
      try FileManager.default.moveItem(at: house.folder(device), to: away)
      try await house.on(device, profile) { app in
        let others = device == "mac" ? "offline" : "first"
        try app.shows(["mac=first", "phone=\(others)", "seed=welcome"])
        try app.add("\(device)2", "offline")
        try app.remove("\(device)2")
        try app.change(device, "offline")
      }
      try FileManager.default.moveItem(at: away, to: house.folder(device))
      for other in [device, "phone", "mac"] {
        _ = try await house.on(other, profile) { try $0.notes }
        try house.carry("phone", "mac")
      }
    }
    for device in ["phone", "mac"] {
      try await house.expect(device, profile, ["mac=offline", "phone=offline", "seed=welcome"])
    }
  }
}
