import OpenWOCFiles
import SystemPackage

/// Calls on open files beyond reading and writing.
extension FileSystem {
  /// How an OS lock is held.
  package enum LockMode: Sendable, Hashable {
    case shared, exclusive
  }

  /// Takes an flock(2); when not blocking, a lock held elsewhere fails with EWOULDBLOCK.
  package func flock(
    _ descriptor: Descriptor, _ mode: LockMode, blocking: Bool = false
  ) throws(FileError) {
    let operation = (mode == .shared ? LOCK_SH : LOCK_EX) | (blocking ? 0 : LOCK_NB)
    try perform(.flock, descriptor.path) { openwo_flock(descriptor.number, operation) }
  }

  /// Releases an flock(2).
  package func unlock(_ descriptor: Descriptor) throws(FileError) {
    try perform(.funlock, descriptor.path) { openwo_flock(descriptor.number, LOCK_UN) }
  }

  /// Sets the size of the file.
  package func truncate(_ descriptor: Descriptor, to size: Int64) throws(FileError) {
    try perform(.truncate, descriptor.path) { ftruncate(descriptor.number, off_t(size)) }
  }

  /// Reserves room so that a full disk shows before the writing; the file may become longer.
  ///
  /// Does nothing if the file system knows no reservation.
  package func allocate(_ descriptor: Descriptor, bytes: Int64) throws(FileError) {
    guard bytes > 0 else { return }
    do throws(FileError) {
      try perform(.allocate, descriptor.path) { openwo_allocate(descriptor.number, bytes) }
    } catch let error where error.isUnsupported {}
  }

  /// Sets the permission bits, whatever the umask says.
  ///
  /// Does nothing if the file system keeps none.
  package func chmod(_ descriptor: Descriptor, _ mode: UInt16) throws(FileError) {
    do throws(FileError) {
      try perform(.setMode, descriptor.path) { fchmod(descriptor.number, mode_t(mode)) }
    } catch let error where error.isUnsupported || error.errno == EPERM {}
  }

  /// Gives one open file the owner, the extended attributes and the permissions of another.
  ///
  /// Attributes that this user may not set, or that the file system does not keep, are left as they
  /// are.
  package func copyAttributes(from: Descriptor, to: Descriptor) throws(FileError) {
    let (wanted, found) = (try fstat(from), try fstat(to))
    if wanted.uid != found.uid || wanted.gid != found.gid {
      try tolerant { () throws(FileError) in
        try perform(.setOwner, to.path) { fchown(to.number, wanted.uid, wanted.gid) }
      }
    }
    for name in try attributeNames(of: from) {
      try tolerant { () throws(FileError) in
        try setAttribute(name, of: to, to: attribute(name, of: from))
      }
    }
    // Last: a change of owner takes bits away.
    try chmod(to, wanted.mode)
  }

  /// The names of the extended attributes; none if the file system keeps none.
  package func attributeNames(of descriptor: Descriptor) throws(FileError) -> [String] {
    var names: [UInt8] = []
    try tolerant { () throws(FileError) in
      names = try attribute(of: descriptor) { openwo_list_attributes(descriptor.number, $0, $1) }
    }
    return names.split(separator: 0).map { String(decoding: $0, as: UTF8.self) }
  }

  /// The value of an extended attribute.
  package func attribute(
    _ name: String, of descriptor: Descriptor
  ) throws(FileError) -> [UInt8] {
    try attribute(of: descriptor) { openwo_get_attribute(descriptor.number, name, $0, $1) }
  }

  /// Sets an extended attribute.
  package func setAttribute(
    _ name: String, of descriptor: Descriptor, to value: [UInt8]
  ) throws(FileError) {
    try perform(.writeAttribute, descriptor.path) {
      openwo_set_attribute(descriptor.number, name, value, value.count)
    }
  }

  /// Linux lets no attribute, and no list of their names, be larger.
  private static let largestAttribute = 65_536

  private func attribute(
    of descriptor: Descriptor, _ read: (UnsafeMutablePointer<CChar>?, Int) -> Int
  ) throws(FileError) -> [UInt8] {
    var buffer = [CChar](repeating: 0, count: FileSystem.largestAttribute)
    let count = try perform(.readAttributes, descriptor.path) {
      buffer.withUnsafeMutableBufferPointer { read($0.baseAddress, $0.count) }
    }
    return buffer[..<count].map { UInt8(bitPattern: $0) }
  }

  private func tolerant(_ body: () throws(FileError) -> Void) throws(FileError) {
    do throws(FileError) {
      try body()
    } catch {
      let isGone = error.errno == openwo_no_attribute()
      let isTooLarge = error.errno == ERANGE
      guard error.isUnsupported || error.isNotPermitted || isGone || isTooLarge else { throw error }
    }
  }
}
