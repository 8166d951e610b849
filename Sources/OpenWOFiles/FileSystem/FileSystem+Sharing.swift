import OpenWOCFiles

/// Who may read and write what is made in a folder that several accounts of a machine share.
package struct FileSharing: Sendable, Hashable {
  /// The owner, who can be given only by root.
  var uid: UInt32
  /// The group.
  var gid: UInt32
  /// Who may read and write a file; its owner always may.
  var mode: UInt16

  /// As with a file that is there, such as the database.
  package init(as file: FileStatus) {
    (uid, gid) = (file.uid, file.gid)
    mode = file.mode & 0o666 | 0o600
  }

  /// The mode of a folder: those who can read a file can enter the folder.
  var folderMode: UInt16 { mode | (mode & 0o444) >> 2 }
}

/// Making files and folders that are shared as another file is.
extension FileSystem {
  /// The same file system, which makes files and folders with the owner and permissions of an
  /// existing file.
  package func sharing(as sharing: FileSharing?) -> FileSystem {
    var copy = self
    copy.sharing = sharing
    return copy
  }

  /// Gives a new file its owner, group and permissions, whatever the umask.
  package func share(_ made: Descriptor, otherwise permissions: UInt16) throws(FileError) {
    guard let sharing else { return try chmod(made, permissions) }
    _ = try own(made, sharing)
    try chmod(made, isInGroup(made, sharing) ? sharing.mode : Self.withoutGroup(sharing.mode))
  }

  /// Does the same with a folder that was just made.
  func shareFolder(_ made: Descriptor) throws(FileError) {
    guard let sharing else { return }
    let found = try own(made, sharing)
    let mode =
      try isInGroup(made, sharing)
      ? sharing.folderMode : Self.withoutGroup(sharing.folderMode)
    // The bit by which what is made in it gets its group stays.
    try chmod(made, mode | found.mode & 0o7000)
  }

  private func own(_ made: Descriptor, _ sharing: FileSharing) throws(FileError) -> FileStatus {
    let found = try fstat(made)
    let uid = geteuid() == 0 ? sharing.uid : found.uid
    guard found.gid != sharing.gid || found.uid != uid else { return found }
    do throws(FileError) {
      try perform(.setOwner, made.path) { fchown(made.number, uid, sharing.gid) }
    } catch let error where error.isUnsupported || error.errno == EPERM {}
    return found
  }

  private func isInGroup(_ made: Descriptor, _ sharing: FileSharing) throws(FileError) -> Bool {
    try fstat(made).gid == sharing.gid
  }

  /// A group that is not the one that was meant may do no more than everybody.
  private static func withoutGroup(_ mode: UInt16) -> UInt16 {
    mode & ~0o070 | mode & (mode & 0o007) << 3
  }
}
