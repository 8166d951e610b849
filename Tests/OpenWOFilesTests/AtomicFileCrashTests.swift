import Foundation
import OpenWOFiles
import OpenWOTestSupport
import SystemPackage
import Testing

/// The files that a killed or limited process leaves behind.
struct AtomicFileCrashTests {
  let scratch: ScratchFolder

  init() throws { scratch = try ScratchFolder() }

  @Test(arguments: 0...9)
  func `killed before any call, the file is whole and only staging files lie about`(number: Int)
    async throws
  {
    try scratch.make("a", "old")
    let path = scratch("a").string
    await #expect(processExitsWith: number < 9 ? .signal(SIGKILL) : .success) {
      [path = path as String, number = number as Int] in
      let calls = Calls { _, asked in
        if asked == number { kill(getpid(), SIGKILL) }
        return nil
      }
      try AtomicFile.write(
        Array("new".utf8), to: FilePath(path), fileSystem: FileSystem(observer: calls))
    }
    #expect(try ["old", "new"].contains(scratch.text("a")))
    for name in try scratch.files.list(scratch.path) where name.string != "a" {
      #expect(AtomicFile.isStaging(name))
    }
  }

  @Test func `a file larger than the process may write is an error and leaves the old one`()
    async throws
  {
    try scratch.make("a", "old")
    let path = scratch("a").string
    await #expect(processExitsWith: .success) { [path = path as String] in
      ignoreFileSizeSignals()
      var limit = rlimit(rlim_cur: 100_000, rlim_max: 100_000)
      setrlimit(__rlimit_resource_t(1), &limit)
      let error = #expect(throws: FileError.self) {
        try AtomicFile.write(
          [UInt8](repeating: 1, count: 200_000), to: FilePath(path), fileSystem: FileSystem())
      }
      #expect(error?.isNoSpace == true)
      let early = #expect(throws: FileError.self) {
        try AtomicFile.write(to: FilePath(path), fileSystem: FileSystem()) { writer in
          try writer.reserve(bytes: 200_000)
        }
      }
      #expect(early?.operation == .allocate)
    }
    #expect(try scratch.text("a") == "old")
    #expect(try scratch.names() == ["a"])
  }

  @Test func `a name without a folder is written in the working folder`() async throws {
    let path = scratch.path.string
    await #expect(processExitsWith: .success) { [path = path as String] in
      chdir(path)
      try AtomicFile.write([1], to: "a", fileSystem: FileSystem())
      try AtomicFile.write([2], to: "a", fileSystem: FileSystem())
    }
    #expect(try scratch.names() == ["a"])
  }

  @Test func `permissions are exact under any umask`() async throws {
    let path = scratch("a").string
    await #expect(processExitsWith: .success) { [path = path as String] in
      umask(0o777)
      try AtomicFile.write(
        [1], to: FilePath(path), permissions: 0o664, fileSystem: FileSystem())
    }
    #expect(try scratch.files.stat(scratch("a")).mode == 0o664)
  }
}
