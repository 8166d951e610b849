import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// The bytes of a database file in rollback mode, which is the content of its version.
///
/// Bytes after the last page that the header counts do not belong to it. A version in WAL mode
/// would be changed wherever it becomes the live file, and no longer be that version.
struct FoldedContent: ContentSource {
  private let content: any ContentSource
  /// The bytes to read in place of the file's own header.
  private let header: [UInt8]?
  let size: Int64

  init(_ path: FilePath, _ files: FileSystem) throws {
    try self.init(FileContent(path, fileSystem: files))
  }

  init(_ file: Descriptor, size: Int64, _ files: FileSystem) throws {
    try self.init(FileContent(file, from: 0, size: size, fileSystem: files))
  }

  init(_ content: some ContentSource) throws {
    self.content = content
    let bytes = try Self.header(of: content)
    header = bytes.flatMap(DatabaseHeader.folded)
    size = Self.size(of: content, bytes)
  }

  /// With the counters of another content; if only the mode has changed since, it equals that
  /// content.
  init(_ content: some ContentSource, countedAs other: some ContentSource) throws {
    self.content = content
    let (bytes, counted) = try (Self.header(of: content), Self.header(of: other))
    size = Self.size(of: content, bytes)
    header = bytes.flatMap { bytes in
      counted.flatMap { DatabaseHeader.counted(bytes, as: $0) }
    }
  }

  private static func header(of content: some ContentSource) throws -> [UInt8]? {
    var bytes = [UInt8](repeating: 0, count: DatabaseHeader.size)
    let count = try bytes.withUnsafeMutableBytes { try content.read(at: 0, into: $0) }
    return count == bytes.count ? bytes : nil
  }

  private static func size(of content: some ContentSource, _ header: [UInt8]?) -> Int64 {
    let size = header.flatMap(DatabaseHeader.parse)?.contentSize(inFileOf: content.size)
    return min(content.size, size ?? content.size)
  }

  /// Whether the file itself is in WAL mode.
  var isFolded: Bool { header != nil }

  func read(at offset: Int64, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
    let wanted = Int(min(max(size - offset, 0), Int64(buffer.count)))
    let part = UnsafeMutableRawBufferPointer(rebasing: buffer[..<wanted])
    let count = try content.read(at: offset, into: part)
    if let header, offset < header.count {
      buffer.copyBytes(from: header[Int(offset)...].prefix(count))
    }
    return count
  }

  /// Writes it out as a file.
  func write(to path: FilePath, durable: Bool = true, _ files: FileSystem) throws {
    try AtomicFile.write(to: path, durable: durable, fileSystem: files) { writer in
      try forEachPiece { try writer.append($0) }
    }
  }
}
