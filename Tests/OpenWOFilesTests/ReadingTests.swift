import OpenWOFiles
import OpenWOTestSupport
import SystemPackage
import Testing

struct ReadingTests {
  let scratch: ScratchFolder
  let files = FileSystem()

  init() throws { scratch = try ScratchFolder() }

  private func refusal(_ path: FilePath, limit: Int = 100) -> FileError? {
    #expect(throws: FileError.self) { try files.readSmall(path, limit: limit) }
  }

  @Test func `a pipe, a folder, a device and a link are refused and nothing hangs`() throws {
    try #expect(OtherProcess("mkfifo $1; ln -s a $2", scratch("pipe"), scratch("link")).end() == 0)
    try scratch.make("a", "text")
    #expect(refusal(scratch("pipe"))?.detail == "not a regular file")
    #expect(refusal(scratch.path)?.detail == "not a regular file")
    #expect(refusal("/dev/zero")?.detail == "not a regular file")
    #expect(refusal(scratch("link"))?.errno == Errno.tooManySymbolicLinkLevels.rawValue)
    #expect(refusal(scratch("none"))?.isMissing == true)
  }

  @Test(arguments: [0, 1, 4095, 4096, 4097, 100_000])
  func `a file is read up to the limit and refused beyond`(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0) }
    try AtomicFile.write(bytes, to: scratch("a"), durable: false, fileSystem: files)
    #expect(try files.readSmall(scratch("a"), limit: size) == bytes)
    #expect(try files.readSmall(scratch("a"), limit: 1 << 20) == bytes)
    if size > 0 { #expect(refusal(scratch("a"), limit: size - 1)?.isTooLarge == true) }
  }

  @Test func `a file that claims to be empty is read to its end, within the limit`() throws {
    #expect(try files.readSmall("/proc/self/maps", limit: 1 << 24).count > 4096)
    #expect(refusal("/proc/self/maps", limit: 4096) != nil)
  }

  @Test(arguments: [0, 1, 4096, FileSystem.bufferSize, 3 * FileSystem.bufferSize + 17])
  func `a copy holds what the source holds`(size: Int) throws {
    let bytes = (0..<size).map { UInt8(truncatingIfNeeded: $0 / 7) }
    try AtomicFile.write(bytes, to: scratch("a"), durable: false, fileSystem: files)
    let (from, _) = try files.openRegular(scratch("a"))
    let to = try files.open(scratch("b"), .readWrite, options: [.create, .exclusiveCreate])
    #expect(try files.copy(from: from, to: to) == Int64(size))
    #expect(try files.readSmall(scratch("b"), limit: size) == bytes)
    if size > 0 {
      #expect(throws: FileError.self) {
        try files.copy(from: from, to: to, limit: Int64(size) - 1)
      }
    }
  }

  @Test func `if the file system cannot share blocks, the bytes are copied`() throws {
    let (from, _) = try files.openRegular(try scratch.make("a", "text"))
    let to = try files.open(scratch("b"), .readWrite, options: [.create, .exclusiveCreate])
    let calls = Calls.failing(.clone, .notSupported)
    #expect(try FileSystem(observer: calls).copy(from: from, to: to) == 4)
    #expect(try scratch.text("b") == "text")
  }

  @Test func `mode and attributes go over to the other file`() throws {
    let from = try files.open(try scratch.make("a"), .readWrite)
    let to = try files.open(try scratch.make("b"), .readWrite)
    try files.chmod(from, 0o640)
    try files.setAttribute("user.openwo.test", of: from, to: [1, 0, 2])
    try files.setAttribute("user.openwo.empty", of: from, to: [])
    try files.copyAttributes(from: from, to: to)
    #expect(try files.stat(scratch("b")).mode == 0o640)
    #expect(try files.attribute("user.openwo.test", of: to) == [1, 0, 2])
    #expect(
      try files.attributeNames(of: to).sorted() == files.attributeNames(of: from).sorted())
  }

  @Test func `attributes that may not be set are left out without an error`() throws {
    let from = try files.open(try scratch.make("a"), .readWrite)
    let to = try files.open(try scratch.make("b"), .readWrite)
    try files.setAttribute("user.openwo.test", of: from, to: [1])
    let calls = Calls.failing(.writeAttribute, .notPermitted)
    try FileSystem(observer: calls).copyAttributes(from: from, to: to)
    #expect(try files.attributeNames(of: to) == [])
  }
}
