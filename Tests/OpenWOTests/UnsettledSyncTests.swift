import Foundation
import OpenWOFiles
import OpenWOSQLite
import SystemPackage
import Testing

@testable import OpenWO

/// A sync ends with 0 only if it looked, understood, and nothing waits.
struct UnsettledSyncTests {
  private func sync(_ place: Place) throws -> SyncOutcome {
    var configuration = place.configuration()
    configuration.opensAsFound = true
    configuration.busyTimeout = .milliseconds(10)
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    let outcome = try store.reconcile().outcome
    let status = try store.status()
    if case .unsettled(let error) = outcome {
      #expect(status.obstacle?.error == error.code.description)
      #expect(status.state != .synced)
    } else {
      #expect(status.obstacle == nil)
    }
    return outcome
  }

  private func code(_ outcome: SyncOutcome) -> StoreError.Code? {
    if case .unsettled(let error) = outcome { error.code } else { nil }
  }

  @Test func `a program that locks the database makes it busy`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let program = try Connection(path: place.database, .init(guardPolicy: .privateCopy))
    try program.execute("PRAGMA locking_mode = EXCLUSIVE")
    try program.execute("INSERT INTO t(v) VALUES('two')")
    #expect(code(try sync(place)) == .busy)
    program.close()
    guard case .upToDate(let proof) = try sync(place) else { Issue.record("not settled"); return }
    #expect(proof.head != nil && proof.lock == nil)
  }

  @Test(arguments: ["mkdir \"$1\"", "mkfifo \"$1\""])
  func `another kind of file with the database's name is not a database`(make: String) throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let elsewhere = place.root.appending("elsewhere")
    try FileSystem().rename(place.database, to: elsewhere)
    _ = place.run(["sh", "-c", make, "sh", place.database.string])
    #expect(code(try sync(place)) == .unavailable)
    _ = place.run(["rm", "-r", place.database.string])
    try FileSystem().rename(elsewhere, to: place.database)
    #expect(code(try sync(place)) == nil)
  }

  @Test func `an edit under this device's own lock waits for its end`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    _ = try rig.on("mac") { try $0.lock(LockRequest(outlivesProcess: true)) }
    guard case .upToDate(let proof) = try rig.command("mac", { try $0.reconcile().outcome }) else {
      Issue.record("nothing waits yet")
      return
    }
    #expect(proof.isOwnLock)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('two')", rig.database("mac"))
    #expect(code(try rig.command("mac") { try $0.reconcile().outcome }) == .locked)
  }

  @Test(arguments: [0, 100, 6000])
  func `a conflict copy that is not whole keeps the database from being up to date`(
    size: Int
  ) throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let copy = place.database.removingLastComponent().appending(
      "\(place.database.stem ?? "") (conflicted copy 2026-11-20 101112).\(place.database.extension ?? "")"
    )
    let bytes = try place.bytes(place.database).prefix(size)
    try AtomicFile.write(Array(bytes), to: copy, fileSystem: FileSystem())
    #expect(code(try sync(place)) == .copyNotWhole)
    #expect(try place.bytes(copy).count == size)
    try FileSystem().unlink(copy)
    #expect(code(try sync(place)) == nil)
  }

  @Test(arguments: [Int64.max, Int64.max / 1_000_000 + 1, -(1 << 62), Int64.min])
  func `a clock that shows any time stops nothing`(milliseconds: Int64) throws {
    let rig = try Rig()
    try rig.start()
    rig.clock.setWall(milliseconds)
    for device in rig.devices {
      _ = try rig.command(device) { try $0.reconcile() }
      try rig.on(device) { try $0.write { try $0.execute("INSERT INTO t(v) VALUES('two')") } }
      _ = try rig.command(device) { try $0.history() }
    }
  }

  @Test func `looking writes nothing in the folder`() throws {
    let rig = try Rig()
    try rig.start()
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('two')", rig.database("mac"))
    let log = CallLog()
    var configuration = rig.configuration("mac")
    configuration.opensAsFound = true
    configuration.files = FileSystem(observer: log)
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    // A version waits in the state folder, as after a sync that could not publish.
    try store.core.with { store in
      _ = try store.versions.listed()
      _ = try store.workingCopy.open()
      try store.asWriter { _ = try LiveCapture(store: store).capture(reason: .external) }
      store.session.letGo()
    }
    let before = log.calls.count
    let live = try store.version(toLookAt: "@")
    _ = try store.history()
    _ = try store.status()
    _ = try store.diff(from: .version(live.id), to: .live)
    try store.export(live.id, to: rig.place.root.appending("shown").string)
    _ = try SyncedDatabase.examine(
      path: rig.database("mac").string, configuration: configuration)
    let folder = rig.folder("mac").string
    let changing = log.calls.dropFirst(before).filter { call in
      [.rename, .renameNew, .unlink, .write, .mkdir, .setTimes, .truncate].contains(call.kind)
        && (call.path?.string.hasPrefix(folder) ?? false)
    }
    #expect(changing.isEmpty, "\(changing)")
    #expect(try store.history().contains { !$0.isPublished })
    try store.close()
  }
}
