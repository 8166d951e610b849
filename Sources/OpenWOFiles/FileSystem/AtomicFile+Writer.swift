extension AtomicFile {
  /// Takes the bytes of a file on its way, in order.
  package struct Writer {
    /// How many bytes were appended.
    package private(set) var count: Int64 = 0
    private let descriptor: Descriptor
    private let fileSystem: FileSystem
    private var pending: [UInt8] = []

    init(descriptor: Descriptor, fileSystem: FileSystem) {
      self.descriptor = descriptor
      self.fileSystem = fileSystem
    }

    /// Small pieces are gathered until they are worth a system call.
    private static let gathered = 64 * 1024

    /// Reserves room for a file of this size, so that a full disk shows before the writing.
    package func reserve(bytes: Int64) throws(FileError) {
      try fileSystem.allocate(descriptor, bytes: bytes)
    }

    /// Appends bytes.
    package mutating func append(_ bytes: UnsafeRawBufferPointer) throws(FileError) {
      if bytes.count >= Writer.gathered {
        try flush()
        try fileSystem.pwrite(descriptor, at: count, bytes)
      } else {
        if pending.count + bytes.count > Writer.gathered { try flush() }
        pending.append(contentsOf: bytes)
      }
      count += Int64(bytes.count)
    }

    /// Appends bytes.
    package mutating func append(_ bytes: [UInt8]) throws(FileError) {
      try bytes.withUnsafeBufferPointer { (buffer) throws(FileError) in
        try append(UnsafeRawBufferPointer(buffer))
      }
    }

    /// Appends all content of an open file; a longer one than the limit is too large.
    package mutating func append(
      contentsOf source: Descriptor, limit: Int64 = .max
    ) throws(FileError) {
      let start = count
      try FileSystem.withBuffer { (buffer) throws(FileError) in
        while true {
          let done = count - start
          let read = try fileSystem.pread(source, at: done, into: buffer)
          guard read > 0 else { return }
          guard done + Int64(read) <= limit else { throw .tooLarge(source.path, limit: limit) }
          try append(UnsafeRawBufferPointer(rebasing: buffer[..<read]))
        }
      }
    }

    /// Writes all appended bytes into the staging file, and truncates the reserved rest.
    mutating func finish() throws(FileError) {
      try flush()
      if try fileSystem.fstat(descriptor).size != count {
        try fileSystem.truncate(descriptor, to: count)
      }
    }

    private mutating func flush() throws(FileError) {
      guard !pending.isEmpty else { return }
      let start = count - Int64(pending.count)
      try pending.withUnsafeBufferPointer { (buffer) throws(FileError) in
        try fileSystem.pwrite(descriptor, at: start, UnsafeRawBufferPointer(buffer))
      }
      pending.removeAll(keepingCapacity: true)
    }
  }
}
