import OpenWO
import OpenWOFiles
import OpenWOShell
import SystemPackage
import Testing

/// A folder of the companion is a link to a folder outside: nothing is written, removed or read there.
struct LinkedFolderTests {
  private static let parts = ["", "devices", "locks", "versions"]
  private let files = FileSystem()

  /// A store, and a folder outside with files whose names are those of this device's own and of an old staging file.
  private func rig() throws -> (Rig, outside: FilePath) {
    let rig = try Rig(["mac"])
    try rig.start()
    let outside = rig.place.root.appending("outside")
    try files.makeDirectories(outside)
    let ours = try files.list(rig.companion("mac").appending("devices"))
    for name in ours + [".~openwo-0123456789abcdef.tmp"] {
      let path = outside.appending(name)
      try AtomicFile.write(Array("precious".utf8), to: path, fileSystem: files)
      try files.setTimes(path, modified: 1_000_000_000)
    }
    return (rig, outside)
  }

  private func link(_ part: String, _ rig: Rig, _ outside: FilePath) throws {
    let folder = part.isEmpty ? rig.companion("mac") : rig.companion("mac").appending(part)
    if part.isEmpty {
      // All that makes it a store is there too.
      try files.unlink(outside.appending(".~openwo-0123456789abcdef.tmp"))
      for name in try files.list(outside) { try files.unlink(outside.appending(name)) }
      try files.removeDirectory(outside)
      try files.rename(folder, to: outside)
    } else if try files.statusIfPresent(folder) != nil {
      try files.rename(folder, to: rig.place.root.appending("away"))
    }
    #expect(rig.place.run(["ln", "-s", outside.string, folder.string]) == 0)
  }

  private func state(_ folder: FilePath) throws -> [FilePath: FileSignature] {
    var found: [FilePath: FileSignature] = [:]
    for name in try files.list(folder) {
      let path = folder.appending(name)
      let status = try files.lstat(path)
      found[path] = status.signature
      if status.kind == .directory { try found.merge(state(path)) { first, _ in first } }
    }
    return found
  }

  @Test(arguments: parts)
  func `the store is refused and the link named`(part: String) throws {
    let (rig, outside) = try rig()
    try link(part, rig, outside)
    let before = try state(outside)
    let link = part.isEmpty ? rig.companion("mac") : rig.companion("mac").appending(part)
    let error = #expect(throws: StoreError.self) { try rig.open("mac") }
    #expect(error?.code == .unavailable)
    #expect(error?.message == "cannot use \(link.printable): it is a link; nothing was changed")
    let way =
      part.isEmpty
      ? "put the folder itself in its place: rm "
      : "put the link away, then make the folder again: mv "
    #expect(error?.hint.hasPrefix(way + link.shellName) == true)
    let findings = try SyncedDatabase.examine(
      path: rig.database("mac").string, configuration: rig.configuration("mac"))
    #expect(findings.contains { $0.severity == .error && $0.message == error?.message })
    #expect(try state(outside) == before)
  }

  @Test(arguments: parts)
  func `a link that appears while the store is open is not followed`(part: String) throws {
    let (rig, outside) = try rig()
    let store = try rig.open("mac")
    try link(part, rig, outside)
    let before = try state(outside)
    rig.clock.advance(milliseconds: 10_000)
    _ = try? store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    _ = try? store.reconcile()
    #expect { try store.lock(LockRequest(outlivesProcess: true)) } throws: {
      ($0 as? StoreError)?.code == .unavailable
    }
    _ = try? store.unlock()
    try? store.close()
    #expect(try state(outside) == before)
  }

  @Test func `no store is made if the companion is a link`() throws {
    let rig = try Rig(["mac"])
    try rig.place.sqlite3("CREATE TABLE t(v)", rig.database("mac"))
    let outside = rig.place.root.appending("outside")
    try files.makeDirectories(outside)
    let ln = ["ln", "-s", outside.string, rig.companion("mac").string]
    #expect(rig.place.run(ln) == 0)
    #expect {
      try SyncedDatabase.initialize(
        path: rig.database("mac").string, configuration: rig.configuration("mac"))
    } throws: {
      ($0 as? StoreError)?.code == .unavailable
    }
    #expect(try files.list(outside).isEmpty)
  }
}
