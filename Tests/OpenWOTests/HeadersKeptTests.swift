import Foundation
import OpenWOFiles
import Synchronization
import SystemPackage
import Testing

@testable import OpenWO
@testable import OpenWOHistory

/// A store with a long history, looked at by one process after another.
struct HeadersKeptTests {
  private let rig: Rig
  private let opened = Opened()
  private var versions: FilePath { rig.companion("phone").appending("versions") }

  init() throws {
    rig = try Rig(["phone"])
    try rig.start()
    let archive = Archive(folders: [versions], fileSystem: FileSystem())
    let first = try #require(try archive.scan().versions.first)
    var last: Version?
    for number in 0..<100 {
      let version = try make("other", number, after: last.map { [$0] } ?? [])
      try archive.write(
        version, .full(content(number)), into: versions, durable: false)
      last = version
    }
    let settled = try Version.settle(
      parents: [first] + (last.map { [$0] } ?? []), candidates: [first])
    try archive.write(settled, .same, into: versions, durable: false)
    _ = try look()
  }

  private func content(_ number: Int) -> MemoryContent {
    MemoryContent(Array("content \(number)".utf8))
  }

  private func make(_ device: String, _ number: Int, after parents: [Version]) throws -> Version {
    let content = content(number)
    let facts = ContentFacts(
      hash: try BlockDigests(size: content.size) { content.read(at: $0, into: $1) }.root,
      bytes: content.size, pageSize: 4096, userVersion: 0, applicationID: 0)
    return try Version(
      facts: facts, parents: parents.map(\.id), device: device, deviceName: device,
      at: HybridTime(milliseconds: 1_600_000_000_000 + Int64(number)), reason: .write)
  }

  /// What another process sees, and which version files it opens.
  private func look(
    _ change: (inout Configuration) -> Void = { _ in }
  ) throws -> (status: StoreStatus, count: Int) {
    opened.forget()
    var configuration = rig.configuration("phone")
    configuration.files = FileSystem(observer: opened)
    change(&configuration)
    let store = try SyncedDatabase(
      path: rig.database("phone").string, configuration: configuration)
    let status = try store.status()
    let count = try store.history().count
    try store.close()
    return (status, count)
  }

  private var openedVersions: [String] {
    opened.paths.filter { $0.removingLastComponent() == versions }
      .compactMap { $0.lastComponent?.string }.filter { !$0.hasPrefix(".") }
  }

  private var cache: FilePath {
    get throws {
      let stores = rig.place.root.appending("state-phone").appending("stores")
      let name = try #require(try FileSystem().list(stores).first)
      return stores.appending(name).appending("headers")
    }
  }

  @Test func `a second look opens no version file, and the third only the one that changed`() throws
  {
    let files = FileSystem()
    #expect(openedVersions.count >= 100)
    let second = try look()
    #expect(openedVersions == [])
    #expect(second.count >= 102)
    let names = try files.list(versions).map(\.string).sorted()
    // The oldest: no other version becomes a head when it is damaged.
    let chosen = versions.appending(names[0])
    let bytes = try files.readSmall(chosen, limit: 1 << 20)
    try AtomicFile.write(
      Array(bytes.dropLast()), to: chosen, durable: false, fileSystem: files)
    let third = try look()
    #expect(openedVersions == [names[0]])
    #expect(third.count == second.count - 1)
    try AtomicFile.write(bytes, to: chosen, durable: false, fileSystem: files)
    #expect(try look().count == second.count)
    #expect(openedVersions == [names[0]])
  }

  @Test func `a damaged cache is as good as none, and is made again`() throws {
    let files = FileSystem()
    let seen = try look()
    let whole = try files.readSmall(cache, limit: 1 << 24)
    for bytes in [[], Array(whole.dropLast()), Array(whole.reversed())] {
      try AtomicFile.write(bytes, to: cache, durable: false, fileSystem: files)
      let next = try look()
      #expect(openedVersions.count >= 100)
      #expect(next.count == seen.count && next.status.state == seen.status.state)
      #expect(try look().count == seen.count)
      #expect(openedVersions == [])
    }
  }

  @Test func `a state folder that cannot be written hinders no look`() throws {
    try FileSystem().unlink(cache)
    let seen = try look { configuration in
      configuration.files = FileSystem(observer: Refusing(observed: opened))
    }
    #expect(seen.count >= 102)
    #expect(openedVersions.count >= 100)
    #expect(try FileSystem().statusIfPresent(cache) == nil)
  }

  @Test func `the doctor opens every version file itself`() throws {
    var configuration = rig.configuration("phone")
    configuration.files = FileSystem(observer: opened)
    opened.forget()
    _ = try SyncedDatabase.examine(
      path: rig.database("phone").string, configuration: configuration)
    #expect(Set(openedVersions).count >= 100)
  }
}

/// Notes which files are opened, and shows all files as if they had been there for a minute.
private final class Opened: SystemCallObserver {
  private let log = Mutex<[FilePath]>([])

  var paths: [FilePath] { log.withLock { $0 } }

  func forget() { log.withLock { $0 = [] } }

  func willCall(_ call: SystemCall) throws(FileError) {
    guard call.kind == .open, let path = call.path else { return }
    log.withLock { $0.append(path) }
  }

  func didCall(_ call: SystemCall) {}

  func seen(_ status: FileStatus) -> FileStatus {
    var status = status
    status.mtime -= 60_000_000_000
    status.ctime -= 60_000_000_000
    return status
  }
}

/// Refuses to make the cache.
private struct Refusing: SystemCallObserver {
  let observed: Opened

  func willCall(_ call: SystemCall) throws(FileError) {
    try observed.willCall(call)
    let isCache = call.otherPath?.lastComponent?.string == "headers"
    if call.kind == .rename && isCache { throw FileError(call, errno: ENOSPC) }
  }

  func didCall(_ call: SystemCall) {}

  func seen(_ status: FileStatus) -> FileStatus { observed.seen(status) }
}
