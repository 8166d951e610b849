import OpenWOCFiles

/// The status of a file from stat(2); times in nanoseconds since 1970.
package struct FileStatus: Sendable, Hashable {
  /// The kind of file at a name.
  package enum Kind: Sendable, Hashable {
    case regular, directory, symlink, other
  }

  /// The file's file system.
  package var device: UInt64
  /// The number of the file there.
  package var inode: UInt64
  /// In bytes.
  package var size: Int64
  /// When the content last changed, unless a program has set it.
  package var mtime: Int64
  /// When anything about the file last changed; nobody can set it.
  package var ctime: Int64
  /// The permission bits, without the kind.
  package var mode: UInt16
  /// Its kind.
  package var kind: Kind
  /// How many names it has.
  package var links: UInt64
  /// The number of its owner.
  package var uid: UInt32
  /// The number of its group.
  package var gid: UInt32
  /// Blocks of 512 bytes that the file takes up: a sparse file has few.
  package var blocks: Int64

  init(_ raw: openwo_status) {
    device = raw.device
    inode = raw.inode
    size = raw.size
    mtime = raw.mtime
    ctime = raw.ctime
    mode = UInt16(raw.mode & 0o7777)
    kind =
      switch raw.mode & 0o170000 {
      case 0o100000: .regular
      case 0o040000: .directory
      case 0o120000: .symlink
      default: .other
      }
    links = raw.links
    uid = raw.uid
    gid = raw.gid
    blocks = raw.blocks
  }

  /// Whether both are the same file, whatever its names.
  package func isSameFile(as other: FileStatus) -> Bool {
    device == other.device && inode == other.inode
  }

  /// Whether it is a file with other hard links, so that a write changes it under all of its names.
  package var hasOtherNames: Bool { kind == .regular && links > 1 }

  /// Whether it is nearly all holes, as no program writes a database or its journal: reading it would take ages.
  ///
  /// File systems that pack what is written save much less than that.
  package var isHollow: Bool {
    size > 64 * 1024 * 1024 && blocks < size / 512 / 64
  }

  /// The signature of this state of the file.
  package var signature: FileSignature {
    FileSignature(device: device, inode: inode, size: size, mtime: mtime, ctime: ctime)
  }
}
