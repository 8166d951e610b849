import Foundation
import OpenWOFiles
import OpenWOTestSupport
import SystemPackage
import Testing

struct FileSystemTests {
  let scratch: ScratchFolder
  let files = FileSystem()

  init() throws { scratch = try ScratchFolder() }

  @Test func `a call that a signal interrupts is made again`() throws {
    let calls = Calls.failing(.open, .interrupted, first: 3)
    _ = try FileSystem(observer: calls).open(scratch.path, .readOnly)
    #expect(calls.asked.map(\.kind) == [.open, .open, .open, .open])
    #expect(calls.done == [SystemCall(.open, scratch.path)])
  }

  @Test func `a call that the observer fails is not made`() throws {
    let path = try scratch.make("a")
    let calls = Calls.failing(.unlink, .ioError)
    let error = #expect(throws: FileError.self) {
      try FileSystem(observer: calls).unlink(path)
    }
    #expect(error == FileError(.unlink, path, errno: Errno.ioError.rawValue))
    #expect(try scratch.names() == ["a"])
    #expect(calls.done.isEmpty)
  }

  @Test func `an error says what could not be done to which file and why, without control bytes`() {
    let path = FilePath("/a\u{1b}[2J\u{202e}b")
    let error = FileError(.open, path, errno: Errno.permissionDenied.rawValue)
    #expect(error.message == #"cannot open /a\u{1b}[2J\u{202e}b: permission denied"#)
    #expect(error.isNotPermitted && !error.isMissing && !error.isNoSpace)
    let swap = FileError(.exchange, "/a", "/b", errno: Errno.noSpace.rawValue)
    #expect(swap.message == "cannot exchange /a with /b: no space left on device")
    #expect(swap.isNoSpace)
  }

  @Test func `names keep their bytes whatever they are`() throws {
    let strange: [UInt8] = [0xff, 0xfe, 0x0a, 0x2e]
    let path = scratch.path.appending(FilePath(bytes: strange).components)
    try AtomicFile.write([1], to: path, durable: false, fileSystem: files)
    try scratch.make("a")
    try scratch.make("A")
    let names = try files.list(scratch.path)
    #expect(Set(names.map(\.bytes)) == [strange, [0x61], [0x41]])
    #expect(names.first { $0.bytes == strange }?.printable == #"\xff\xfe\u{0a}."#)
    #expect(try files.readSmall(path, limit: 1) == [1])
  }

  @Test func `a folder with too many names is refused, not swallowed`() throws {
    for number in 0..<5 { try scratch.make("\(number)") }
    #expect(try files.list(scratch.path, limit: 5).count == 5)
    let error = #expect(throws: FileError.self) { try files.list(scratch.path, limit: 4) }
    #expect(error?.detail == "more than 4 names")
    #expect(error?.isTooLarge == true && error?.isNoSpace == false)
    #expect(try files.list(scratch.path, limit: 1) { $0.string == "3" }.count == 1)
  }

  @Test func `a missing folder and a missing file are distinguished from other errors`() throws {
    #expect(try files.statusIfPresent(scratch("none")) == nil)
    #expect(try files.statusIfPresent(scratch("none/none")) == nil)
    let error = #expect(throws: FileError.self) { try files.list(scratch("none")) }
    #expect(error?.isMissing == true)
  }

  @Test func `a rename to a new name never takes a name that is taken`() throws {
    let (one, two) = (try scratch.make("1", "one"), try scratch.make("2", "two"))
    let error = #expect(throws: FileError.self) { try files.renameNew(one, to: two) }
    #expect(error?.isTaken == true)
    try files.renameNew(one, to: scratch("3"))
    #expect(try scratch.names() == ["2", "3"])
    #expect(try scratch.text("2") == "two")
  }

  @Test func `an exchange swaps two files and neither name is missing after`() throws {
    let (one, two) = (try scratch.make("1", "one"), try scratch.make("2", "two"))
    let inodes = (try files.stat(one).inode, try files.stat(two).inode)
    try files.exchange(one, two)
    #expect(try (files.stat(two).inode, files.stat(one).inode) == inodes)
    #expect(try scratch.text("1") == "two")
  }

  @Test func `folders are made with those above them, and those that are there are fine`() throws {
    let path = scratch("a/b/c")
    try files.makeDirectories(path)
    try files.makeDirectories(path)
    #expect(try files.stat(path).kind == .directory)
    #expect(try files.stat(path).mode == 0o700)
    try scratch.make("file")
    #expect(throws: FileError.self) { try files.makeDirectories(scratch("file")) }
    #expect(throws: FileError.self) { try files.makeDirectories(scratch("file/b")) }
  }

  @Test func `times are set to the nanosecond, of a link and not of what it points to`() throws {
    let path = try scratch.make("a")
    try files.setTimes(path, modified: 1_234_567_890_123_456_789)
    #expect(try files.stat(path).mtime == 1_234_567_890_123_456_789)
    try files.setTimes(path, modified: -1)
    #expect(try files.stat(path).mtime == -1)
  }

  @Test func `a time beyond what can be counted is the last that can`() throws {
    let path = try scratch.make("a")
    let elsewhere = path.string
    var times = [
      timespec(tv_sec: 13_000_000_000, tv_nsec: 5), timespec(tv_sec: 13_000_000_000, tv_nsec: 5),
    ]
    #expect(utimensat(AT_FDCWD, elsewhere, &times, 0) == 0)
    #expect(try files.stat(path).mtime == 9_223_372_035_000_000_005)
  }

  @Test func `a signature tells a rewritten file even when its time was put back`() throws {
    let path = try scratch.make("a", "old")
    let before = try files.stat(path)
    let descriptor = try files.open(path, .readWrite)
    try Array("new".utf8).withUnsafeBytes { try files.pwrite(descriptor, at: 0, $0) }
    try files.setTimes(path, modified: before.mtime)
    let after = try files.stat(path)
    #expect(after.isSameFile(as: before) && after.mtime == before.mtime)
    #expect(after.signature != before.signature)
  }

  @Test func `links and dots are resolved to the path from the root`() throws {
    try files.makeDirectories(scratch("a/b"))
    #expect(try files.realpath(scratch("a/../a/./b")) == scratch("a/b"))
    #expect(throws: FileError.self) { try files.realpath(scratch("none")) }
  }

  @Test func `free space is a number, and room is reserved only if there is enough`() throws {
    #expect(try files.freeSpace(scratch.path) > 0)
    let descriptor = try files.open(try scratch.make("a"), .readWrite)
    try files.allocate(descriptor, bytes: 1 << 20)
    #expect(try files.fstat(descriptor).blocks >= (1 << 20) / 512)
    let error = #expect(throws: FileError.self) {
      try files.allocate(descriptor, bytes: 1 << 60)
    }
    #expect(error?.isNoSpace == true)
  }
}
