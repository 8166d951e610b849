/// What tells one state of a file from the next without reading it.
///
/// A service can put mtime back, never ctime. Inode numbers are reused at once on some file
/// systems, so equal signatures of two moments are a strong hint and no proof.
package struct FileSignature: Sendable, Hashable, Codable {
  /// The file system the file lies on.
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
  /// Writing moves both times on at once. A service that brings another content into a file that stands there sets the first one mostly.
  package func isWritten(since other: FileSignature?) -> Bool {
    isSameFile(as: other) && mtime == ctime
  }
}
