import OpenWOCFiles
package import SystemPackage

/// Reading and copying whole files.
extension FileSystem {
  /// The size of one read or write: a larger one gains nothing, and unaligned memory costs six
  /// times more.
  package static let bufferSize = 256 * 1024

  /// Lends page-aligned memory, by default ``bufferSize`` bytes.
  package static func withBuffer<Result, Failure: Error>(
    byteCount: Int = bufferSize, _ body: (UnsafeMutableRawBufferPointer) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: byteCount, alignment: 4096)
    defer { buffer.deallocate() }
    return try body(buffer)
  }

  /// Reads a small file of unknown origin: a regular one, no link, no longer than the limit.
  ///
  /// Fails with ``FileError/isTooLarge`` when it is longer, and with "not a regular file" for pipes
  /// and the like. Links further up the path are followed: resolve the folder first.
  package func readSmall(_ path: FilePath, limit: Int) throws(FileError) -> [UInt8] {
    let (descriptor, status) = try openRegular(path)
    guard status.size <= limit else { throw .tooLarge(path, limit: limit) }
    // Files of /proc say 0 and have more: one byte of room beyond what was said shows it.
    var bytes: [UInt8] = []
    var room = min(limit, max(Int(status.size), 4095)) + 1
    while true {
      let start = bytes.count
      bytes += [UInt8](repeating: 0, count: room)
      var count = 0
      let failure = bytes.withUnsafeMutableBytes { buffer -> FileError? in
        let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[start...])
        do throws(FileError) {
          count = try pread(descriptor, at: Int64(start), into: rest)
          return nil
        } catch {
          return error
        }
      }
      if let failure { throw failure }
      bytes.removeLast(room - count)
      guard bytes.count <= limit else { throw .tooLarge(path, limit: limit) }
      if count < room { return bytes }
      room = min(2 * bytes.count, limit + 1 - bytes.count)
    }
  }

  /// Copies all content, with shared blocks if the file system can, and returns the number of
  /// bytes.
  ///
  /// A source longer than the limit is an error, whatever its reported size.
  @discardableResult
  package func copy(
    from: Descriptor, to: Descriptor, limit: Int64 = .max
  ) throws(FileError) -> Int64 {
    guard try fstat(from).size <= limit else { throw .tooLarge(from.path, limit: limit) }
    if try clone(from: from, to: to) {
      let size = try fstat(to).size
      guard size <= limit else { throw .tooLarge(from.path, limit: limit) }
      return size
    }
    return try FileSystem.withBuffer { (buffer) throws(FileError) in
      var offset: Int64 = 0
      while true {
        let count = try pread(from, at: offset, into: buffer)
        guard count > 0 else { return offset }
        guard offset + Int64(count) <= limit else { throw .tooLarge(from.path, limit: limit) }
        try pwrite(to, at: offset, UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        offset += Int64(count)
      }
    }
  }

  private func clone(from: Descriptor, to: Descriptor) throws(FileError) -> Bool {
    do throws(FileError) {
      try perform(.clone, to.path) { openwo_clone(from.number, to.number) }
      return true
    } catch let error
      where error.isUnsupported || [EXDEV, EBADF, EPERM, ETXTBSY].contains(error.errno)
    {
      return false
    }
  }
}
