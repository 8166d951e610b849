import Foundation
import OpenWOApp
import OpenWOTesting
import Testing

/// The fixture that apps test with: two devices and a fake service.
struct TestDevicesTests {
  private let devices: TestDevices

  init() throws { devices = try TestDevices() }

  private func file(_ device: String, _ name: String) -> URL {
    devices.folder(device).appending(path: name)
  }

  private func write(_ device: String, _ name: String, _ text: String, second: Int = 0) throws {
    let url = file(device, name)
    try FileManager.default.createDirectory(
      at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSince1970: 1_795_000_000 + Double(second))],
      ofItemAtPath: url.path)
  }

  private func text(_ device: String, _ name: String) -> String? {
    (try? Data(contentsOf: file(device, name))).map { String(decoding: $0, as: UTF8.self) }
  }

  @Test func `files that are new, changed or removed are so on the other device, with their times`()
    throws
  {
    try write("phone", "a/b.txt", "one", second: 7)
    try write("mac", "c.txt", "two")
    try devices.service.carry()
    #expect(text("mac", "a/b.txt") == "one" && text("phone", "c.txt") == "two")
    let times = try ["phone", "mac"].map {
      try file($0, "a/b.txt").resourceValues(forKeys: [.contentModificationDateKey])
        .contentModificationDate
    }
    #expect(times[0] == times[1] && times[0] != nil)
    try write("mac", "a/b.txt", "three", second: 8)
    try FileManager.default.removeItem(at: file("phone", "c.txt"))
    try devices.service.carry()
    #expect(text("phone", "a/b.txt") == "three" && text("mac", "c.txt") == nil)
  }

  @Test func `a device that is not named is off`() throws {
    try write("phone", "a", "one")
    try devices.service.carry("phone")
    #expect(text("mac", "a") == nil)
    try devices.service.carry("mac")
    #expect(text("mac", "a") == "one")
  }

  @Test(arguments: [FakeService.ConflictNames.syncthing, .dropbox])
  func `of two changes the newer keeps the name, and the older stays beside it on both devices`(
    names: FakeService.ConflictNames
  ) throws {
    let devices = try TestDevices(conflictNames: names)
    for (device, second) in [("phone", 2), ("mac", 1)] {
      let url = devices.folder(device).appending(path: "a.db")
      try Data(device.utf8).write(to: url)
      try FileManager.default.setAttributes(
        [.modificationDate: Date(timeIntervalSince1970: 1_795_000_000 + Double(second))],
        ofItemAtPath: url.path)
    }
    try devices.service.carry()
    for device in ["phone", "mac"] {
      let found = try devices.names(in: devices.folder(device))
      #expect(found.count == 2, "\(found)")
      let texts = try found.map {
        String(
          decoding: try Data(contentsOf: devices.folder(device).appending(path: $0)), as: UTF8.self)
      }
      #expect(Set(texts) == ["phone", "mac"])
      #expect(texts[found.firstIndex(of: "a.db") ?? 0] == "phone")
      let copy = found.first { $0 != "a.db" } ?? ""
      #expect(copy.contains(names == .syncthing ? ".sync-conflict-20" : "'s conflicted copy 20"))
    }
  }

  @Test func `a second conflict copy of a day has a name of its own`() throws {
    let devices = try TestDevices(conflictNames: .dropbox)
    for round in 1...2 {
      for device in ["phone", "mac"] {
        let url = devices.folder(device).appending(path: "a.db")
        try Data("\(device) \(round)".utf8).write(to: url)
      }
      try devices.service.carry()
    }
    #expect(try devices.names(in: devices.folder("phone")).count == 3)
    #expect(
      try devices.names(in: devices.folder("phone")) == devices.names(in: devices.folder("mac")))
  }

  @Test func `files that are held back come when they are released`() throws {
    devices.service.hold { $0.hasSuffix(".db") }
    try write("phone", "a.db", "one")
    try write("phone", "a.txt", "one")
    try devices.service.carry()
    #expect(text("mac", "a.db") == nil && text("mac", "a.txt") == "one")
    devices.service.release()
    try devices.service.carry()
    #expect(text("mac", "a.db") == "one")
  }

  @Test func `a torn file is half old and half new, and whole after the next time`() throws {
    try write("phone", "a.db", "oldold")
    try devices.service.carry()
    try write("phone", "a.db", "NEWNEW", second: 1)
    devices.service.tear("a.db")
    try devices.service.carry()
    #expect(text("mac", "a.db") == "NEWold" && text("phone", "a.db") == "NEWNEW")
    try devices.service.carry()
    #expect(text("mac", "a.db") == "NEWNEW" && text("phone", "a.db") == "NEWNEW")
    #expect(try devices.names(in: devices.folder("mac")) == ["a.db"])
  }

  private func open(_ device: String) throws -> SyncedDatabase {
    var configuration = Configuration()
    configuration.migrations = Notes.profile().migrations
    return try devices.open(device, "Notes.sqlite", configuration)
  }

  private func notes(_ device: String) throws -> [String] {
    let store = try open(device)
    defer { try? store.close() }
    _ = try store.reconcile()
    return try store.read { try $0.rows("SELECT id FROM note ORDER BY id") { try $0.get(0) } }
  }

  private func add(_ device: String, _ id: String) throws {
    let store = try open(device)
    try store.write { try $0.execute("INSERT INTO note (id, text) VALUES (?, '')", id) }
    try store.close()
  }

  @Test func `a store takes a torn database for what it is, and both writers' rows are kept`()
    throws
  {
    _ = try notes("phone")
    try devices.service.carry()
    #expect(try notes("mac") == ["seed"])
    try devices.service.carry()
    try add("phone", "a")
    devices.service.hold { $0.contains(".openwo/") }
    devices.service.tear("Notes.sqlite")
    try devices.service.carry()
    devices.service.release()
    try devices.service.carry()
    #expect(try notes("mac") == ["a", "seed"])
    try add("phone", "b")
    try add("mac", "c")
    for _ in 0..<2 {
      try devices.service.carry()
      _ = (try notes("phone"), try notes("mac"))
    }
    #expect(try notes("phone") == notes("mac"))
    let store = try open("phone")
    let other = try #require(try store.setAside().first?.version)
    _ = try store.merge(.version(other), MergeRequest())
    try store.close()
    #expect(try notes("phone") == ["a", "b", "c", "seed"])
  }

  @Test func `the clock moves when it is told to`() throws {
    let clock = TestClock()
    let noon = Date(timeIntervalSince1970: 1_800_000_000)
    clock.set(noon)
    clock.advance(by: .milliseconds(1_500))
    #expect(clock.now == noon + 1.5)
  }

  @Test func `nothing is left behind`() throws {
    var devices: TestDevices? = try TestDevices()
    let root = try #require(devices?.root)
    #expect(FileManager.default.fileExists(atPath: root.path))
    devices = nil
    #expect(!FileManager.default.fileExists(atPath: root.path))
  }
}
