import OpenWOCFiles
package import SystemPackage

/// The only door to system calls for files: each is made once in full, interrupted or not, and an
/// observer may watch it or make it fail.
package struct FileSystem: Sendable {
  private let observer: (any SystemCallObserver)?
  /// The folders that must not be links when a name in them is made, changed, removed or listed.
  private var ownFolders: [(path: FilePath, bytes: [CChar])] = []
  /// The folders that are held open: names in them are made there, whatever has the folder's own name by now.
  var held: [Descriptor] = []
  /// For whom files and folders are made; nil: as each call says.
  var sharing: FileSharing?

  /// Makes a door; without an observer it costs what the call itself costs.
  package init(observer: (any SystemCallObserver)? = nil) {
    self.observer = observer
  }

  /// The same file system, which changes and lists nothing through these folders if one of them is
  /// a link.
  ///
  /// Anybody who can write the synced folder can put a link there at any moment. The folders above
  /// must already be free of links.
  package func refusingLinks(at folders: [FilePath]) -> FileSystem {
    var copy = self
    copy.ownFolders = folders.map { folder in
      (
        folder,
        folder.withPlatformString { Array(UnsafeBufferPointer(start: $0, count: strlen($0))) }
      )
    }
    return copy
  }

  /// Fails with ``FileError/isLinkedFolder`` if the path, or a folder of ours above it, is a link.
  package func refuseLinks(on path: FilePath) throws(FileError) {
    for folder in ownFolders(onTheWayTo: path) {
      guard try statusIfPresent(folder)?.kind == .symlink else { continue }
      throw .linkedFolder(folder)
    }
  }

  /// Compared byte by byte, since this is asked before every other call.
  private func ownFolders(onTheWayTo path: FilePath) -> [FilePath] {
    if ownFolders.isEmpty { return [] }
    return path.withPlatformString { name in
      ownFolders.filter { _, bytes in
        guard strncmp(name, bytes, bytes.count) == 0 else { return false }
        return [0, CChar(UInt8(ascii: "/"))].contains(name[bytes.count])
      }.map(\.path)
    }
  }

  /// Makes one call, again if a signal interrupts it, and turns −1 into an error.
  @discardableResult
  func perform<Result: SignedInteger>(
    _ kind: SystemCall.Kind, _ path: FilePath?, _ otherPath: FilePath? = nil, _ body: () -> Result
  ) throws(FileError) -> Result {
    while true {
      if let observer {
        do throws(FileError) {
          try observer.willCall(SystemCall(kind, path, otherPath))
        } catch let error where error.errno == EINTR {
          continue
        }
      }
      let result = body()
      if result != -1 {
        observer?.didCall(SystemCall(kind, path, otherPath))
        return result
      }
      let code = openwo_errno()
      if code != EINTR { throw FileError(kind, path, otherPath, errno: code) }
    }
  }

  /// Opens a file; it is never handed on to a child process.
  ///
  /// The permissions are those of a file that the call makes, cut down by the umask.
  package func open(
    _ path: FilePath, _ access: FileDescriptor.AccessMode,
    options: FileDescriptor.OpenOptions = [], permissions: UInt16 = 0o600
  ) throws(FileError) -> Descriptor {
    let flags = access.rawValue | options.union(.closeOnExec).rawValue
    if let (folder, name) = heldName(path) {
      let number = try perform(.open, path) {
        name.withPlatformString { openwo_open_in(folder, $0, flags, mode_t(permissions)) }
      }
      return Descriptor(number, path: path)
    }
    if options.contains(.create) { try refuseLinks(on: path) }
    let number = try perform(.open, path) {
      path.withPlatformString { openwo_open($0, flags, mode_t(permissions)) }
    }
    return Descriptor(number, path: path)
  }

  /// Opens a regular file of unknown origin for reading: no link is followed, no pipe is waited for.
  package func openRegular(
    _ path: FilePath
  ) throws(FileError) -> (descriptor: Descriptor, status: FileStatus) {
    let descriptor = try open(path, .readOnly, options: [.noFollow, .nonBlocking])
    let status = try fstat(descriptor)
    guard status.kind == .regular else {
      throw FileError(.open, path, errno: EINVAL, detail: "not a regular file")
    }
    return (descriptor, status)
  }

  /// The two ends of a pipe, to read from and to write to; neither ever waits.
  func pipe() throws(FileError) -> (Descriptor, Descriptor) {
    var ends: [Int32] = [-1, -1]
    try perform(.open, nil) { openwo_pipe(&ends) }
    return (Descriptor(ends[0], path: ""), Descriptor(ends[1], path: ""))
  }

  /// Closes the file and says if that fails; dropping the last reference closes it silently.
  package func close(_ descriptor: Descriptor) throws(FileError) {
    let number = descriptor.surrender()
    guard number >= 0 else { return }
    // Linux has closed the descriptor even when it answers EINTR: closing twice could hit another.
    try perform(.close, descriptor.path) {
      let result = OpenWOCFiles.close(number)
      return result == -1 && openwo_errno() == EINTR ? 0 : result
    }
  }

  /// Reads up to the buffer's size at an offset; fewer bytes mean the end of the file.
  package func pread(
    _ descriptor: Descriptor, at offset: Int64, into buffer: UnsafeMutableRawBufferPointer
  ) throws(FileError) -> Int {
    var done = 0
    while done < buffer.count {
      let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[done...])
      let count = try perform(.read, descriptor.path) {
        OpenWOCFiles.pread(
          descriptor.number, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
      }
      if count == 0 { break }
      done += count
    }
    return done
  }

  /// Writes all bytes at an offset.
  package func pwrite(
    _ descriptor: Descriptor, at offset: Int64, _ bytes: UnsafeRawBufferPointer
  ) throws(FileError) {
    var done = 0
    while done < bytes.count {
      let rest = UnsafeRawBufferPointer(rebasing: bytes[done...])
      done += try perform(.write, descriptor.path) {
        OpenWOCFiles.pwrite(
          descriptor.number, rest.baseAddress, rest.count, off_t(offset) + off_t(done))
      }
    }
  }

  /// Syncs the file's content to the disk.
  package func fsync(_ descriptor: Descriptor) throws(FileError) {
    try perform(.fsync, descriptor.path) { openwo_sync(descriptor.number) }
  }

  /// Syncs the folder's names to the disk, if the file system has such a call.
  package func syncFolder(_ folder: FilePath) throws(FileError) {
    var descriptor = held.last { $0.path == folder }
    if descriptor == nil { descriptor = try open(folder, .readOnly, options: .directory) }
    guard let descriptor else { return }
    do throws(FileError) {
      try fsync(descriptor)
    } catch let error where error.isUnsupported {}
  }

  /// Looks at an open file.
  package func fstat(_ descriptor: Descriptor) throws(FileError) -> FileStatus {
    var raw = openwo_status()
    try perform(.stat, descriptor.path) { openwo_status_of_descriptor(descriptor.number, &raw) }
    return seen(raw)
  }

  /// Returns the status of a file, following links.
  package func stat(_ path: FilePath) throws(FileError) -> FileStatus {
    try status(of: path, follow: 1)
  }

  /// Returns the status of a file, or of a link itself.
  package func lstat(_ path: FilePath) throws(FileError) -> FileStatus {
    try status(of: path, follow: 0)
  }

  private func status(of path: FilePath, follow: Int32) throws(FileError) -> FileStatus {
    var raw = openwo_status()
    try perform(.stat, path) {
      path.withPlatformString { openwo_status_of($0, follow, &raw) }
    }
    return seen(raw)
  }

  /// The status of a file directly in an open folder, or of a link itself.
  func status(of name: String, in folder: Descriptor) throws(FileError) -> FileStatus {
    var raw = openwo_status()
    try perform(.stat, observer == nil ? folder.path : folder.path.appending(name)) {
      name.withCString { openwo_status_in(folder.number, $0, &raw) }
    }
    return seen(raw)
  }

  private func seen(_ raw: openwo_status) -> FileStatus {
    let status = FileStatus(raw)
    return observer?.seen(status) ?? status
  }

  /// The status of a file, or of a link itself; nil if there is none.
  package func statusIfPresent(_ path: FilePath) throws(FileError) -> FileStatus? {
    do throws(FileError) {
      return try lstat(path)
    } catch let error where error.isMissing || error.errno == ENAMETOOLONG {
      return nil
    }
  }
}
