import Foundation
import OpenWOFiles
import OpenWOTestSupport
import Synchronization
import SystemPackage
import Testing

struct AtomicFileTests {
  let scratch: ScratchFolder
  let files = FileSystem()

  init() throws { scratch = try ScratchFolder() }

  @Test(arguments: [0o600, 0o644, 0o666, 0o400] as [UInt16])
  func `a written file has exactly the permissions and leaves nothing beside it`(mode: UInt16)
    throws
  {
    try AtomicFile.write([1], to: scratch("a"), permissions: mode, fileSystem: files)
    #expect(try files.lstat(scratch("a")).mode == mode)
    #expect(try scratch.names() == ["a"])
  }

  @Test func `pieces of all sizes come out in order`() throws {
    var expected: [UInt8] = []
    try scratch.make("source", String(repeating: "source ", count: 50_000))
    let (source, _) = try files.openRegular(scratch("source"))
    try AtomicFile.write(to: scratch("a"), fileSystem: files) { writer in
      for size in [0, 1, 70_000, 10, 65_536, 65_535, 2, 300_000, 5] {
        let piece = [UInt8](repeating: UInt8(size & 0xff), count: size)
        expected += piece
        try writer.append(piece)
      }
      try writer.append(contentsOf: source)
      expected += Array(String(repeating: "source ", count: 50_000).utf8)
      try writer.append([7])
      expected.append(7)
      #expect(writer.count == Int64(expected.count))
    }
    #expect(try files.readSmall(scratch("a"), limit: 1 << 22) == expected)
  }

  @Test func `room that was reserved and not used is given back`() throws {
    try AtomicFile.write(to: scratch("a"), fileSystem: files) { writer in
      try writer.reserve(bytes: 1 << 20)
      try writer.append([1, 2, 3])
    }
    #expect(try files.readSmall(scratch("a"), limit: 10) == [1, 2, 3])
  }

  @Test func `a durable write ends in fsync, rename and fsync of the folder`() throws {
    let calls = Calls()
    try AtomicFile.write([1], to: scratch("a"), fileSystem: FileSystem(observer: calls))
    let kinds = calls.done.map(\.kind).filter { $0 == .fsync || $0 == .rename }
    #expect(kinds == [.fsync, .rename, .fsync])
    #expect(calls.done.last?.path == scratch.path)
  }

  @Test func `a write that need not be durable makes no fsync`() throws {
    let calls = Calls()
    try AtomicFile.write(
      [1], to: scratch("a"), durable: false, fileSystem: FileSystem(observer: calls))
    #expect(!calls.asked.contains { $0.kind == .fsync })
  }

  @Test(arguments: [Errno.noSpace, .ioError, .permissionDenied, .diskQuotaExceeded])
  func `whichever call fails, the file is the old or the new one and nothing is left over`(
    errno: Errno
  ) throws {
    var number = 0
    var isDone = false
    while !isDone {
      try scratch.make("a", "old")
      let failing = number
      let calls = Calls { call, number in number == failing ? errno : nil }
      do {
        try AtomicFile.write(
          Array("new".utf8), to: scratch("a"), fileSystem: FileSystem(observer: calls))
        isDone = calls.asked.count <= failing
        if !isDone { #expect(calls.asked[failing].kind == .close || errno == .permissionDenied) }
      } catch let error as FileError {
        #expect(error.errno == errno.rawValue)
        #expect(error.path == scratch("a") || error.path == scratch.path)
      }
      let isRenamed = calls.done.contains { $0.kind == .rename }
      #expect(try scratch.text("a") == (isRenamed ? "new" : "old"))
      #expect(try scratch.names() == ["a"])
      number += 1
    }
    #expect(number > 7)
  }

  @Test func `an error of the body leaves the old file alone`() throws {
    struct Stop: Error {}
    try scratch.make("a", "old")
    #expect(throws: Stop.self) {
      try AtomicFile.write(to: scratch("a"), fileSystem: files) { writer in
        try writer.append([1])
        throw Stop()
      }
    }
    #expect(try scratch.text("a") == "old")
    #expect(try scratch.names() == ["a"])
  }

  @Test(arguments: [false, true])
  func `of many processes that create one file exactly one succeeds`(byLink: Bool) throws {
    let calls = byLink ? Calls.failing(.renameNew, .invalidArgument) : Calls()
    let files = FileSystem(observer: calls)
    for round in 0..<20 {
      let path = scratch("\(round)")
      let winners = Mutex<[UInt8]>([])
      DispatchQueue.concurrentPerform(iterations: 8) { number in
        do {
          try AtomicFile.write(
            [UInt8(number)], to: path, mode: .createNew, durable: false, fileSystem: files)
          winners.withLock { $0.append(UInt8(number)) }
        } catch {
          #expect((error as? FileError)?.isTaken == true)
        }
      }
      #expect(winners.withLock { $0.count } == 1)
      #expect(try files.readSmall(path, limit: 1) == winners.withLock { $0 })
    }
    #expect(try scratch.names().count == 20)
  }

  @Test func `staging names are recognised and nothing else is`() {
    let path = AtomicFile.stagingPath(for: "/a/b.sqlite")
    #expect(path.removingLastComponent() == "/a")
    #expect(path.lastComponent.map(AtomicFile.isStaging) == true)
    let others: [FilePath.Component] = [
      "a", ".~openwo-.tmp", ".~openwo-0123456789abcde.tmp", ".~openwo-0123456789abcdefa.tmp",
      ".~openwo-0123456789ABCDEF.tmp", ".~openwo-0123456789abcdef.tmp~",
      "x.~openwo-0123456789abcdef.tmp", ".~openwo-0123456789abcdeg.tmp",
    ]
    for name in others { #expect(!AtomicFile.isStaging(name)) }
    #expect(AtomicFile.isStaging(".~openwo-0123456789abcdef.tmp"))
  }

  @Test func `a link is replaced, not what it points to`() throws {
    try scratch.make("target", "old")
    try #expect(OtherProcess("ln -s target $1", scratch("link")).end() == 0)
    try AtomicFile.write(Array("new".utf8), to: scratch("link"), fileSystem: files)
    #expect(try scratch.text("target") == "old")
    #expect(try scratch.text("link") == "new")
  }
}
