import Corpora
import OpenWOFiles
import OpenWOHistory
import SystemPackage
import Testing

@testable import OpenWO

/// A conflict copy that is rewritten between the look at it and the step that follows.
struct ChangedCopyTests {
  private let rig: Rig
  private let path: FilePath
  private let file: FileName

  init() throws {
    rig = try Rig(["mac"])
    try rig.start()
    let name: FilePath.Component = "openwo.sync-conflict-20261121-120000-ABCDEFG.sqlite"
    path = rig.folder("mac").appending(name)
    file = FileName(name)
    try rig.copy(rig.database("mac"), path)
  }

  /// Another file takes the copy's name once a store has looked at it.
  private func looked() throws -> Store {
    rig.clock.advance(milliseconds: 60_000)
    let store = try Store.open(rig.database("mac"), rig.configuration("mac"), EventHub())
    #expect(try VersionDetector(store: store).look().copies.map(\.file) == [file])
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('later')", path)
    return store
  }

  @Test(arguments: [Ambush.Moment.before, .after])
  func `a copy that vanishes during a look counts as missing, at every moment`(
    moment: Ambush.Moment
  ) throws {
    rig.clock.advance(milliseconds: 60_000)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('elsewhere')", path)
    let aside = rig.place.root.appending("aside")
    try rig.copy(path, aside)
    for calls in 0... {
      try rig.copy(aside, path)
      let ambush = Ambush(moment)
      var configuration = rig.configuration("mac")
      configuration.opensAsFound = true
      configuration.files = FileSystem(observer: ambush)
      let store = try Store.open(rig.database("mac"), configuration, EventHub())
      ambush.arm(after: calls) { [path] in try? FileSystem().unlink(path) }
      #expect(throws: Never.self, "gone \(moment) call \(calls)") {
        try VersionDetector(store: store).look()
      }
      store.session.letGo()
      guard ambush.hasActed else {
        #expect(calls > 10)
        break
      }
    }
  }

  @Test func `the copy is captured in one of its states, or looked at again`() throws {
    rig.clock.advance(milliseconds: 60_000)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('elsewhere')", path)
    let aside = rig.place.root.appending("aside")
    try rig.copy(path, aside)
    var changes = 0
    for calls in 0... {
      try rig.copy(aside, path)
      let ambush = Ambush()
      var configuration = rig.configuration("mac")
      configuration.opensAsFound = true
      configuration.files = FileSystem(observer: ambush)
      let store = try Store.open(rig.database("mac"), configuration, EventHub())
      _ = try VersionDetector(store: store).look()
      ambush.arm(after: calls) { [place = rig.place, path] in
        _ = try? place.sqlite3("UPDATE t SET v = 'changed'", path)
      }
      do {
        try ExaminedCopies(store: store).capture(file)
      } catch is StaleLook {
        changes += 1
      }
      let shown = rig.place.root.appending("shown.sqlite")
      for version in try store.versions.listed().graph.versions where version.reason == .external {
        try store.versions.materialize(version.content, to: shown)
        #expect(
          ["one\nelsewhere\n", "changed\nchanged\n"]
            .contains(try rig.place.sqlite3("SELECT v FROM t ORDER BY id", shown)))
        try NewVersions(store: store).drop(version)
      }
      store.session.letGo()
      guard ambush.hasActed else { break }
    }
    #expect(changes > 5)
  }

  @Test func `a changed copy is not removed for what it was`() throws {
    let store = try looked()
    #expect(throws: StaleLook.self) { try ExaminedCopies(store: store).remove(file) }
    #expect(try rig.place.sqlite3("SELECT v FROM t", path) == "one\nlater\n")
    store.session.letGo()
  }

  @Test func `a copy is not removed if its version has gone meanwhile`() throws {
    rig.clock.advance(milliseconds: 60_000)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('copied')", path)
    let store = try Store.open(rig.database("mac"), rig.configuration("mac"), EventHub())
    _ = try VersionDetector(store: store).look()
    let before = try Set(store.versions.list().graph.versions.map(\.id))
    try ExaminedCopies(store: store).capture(file)
    let made = try #require(
      store.versions.listed().graph.versions.first { !before.contains($0.id) })
    for folder in store.versions.archive.folders {
      for name in try FileSystem().list(folder) where name.string.contains("\(made.id)") {
        try FileSystem().unlink(folder.appending(name))
      }
    }
    try store.versions.list()
    try ExaminedCopies(store: store).remove(file)
    #expect(try rig.place.sqlite3("SELECT v FROM t ORDER BY id", path) == "one\ncopied\n")
    store.session.letGo()
    rig.clock.advance(milliseconds: 120_000)
    #expect(try rig.rows("mac") == ["one", "copied"])
  }

  @Test func `a copy that was replaced does not get the parents of the earlier file`() throws {
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('copied')", path)
    rig.clock.advance(milliseconds: 60_000)
    let later = rig.place.root.appending("later")
    try rig.copy(rig.database("mac"), later)
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('later')", later)
    let ambush = Ambush {
      $0.kind == .open && $0.path?.lastComponent?.string.hasPrefix("copy-") == true
    }
    var configuration = rig.configuration("mac")
    configuration.files = FileSystem(observer: ambush)
    let store = try Store.open(rig.database("mac"), configuration, EventHub())
    #expect(try VersionDetector(store: store).look().copies.map(\.file) == [file])
    let before = try store.versions.list().graph.versions.count
    ambush.arm { [path] in try? FileSystem().rename(later, to: path) }
    #expect(throws: StaleLook.self) { try ExaminedCopies(store: store).capture(file) }
    #expect(ambush.hasActed)
    #expect(try store.versions.list().graph.versions.count == before)
    store.session.letGo()
    rig.clock.advance(milliseconds: 120_000)
    #expect(try rig.rows("mac") == ["one", "later"])
  }

  @Test(arguments: ["-journal", "-wal"])
  func `a copy with a journal or log beside it is neither captured nor removed`(ending: String)
    throws
  {
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('copied')", path)
    rig.clock.advance(milliseconds: 60_000)
    let store = try Store.open(rig.database("mac"), rig.configuration("mac"), EventHub())
    _ = try VersionDetector(store: store).look()
    let beside = FilePath(path.string + ending)
    let before = try store.versions.list().graph.versions.count
    try AtomicFile.write([1], to: beside, fileSystem: FileSystem())
    #expect(throws: StaleLook.self) { try ExaminedCopies(store: store).capture(file) }
    #expect(try store.versions.list().graph.versions.count == before)
    try FileSystem().unlink(beside)
    try ExaminedCopies(store: store).capture(file)
    try AtomicFile.write([1], to: beside, fileSystem: FileSystem())
    #expect(throws: StaleLook.self) { try ExaminedCopies(store: store).remove(file) }
    try FileSystem().unlink(beside)
    try ExaminedCopies(store: store).remove(file)
    #expect(try FileSystem().statusIfPresent(path) == nil)
    store.session.letGo()
  }

  @Test func `no version is written in full from a file that has changed since`() throws {
    let store = try looked()
    let version = try #require(store.versions.listed().graph.versions.first)
    #expect(throws: StaleLook.self) {
      try ExaminedCopies(store: store).storeInFull(version.id, from: file)
    }
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('later')", rig.database("mac"))
    #expect(throws: StaleLook.self) {
      try ExaminedCopies(store: store).storeInFull(version.id, from: nil)
    }
    let shown = rig.place.root.appending("shown.sqlite")
    try store.versions.materialize(version.content, to: shown)
    #expect(try rig.place.sqlite3("SELECT v FROM t", shown) == "one\n")
    store.session.letGo()
  }

  @Test(arguments: [true, false])
  func `a version that is written in full can be read by whom the database can`(fromCopy: Bool)
    throws
  {
    for path in [rig.database("mac"), path] {
      #expect(rig.place.run(["chmod", "660", path.string]) == 0)
    }
    let store = try Store.open(rig.database("mac"), rig.configuration("mac"), EventHub())
    _ = try VersionDetector(store: store).look()
    let version = try #require(store.versions.listed().graph.newestHead)
    try ExaminedCopies(store: store).storeInFull(version.id, from: fromCopy ? file : nil)
    let written = try #require(
      store.versions.listed().archive.stored.first { $0.version.id == version.id })
    #expect(try FileSystem().stat(written.path).mode & 0o777 == 0o660)
    store.session.letGo()
  }

  @Test func `a changed copy is not captured as what it was`() throws {
    try rig.place.sqlite3("INSERT INTO t(v) VALUES('copied')", path)
    let store = try looked()
    let before = try store.versions.list().graph.versions.count
    #expect(throws: StaleLook.self) { try ExaminedCopies(store: store).capture(file) }
    #expect(try store.versions.list().graph.versions.count == before)
    store.session.letGo()
    rig.clock.advance(milliseconds: 120_000)
    #expect(try rig.rows("mac") == ["one", "copied", "later"])
    #expect(try FileSystem().statusIfPresent(path) == nil)
  }
}
