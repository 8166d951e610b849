import OpenWOFiles
import SystemPackage
import Testing

@testable import OpenWO

/// A version file whose header is right and whose payload is not, as while a service still writes it, or has changed it.
struct DamagedVersionTests {
  private let files = FileSystem()
  private let rig: Rig
  private let file: FilePath
  private let right: [UInt8]

  /// Two devices; the phone's version has come to the mac with a wrong byte, and its live file has not.
  init() throws {
    rig = try Rig()
    try rig.start()
    let before = try Set(files.list(rig.companion("mac").appending("versions")))
    try rig.write("phone", "two")
    try rig.deliver("phone", "mac", live: false)
    let folder = rig.companion("mac").appending("versions")
    let name = try #require(files.list(folder).first { !before.contains($0) })
    file = folder.appending(name)
    right = try rig.place.bytes(file)
    var wrong = right
    wrong[wrong.count - 3] ^= 0x10
    try AtomicFile.write(wrong, to: file, fileSystem: files)
    rig.clock.advance(milliseconds: 120_000)
  }

  @Test func `a damaged version counts as not arrived, and everything else works`() throws {
    #expect(try rig.rows("mac") == ["one"])
    try rig.write("mac", "mine")
    #expect(try rig.rows("mac") == ["one", "mine"])
    try rig.on("mac") { store in
      let findings = try Doctor.examine(store.core.paths.database, rig.configuration("mac"))
      #expect(findings.contains { $0.code == "notRestorable" })
      #expect(try store.status().state == .synced)
      let lock = try store.lock(LockRequest(note: "edit"))
      #expect(lock.lock.device == (try store.status().device.id))
      _ = try store.unlock()
    }
  }

  @Test func `a version on a bad sector prevents neither opening nor reading, and nothing is lost`()
    throws
  {
    try AtomicFile.write(right, to: file, fileSystem: files)
    // Its header is read, and what it holds cannot be.
    let name = try #require(file.lastComponent).string
    let refusal = Refusal(.open, name, .ioError, sparing: 1, isOn: true)
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: refusal)
    let store = try SyncedDatabase(path: rig.database("mac").string, configuration: configuration)
    #expect(try store.read { try $0.value("SELECT group_concat(v) FROM t") } == "one")
    let error = #expect(throws: StoreError.self) {
      try store.write { try $0.execute("INSERT INTO t(v) VALUES('mine')") }
    }
    #expect(error?.code == .io)
    refusal.set(false)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('mine')") }
    try store.close()
    #expect(try rig.rows("mac") == ["one", "two", "mine"])
  }

  /// A failed summary of an edit must not keep a lock.
  @Test(arguments: [false, true])
  func `a lock that began with it ends`(discard: Bool) throws {
    try rig.copy(rig.database("phone"), rig.database("mac"))
    // Noted as its copy before anybody has read the file.
    let store = try rig.open("mac")
    _ = try store.lock(LockRequest(outlivesProcess: true))
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('edit')", rig.database("mac"))
    if !discard { #expect(try store.unlock().version != nil) }
    try store.close()
    if discard {
      #expect(throws: StoreError.self) {
        try rig.command("mac") { _ = try $0.unlock(UnlockRequest(discard: true)) }
      }
      #expect(try rig.command("mac") { try $0.unlock() }.version != nil)
    }
    #expect(try rig.rows("mac") == ["one", "two", "edit"])
  }

  @Test(arguments: [false, true])
  func `once the right bytes are there, the version becomes live`(inPlace: Bool) throws {
    let store = try rig.open("mac")
    _ = try store.reconcile()
    #expect(try rig.place.sqlite3("SELECT v FROM t", rig.database("mac")) == "one\n")
    let whole = inPlace ? rig.place.root.appending("whole") : file
    try AtomicFile.write(right, to: whole, fileSystem: files)
    if inPlace { #expect(rig.place.run(["cp", whole.string, file.string]) == 0) }
    rig.clock.advance(milliseconds: 1_000)
    _ = try store.reconcile()
    #expect(try rig.place.sqlite3("SELECT v FROM t", rig.database("mac")) == "one\ntwo\n")
    try store.close()
  }

  @Test func `a copy stays whose only version cannot be read`() throws {
    let copy = rig.folder("mac").appending("openwo (conflicted copy 2026-11-21 101112).sqlite")
    try rig.copy(rig.database("phone"), copy)
    try rig.on("mac") { _ = try $0.reconcile() }
    let rows = try rig.rows("mac")
    #expect(try files.statusIfPresent(copy) != nil || rows.contains("two"))
  }

  /// Its only other place is its own file, whose header is right.
  @Test(arguments: [false, true])
  func `a damaged full version is rewritten from a copy or the live file`(fromCopy: Bool) throws {
    let rig = try Rig(["mac"])
    try rig.start()
    let first = try rig.on("mac") { try #require(try $0.history().first).version.id }
    try rig.place.sqlite3(
      "PRAGMA page_size=8192; VACUUM; INSERT INTO t(v) VALUES('two')", rig.database("mac"))
    try rig.on("mac") { _ = try $0.reconcile() }
    let two = try rig.on("mac") { try #require(try $0.history().first).version.id }
    let folder = rig.companion("mac").appending("versions")
    let name = try #require(
      files.list(folder).first { $0.string.contains("\(two)") && $0.string.hasSuffix(".full") })
    var wrong = try rig.place.bytes(folder.appending(name))
    wrong[wrong.count - 3] ^= 0x10
    try AtomicFile.write(wrong, to: folder.appending(name), fileSystem: files)
    rig.clock.advance(milliseconds: 120_000)
    if fromCopy {
      let copy = rig.folder("mac").appending("openwo (conflicted copy 2026-11-21 101112).sqlite")
      try rig.copy(rig.database("mac"), copy)
      try rig.on("mac") { _ = try $0.reconcile() }
      #expect(try files.statusIfPresent(copy) == nil)
    }
    try rig.on("mac") { _ = try $0.restore(first) }
    #expect(try rig.rows("mac") == ["one"])
    try rig.on("mac") { _ = try $0.restore(two) }
    #expect(try rig.rows("mac") == ["one", "two"])
  }

  @Test func `the outgoing content is stored in full before its last good copy is replaced`() throws
  {
    // The service brings the live file after all: now that is its only place.
    try rig.copy(rig.database("phone"), rig.database("mac"))
    try rig.on("mac") { _ = try $0.reconcile() }
    let first = try rig.on("mac") { try #require(try $0.history().last).version.id }
    try rig.on("mac") { store in
      let two = try #require(try store.history().first).version.id
      _ = try store.restore(first)
      _ = try store.restore(two)
    }
    #expect(try rig.rows("mac") == ["one", "two"])
  }
}
