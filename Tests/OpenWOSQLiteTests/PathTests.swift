import Foundation
import OpenWOSQLite
import OpenWOTestSupport
import SystemPackage
import Testing

struct PathTests {
  let scratch: ScratchFolder

  init() throws {
    scratch = try ScratchFolder()
  }

  @Test(
    arguments: [
      "plain.db", "with space.db", "it's.db", "a\"b.db", "line\nbreak.db", "q?mode=memory.db",
      "100%41.db", "#hash&x=1.db", "😀ü.db", "file:x.db", ":memory:", " ", "-dash", "e\u{301}",
    ])
  func `any file name is taken as it is`(name: String) throws {
    try scratch.open(name).executeScript("CREATE TABLE t(a)")
    #expect(try scratch.names().map { Array($0.utf8) } == [Array(name.utf8)])
    let judge = Judge()
    let db = try scratch.open(name, mode: .readWrite, policy: judge.policy)
    try db.execute("INSERT INTO t VALUES(1)")
    let path = scratch(name)
    let copy = try Connection(
      path: path, .init(mode: .readOnly, immutable: true, guardPolicy: .privateCopy))
    #expect(try copy.value("SELECT a FROM t", as: Int.self) == 1)
  }

  @Test func `a name that is not UTF-8 is taken as it is`() throws {
    var bytes = Array(scratch.path.string.utf8).map(CChar.init(bitPattern:))
    bytes += [47, -1, -2, 63, 0]
    let path = bytes.withUnsafeBufferPointer { FilePath(platformString: $0.baseAddress!) }
    for immutable in [false, true] {
      let db = try Connection(
        path: path,
        .init(
          mode: immutable ? .readOnly : .create, immutable: immutable, guardPolicy: .privateCopy))
      if !immutable { try db.executeScript("CREATE TABLE t(a)") }
      #expect(try db.value("SELECT count(*) FROM t", as: Int.self) == 0)
    }
  }

  @Test(arguments: ["relative", "file:relative", ":relative:"])
  func `a relative path is a path too`(start: String) throws {
    let name = "\(start)-\(UUID().uuidString).db?mode=memory"
    defer { try? FileManager.default.removeItem(atPath: name) }
    let db = try Connection(path: FilePath(name), .init(mode: .create, guardPolicy: .privateCopy))
    try db.executeScript("CREATE TABLE t(a)")
    #expect(FileManager.default.fileExists(atPath: name))
    let copy = try Connection(
      path: FilePath(name), .init(mode: .readOnly, immutable: true, guardPolicy: .privateCopy))
    #expect(try copy.value("SELECT count(*) FROM t") == 0)
  }

  @Test func `an empty path is an error`() throws {
    let error = #expect(throws: SQLiteError.self) {
      try Connection(path: "", .init(mode: .create, guardPolicy: .privateCopy))
    }
    #expect(error?.extendedCode == .notAFile)
  }

  @Test func `a folder on the way may be a link, the file itself may not`() throws {
    try scratch.open("a.db").executeScript("CREATE TABLE t(a)")
    #expect(symlink(scratch.path.string, scratch("folder").string) == 0)
    #expect(symlink("a.db", scratch("link.db").string) == 0)
    #expect(try scratch.open("folder/a.db").value("SELECT count(*) FROM t", as: Int.self) == 0)
    for mode in [Connection.Options.Mode.readOnly, .readWrite, .create] {
      let error = #expect(throws: SQLiteError.self) { try scratch.open("link.db", mode: mode) }
      #expect(error?.extendedCode == .notAFile)
    }
  }

  @Test(arguments: [Connection.Options.Mode.readOnly, .readWrite, .create])
  func `anything but a regular file is refused without waiting`(mode: Connection.Options.Mode)
    throws
  {
    #expect(mkfifo(scratch("fifo").string, 0o600) == 0)
    #expect(mkdir(scratch("folder").string, 0o700) == 0)
    #expect(symlink("nowhere", scratch("dangling").string) == 0)
    for name in ["fifo", "folder", "dangling"] {
      let error = #expect(throws: SQLiteError.self) { try scratch.open(name, mode: mode) }
      #expect(error?.extendedCode == .notAFile)
    }
    #expect(try scratch.names() == ["dangling", "fifo", "folder"])
  }

  @Test func `a path that is too long is an error`() throws {
    let name = String(repeating: "x", count: 200)
    let path = scratch.path.appending("\(name)/\(name)/\(name)")
    #expect(throws: SQLiteError.self) {
      try Connection(path: path, .init(guardPolicy: .privateCopy))
    }
  }
}
