import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// The bytes of a database file as they are without WAL mode, which two bytes of its header say.
///
/// A version in WAL mode would be folded back wherever it becomes the live file, and no longer be that version.
struct FoldedContent: ContentSource {
  private let content: FileContent

  init(_ path: FilePath, _ files: FileSystem) throws {
    content = try FileContent(path, fileSystem: files)
  }

  init(_ file: Descriptor, size: Int64, _ files: FileSystem) {
    content = FileContent(file, from: 0, size: size, fileSystem: files)
  }

  var size: Int64 { content.size }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let count = try content.read(at: offset, into: buffer)
    for place in Int64(18)...19 where offset..<offset + Int64(count) ~= place {
      if buffer[Int(place - offset)] == 2 { buffer[Int(place - offset)] = 1 }
    }
    return count
  }
}
