/// The signature that distinguishes states of a file without reading it.
///
/// A service can set mtime back, but never ctime. Some file systems reuse inode numbers at once, so
/// equal signatures of two moments are a strong hint, not a proof.
package struct FileSignature: Sendable, Hashable, Codable {
  /// The file's file system.
  package var device: UInt64
  /// The number of the file there.
  package var inode: UInt64
  /// In bytes.
  package var size: Int64
  /// Nanoseconds since 1970.
  package var mtime: Int64
  /// Nanoseconds since 1970.
  package var ctime: Int64

  /// A signature of its parts.
  package init(device: UInt64, inode: UInt64, size: Int64, mtime: Int64, ctime: Int64) {
    self.device = device
    self.inode = inode
    self.size = size
    self.mtime = mtime
    self.ctime = ctime
  }

  /// Whether it is that of the same file, whatever was written into it since.
  package func isSameFile(as other: FileSignature?) -> Bool {
    device == other?.device && inode == other?.inode
  }

  /// Whether a program wrote into the file since the other one was taken, and nobody has set its times.
  ///
  /// Writing advances both times together. A service that writes another content into the existing
  /// file usually sets the first one.
  package func isWritten(since other: FileSignature?) -> Bool {
    isSameFile(as: other) && mtime == ctime
  }
}
