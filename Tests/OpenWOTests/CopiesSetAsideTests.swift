import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

/// Copies with names that people choose, too, where another device is known.
struct CopiesSetAsideTests {
  /// Two devices; on the mac lies a copy that is younger than the database and has a row of its own.
  private func stage(_ name: String = "openwo 2.sqlite") throws -> Rig {
    let rig = try Rig()
    try rig.start()
    try rig.write("mac", "mac's")
    try rig.deliver("mac", "phone")
    rig.clock.advance(milliseconds: 60_000)
    _ = try rig.rows("phone")
    try rig.deliver("phone", "mac", live: false)
    try rig.copy(rig.database("mac"), copy(rig, name))
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('copy')", copy(rig, name))
    rig.clock.advance(milliseconds: 60_000)
    return rig
  }

  private func copy(_ rig: Rig, _ name: String = "openwo 2.sqlite", on device: String = "mac")
    -> FilePath
  {
    rig.folder(device).appending(name)
  }

  private func isThere(_ path: FilePath) throws -> Bool {
    try FileSystem().statusIfPresent(path) != nil
  }

  @Test(arguments: [
    "openwo 2.sqlite", "openwo (1).sqlite", "openwo copy.sqlite", "openwo-DESKTOP-4F2.sqlite",
  ])
  func `such a copy is a version that waits on all devices, and the file stays`(name: String) throws
  {
    let rig = try stage(name)
    try rig.settle()
    for device in ["mac", "phone"] {
      #expect(try rig.rows(device) == ["one", "mac's"])
      let told = try rig.command(device) { try $0.status().setAside }
      #expect(told.map(\.path) == [name])
      #expect(told.first?.changes.map { $0.inserted } == [1])
    }
    #expect(try isThere(copy(rig, name)))
    // Later writes do not decide about it either.
    try rig.write("phone", "phone's")
    try rig.settle()
    #expect(try rig.rows("mac") == ["one", "mac's", "phone's"])
    #expect(try rig.command("mac") { try $0.setAside() }.count == 1)
  }

  @Test func `with the policy merge it waits as well`() throws {
    let rig = try stage()
    rig.settling = .merge
    try rig.settle()
    #expect(try rig.rows("mac") == ["one", "mac's"])
    #expect(try rig.command("phone") { try $0.setAside() }.count == 1)
  }

  @Test(arguments: [true, false])
  func `merge brings its rows in, and nothing waits any more`(byName: Bool) throws {
    let rig = try stage()
    try rig.settle()
    let side = try #require(try rig.command("mac") { try $0.setAside() }.first)
    try rig.command("mac") { store in
      _ = try store.merge(byName ? .file(copy(rig)) : .version(side.version), MergeRequest())
    }
    try rig.settle()
    for device in ["mac", "phone"] {
      #expect(try rig.rows(device) == ["one", "mac's", "copy"])
      #expect(try rig.command(device) { try $0.setAside() }.isEmpty)
    }
    #expect(try isThere(copy(rig)))
  }

  @Test func `restore brings the whole copy back`() throws {
    let rig = try stage()
    try rig.settle()
    let side = try #require(try rig.command("mac") { try $0.setAside() }.first)
    try rig.write("mac", "later")
    try rig.command("mac") { _ = try $0.restore(side.version) }
    try rig.settle()
    #expect(try rig.rows("phone") == ["one", "mac's", "copy"])
    #expect(try rig.command("phone") { try $0.setAside() }.isEmpty)
  }

  @Test func `a person who puts the copy in the database's place makes it a state`() throws {
    let rig = try stage()
    try rig.settle()
    try rig.copy(copy(rig), rig.database("mac"))
    rig.clock.advance(milliseconds: 60_000)
    try rig.settle()
    for device in ["mac", "phone"] { #expect(try rig.rows(device) == ["one", "mac's", "copy"]) }
  }

  /// The content of the copy was written by another device, whose version comes later.
  @Test func `once the writer's version comes it is a side like any other, and the file goes`()
    throws
  {
    let rig = try Rig()
    try rig.start()
    try rig.write("phone", "phone's")
    try rig.copy(rig.database("phone"), copy(rig))
    rig.clock.advance(milliseconds: 60_000)
    try rig.write("mac", "mac's")
    _ = try rig.rows("mac")
    #expect(try rig.command("mac") { try $0.status().setAside }.count == 1)
    #expect(try isThere(copy(rig)))
    try rig.settle()
    for device in ["mac", "phone"] {
      #expect(try rig.rows(device) == ["one", "mac's"])
      #expect(try rig.command(device) { try $0.setAside() }.map(\.deviceName) == ["phone"])
    }
    #expect(try !isThere(copy(rig)))
  }

  @Test func `pruning keeps what is live, although only the copy was made from it`() throws {
    let rig = try stage()
    try rig.settle()
    let live = try #require(try rig.command("mac") { try $0.status() }.head)
    rig.clock.advance(milliseconds: 400 * 86_400_000)
    _ = try rig.command("mac") { try $0.prune() }
    let kept = try rig.command("mac") { try $0.history() }.map(\.version)
    #expect(kept.contains { $0.id == live })
    #expect(kept.contains { $0.isAside })
    #expect(try rig.rows("mac") == ["one", "mac's"])
  }
}
