import OpenWOFiles
import SystemPackage
import Testing

struct AtomicFileTests {
  let scratch: ScratchFolder
  let files = FileSystem()

  init() throws { scratch = try ScratchFolder() }

  @Test func `a written file holds the bytes, has the permissions and leaves nothing beside it`()
    throws
  {
    let path = scratch("a")
    try AtomicFile.write(Array("new".utf8), to: path, permissions: 0o666, fileSystem: files)
    #expect(try scratch.text("a") == "new")
    #expect(try files.lstat(path).mode == 0o666)
    #expect(try scratch.names() == ["a"])
  }

  @Test func `creating a file whose name is taken fails and changes nothing`() throws {
    let path = try scratch.make("a", "old")
    let error = #expect(throws: FileError.self) {
      try AtomicFile.write([1], to: path, mode: .createNew, fileSystem: files)
    }
    #expect(error?.isTaken == true)
    #expect(try scratch.text("a") == "old")
    #expect(try scratch.names() == ["a"])
  }
}
