import Foundation
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// Commits that an app leaves to be captured later are in a version, whatever happens before that.
struct UncapturedTests {
  private let files = FileSystem()

  private func hasVersion(_ rig: Rig, with row: String) throws -> Bool {
    try rig.command("mac") { store in
      let shown = rig.place.root.appending("shown.sqlite")
      return try store.history().contains { entry in
        try store.export(entry.version.id, to: shown)
        return try rig.place.sqlite3("SELECT v FROM t", shown).contains(row)
      }
    }
  }

  private func write(_ rig: Rig, _ refusal: Refusal? = nil) throws -> SyncedDatabase {
    var configuration = rig.configuration("mac")
    configuration.capturing = .whenIdle
    if let refusal { configuration.files = FileSystem(observer: refusal) }
    let store = try SyncedDatabase(
      path: rig.database("mac").string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('waits')") }
    return store
  }

  @Test(arguments: ["status", "publish", "sync"])
  func `waiting commits in a file that lost its name outlive a capture that fails`(call: String)
    throws
  {
    let rig = try Rig(["mac"])
    try rig.start()
    let (path, older) = (rig.database("mac"), rig.folder("mac").appending(".incoming"))
    try rig.copy(path, older)
    let refusal = Refusal(.open, "/pending/", .noSpace)
    let store = try write(rig, refusal)
    try files.rename(older, to: path)
    refusal.set(true)
    switch call {
    case "status": _ = try? store.status()
    case "publish": _ = try? store.publish()
    default: _ = try? store.reconcile()
    }
    // Nor is the store called up to date meanwhile.
    for _ in 0..<2 { #expect(throws: StoreError.self) { try store.reconcile() } }
    refusal.set(false)
    _ = try store.reconcile()
    try store.close()
    #expect(try hasVersion(rig, with: "waits"))
  }

  @Test(arguments: [true, false])
  func `an app that closes its store under a lock has its commits captured`(isReadable: Bool)
    throws
  {
    let rig = try Rig(["mac", "phone"])
    try rig.start()
    let older = rig.folder("mac").appending(".incoming")
    try rig.copy(rig.database("mac"), older)
    let store = try write(rig)
    try rig.on("phone") { _ = try $0.lock(LockRequest(outlivesProcess: true)) }
    try rig.deliver("phone", "mac", live: false)
    if !isReadable {
      let lock = rig.folder("mac").appending("openwo.sqlite.openwo/locks/1f.json")
      try AtomicFile.write(Array("{\"format\":99}".utf8), to: lock, fileSystem: files)
    }
    try? store.close()
    try files.rename(older, to: rig.database("mac"))
    #expect(try hasVersion(rig, with: "waits"))
  }

  @Test func `a database that is mended under waiting commits can be used again`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let store = try write(rig)
    try spoil(rig.database("mac"))
    for _ in 0..<3 {
      _ = try? store.write { try $0.execute("INSERT INTO t(v) VALUES('never')") }
      rig.clock.advance(milliseconds: 60_000)
      _ = try? store.reconcile()
    }
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('after')") }
    rig.clock.advance(milliseconds: 5_000)
    _ = try store.core.with { try $0.housekeeping.tick(folderChanged: false) }
    #expect(try store.core.with { !$0.workingCopy.hasUncaptured })
    try store.close()
    #expect(try rig.rows("mac").contains("after"))
  }

  @Test func `a file that lost its name and can never be read stops no other call`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let (path, older) = (rig.database("mac"), rig.folder("mac").appending(".incoming"))
    let moved = rig.place.root.appending("moved.sqlite")
    try rig.copy(path, older)
    let store = try write(rig)
    try files.link(path, to: moved)
    try files.rename(older, to: path)
    try spoil(moved)
    _ = try? store.reconcile()
    rig.clock.advance(milliseconds: 60_000)
    _ = try store.reconcile()
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('after')") }
    rig.clock.advance(milliseconds: 700_000)
    _ = try store.core.with { try $0.housekeeping.tick(folderChanged: false) }
    #expect(try store.core.with { !$0.workingCopy.isInUse })
    try store.close()
    #expect(try hasVersion(rig, with: "after"))
  }

  private func spoil(_ path: FilePath) throws {
    let file = try FileHandle(forWritingTo: URL(filePath: path.string))
    try file.write(contentsOf: Data(repeating: 7, count: 4_000))
    try file.close()
  }

  /// Otherwise whoever wants the database for itself waits for a process that only looked.
  @Test func `a look of the background thread ends its session`() throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let store = try rig.open("mac")
    for folderChanged in [true, false] {
      rig.clock.advance(milliseconds: 5_000)
      _ = try store.core.with { try $0.housekeeping.tick(folderChanged: folderChanged) }
    }
    #expect(
      try store.core.with { $0.workingCopy.file == nil && $0.coordinator.session.isEmpty })
    try store.close()
  }
}
