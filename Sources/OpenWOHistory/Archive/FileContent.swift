package import OpenWOFiles
package import SystemPackage

/// Content that is a file, or a part of one, read through one open descriptor.
package struct FileContent: ContentSource {
  private let descriptor: Descriptor
  private let fileSystem: FileSystem
  private let start: Int64
  /// The number of bytes.
  package let size: Int64

  /// Takes a part of an open file.
  package init(_ descriptor: Descriptor, from start: Int64, size: Int64, fileSystem: FileSystem) {
    self.descriptor = descriptor
    self.fileSystem = fileSystem
    self.start = start
    self.size = size
  }

  /// Opens a regular file as it is now; no link is followed, no pipe waited for.
  package init(_ path: FilePath, fileSystem: FileSystem) throws(FileError) {
    let (descriptor, status) = try fileSystem.openRegular(path)
    self.init(descriptor, from: 0, size: status.size, fileSystem: fileSystem)
  }

  /// The same content without its first bytes.
  func dropFirst(_ count: Int64) -> FileContent {
    FileContent(
      descriptor, from: start + count, size: max(size - count, 0), fileSystem: fileSystem)
  }

  /// The first `count` bytes of the content.
  package func prefixed(_ count: Int64) -> FileContent {
    FileContent(descriptor, from: start, size: min(size, count), fileSystem: fileSystem)
  }

  /// The first bytes, as many as there are.
  package func prefix(_ count: Int) throws -> [UInt8] {
    var bytes = [UInt8](repeating: 0, count: Int(min(Int64(count), size)))
    let read = try bytes.withUnsafeMutableBytes { try self.read(at: 0, into: $0) }
    bytes.removeLast(bytes.count - read)
    return bytes
  }

  /// Reads from the file, never past the part that was taken.
  package func read(
    at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws -> Int {
    guard 0..<size ~= offset else { return 0 }
    let count = Int(min(Int64(buffer.count), size - offset))
    return try fileSystem.pread(
      descriptor, at: start + offset,
      into: UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]))
  }
}
