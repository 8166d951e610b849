import Corpora
import Foundation
import OpenWOFiles
import OpenWOShell
import SystemPackage
import Testing

@testable import OpenWO

/// A store's folder that goes away while the store is in use: it is waited for, and never made again.
struct AwayFolderTests {
  private static let isLong = ProcessInfo.processInfo.environment["OPENWO_LONG"] != nil

  enum Away: CaseIterable {
    /// The companion has another name; the database is where it was.
    case companion
    /// The folder has another name.
    case folder
    /// The folder is no longer mounted, and an empty one is in its place.
    case mount
  }

  enum Doing: CaseIterable { case writing, closing, syncing, watching, locking }

  @Test(arguments: Away.allCases, Doing.allCases)
  func `nothing is made in the place of a folder that goes away at any moment`(
    away: Away, doing: Doing
  ) throws {
    // The short form takes few of them, other ones of each kind.
    let kinds = Away.allCases.flatMap { away in Doing.allCases.map { (away, $0) } }
    let kind = kinds.firstIndex { $0 == (away, doing) } ?? 0
    let step = Self.isLong ? 1 : 41
    var number = Self.isLong ? 0 : kind * 2
    while try scene(away, doing, before: number) { number += step }
    #expect(number >= step, "there are calls before which it can go")
  }

  /// Removes the folder right before a call and brings it back later; returns whether there was
  /// such a call.
  private func scene(_ away: Away, _ doing: Doing, before number: Int) throws -> Bool {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let gone = away == .companion ? companion(place) : place.folder
    let elsewhere = place.root.appending("elsewhere")
    let ambush = Ambush()
    var configuration = place.configuration()
    configuration.files = FileSystem(observer: ambush)
    // Nobody waits for a folder that is away.
    configuration.busyTimeout = .zero
    configuration.publishing = doing == .closing ? .debounced(seconds: 3600) : .immediately
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    var kept = ["one"]
    func write(_ value: String) {
      let done: Void? = try? store.write { try $0.execute("INSERT INTO t(v) VALUES(?)", value) }
      if done != nil { kept.append(value) }
    }
    write("before")
    if [.syncing, .watching].contains(doing) {
      try place.sqlite3("INSERT INTO t(v) VALUES('by a program')")
      kept.append("by a program")
    }
    ambush.arm(after: number) {
      _ = rename(gone.string, elsewhere.string)
      if away == .mount { _ = mkdir(gone.string, 0o755) }
    }
    switch doing {
    case .writing: write("meanwhile")
    case .closing: try? store.close()
    case .syncing: _ = try? store.reconcile()
    case .watching: _ = try? store.core.with { try $0.housekeeping.tick(folderChanged: true) }
    case .locking:
      _ = try? store.lock()
      _ = try? store.unlock()
    }
    guard ambush.hasActed else { return false }
    if doing == .writing { write("after") }
    try? store.close()
    let left = try (FileManager.default.subpathsOfDirectory(atPath: place.root.string))
      .filter { place.root.appending($0).starts(with: gone) }
    #expect(
      left.allSatisfy { away == .mount && place.root.appending($0) == gone },
      "\(left) when it went before call \(number): \(ambush.call)")
    try comesBack(place, gone, elsewhere, kept, "before call \(number): \(ambush.call)")
    return true
  }

  private func comesBack(
    _ place: Place, _ gone: FilePath, _ elsewhere: FilePath, _ kept: [String], _ when: String
  ) throws {
    try? FileManager.default.removeItem(atPath: gone.string)
    try FileManager.default.moveItem(atPath: elsewhere.string, toPath: gone.string)
    let store = try place.open()
    defer { try? store.close() }
    if try store.lockReport() != nil { _ = try store.unlock() }
    _ = try store.reconcile()
    let rows = try store.read { try $0.rows("SELECT v FROM t") { try $0.get(0) as String } }
    #expect(Set(kept).subtracting(rows) == [], "it went \(when)")
    #expect(try store.history().allSatisfy(\.isPublished), "it went \(when)")
  }

  private func companion(_ place: Place) -> FilePath {
    place.folder.appending("openwo.sqlite.openwo")
  }

  @Test func `pending versions are not published into another store's companion`() throws {
    let (place, other) = (try Place(), try Place())
    for place in [place, other] {
      try place.makeDatabase()
      _ = try place.initialize()
    }
    var configuration = place.configuration()
    configuration.publishing = .debounced(seconds: 3600)
    let store = try SyncedDatabase(path: place.database.string, configuration: configuration)
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    let elsewhere = place.root.appending("elsewhere")
    let files = FileManager.default
    try files.moveItem(atPath: companion(place).string, toPath: elsewhere.string)
    try files.copyItem(atPath: companion(other).string, toPath: companion(place).string)
    let before = try files.subpathsOfDirectory(atPath: companion(place).string).sorted()
    let refused = #expect(throws: StoreError.self) { try store.publish() }
    #expect(refused?.code == .unavailable)
    #expect(try files.subpathsOfDirectory(atPath: companion(place).string).sorted() == before)
    try files.removeItem(atPath: companion(place).string)
    try files.moveItem(atPath: elsewhere.string, toPath: companion(place).string)
    try store.publish()
    #expect(try store.history().allSatisfy(\.isPublished))
    try store.close()
  }

  @Test func `a lost store file is put back by a device that knows the store`() throws {
    let place = try Place()
    try place.makeDatabase()
    _ = try place.initialize()
    let store = try place.open()
    try store.write { try $0.execute("INSERT INTO t(v) VALUES('two')") }
    try store.close()
    let manifest = companion(place).appending("store.json")
    let before = try place.bytes(manifest)
    try FileManager.default.removeItem(atPath: manifest.string)
    let refused = #expect(throws: StoreError.self) { try place.open() }
    #expect(refused?.code == .noStore)
    #expect(refused?.hint.contains("openwo doctor --repair") == true)
    let stranger = #expect(throws: StoreError.self) { try place.initialize("mac") }
    #expect(stranger?.code == .traces)
    #expect(stranger?.hint.contains("openwo doctor --repair") == true)
    #expect(try place.initialize().isPutBack)
    #expect(try place.bytes(manifest) == before)
    #expect(try place.open().history().map(\.version.reason) == [.write, .create])
  }
}
