import OpenWOCFiles
package import SystemPackage

/// Calls that change names, and the metadata of a file.
extension FileSystem {
  /// Gives a file another name; whatever had that name is gone.
  package func rename(_ path: FilePath, to new: FilePath) throws(FileError) {
    if let (folder, names) = heldNames(path, new) {
      try both(.rename, path, new, names) { OpenWOCFiles.renameat(folder, $0, folder, $1) }
    } else {
      try both(.rename, path, new) { OpenWOCFiles.rename($0, $1) }
    }
  }

  /// Renames a file unless the new name is taken (EEXIST).
  ///
  /// If the file system cannot do that in one step, the file has both names for a moment, or for
  /// good if the old one cannot be removed.
  package func renameNew(_ path: FilePath, to new: FilePath) throws(FileError) {
    do throws(FileError) {
      if let (folder, names) = heldNames(path, new) {
        try both(.renameNew, path, new, names) { openwo_rename_new_in(folder, $0, $1) }
      } else {
        try both(.renameNew, path, new) { openwo_rename_new($0, $1) }
      }
    } catch let error where error.isUnsupported {
      try link(path, to: new)
      try? unlink(path)
    }
  }

  /// Swaps two files in one step: no moment has either name missing.
  ///
  /// It fails with EINVAL or ENOSYS if the file system cannot do that (FUSE): then use link and
  /// rename.
  package func exchange(_ path: FilePath, _ other: FilePath) throws(FileError) {
    try both(.exchange, path, other) { openwo_exchange($0, $1) }
  }

  /// Gives a file a second name; fails with EEXIST when that is taken.
  package func link(_ path: FilePath, to new: FilePath) throws(FileError) {
    if let (folder, names) = heldNames(path, new) {
      try both(.link, path, new, names) { OpenWOCFiles.linkat(folder, $0, folder, $1, 0) }
    } else {
      try both(.link, path, new) { OpenWOCFiles.link($0, $1) }
    }
  }

  /// Makes a symbolic link to another name in the same folder; fails with EEXIST if the name is
  /// taken.
  package func linkName(_ path: FilePath, to target: FilePath.Component) throws(FileError) {
    try refuseLinks(on: path)
    try perform(.link, path) {
      path.withPlatformString { name in
        target.withPlatformString { OpenWOCFiles.symlink($0, name) }
      }
    }
  }

  /// Makes a call with two paths, or with the names that they have in a held folder.
  private func both(
    _ kind: SystemCall.Kind, _ path: FilePath, _ other: FilePath, _ names: [FilePath]? = nil,
    _ body: (UnsafePointer<CChar>, UnsafePointer<CChar>) -> Int32
  ) throws(FileError) {
    if names == nil { for name in [path, other] { try refuseLinks(on: name) } }
    let words = names ?? [path, other]
    try perform(kind, path, other) {
      words[0].withPlatformString { one in words[1].withPlatformString { body(one, $0) } }
    }
  }

  /// Removes a name that is not a folder's.
  package func unlink(_ path: FilePath) throws(FileError) {
    if let (folder, name) = heldName(path) {
      try perform(.unlink, path) {
        name.withPlatformString { OpenWOCFiles.unlinkat(folder, $0, 0) }
      }
      return
    }
    try refuseLinks(on: path)
    try perform(.unlink, path) { path.withPlatformString { OpenWOCFiles.unlink($0) } }
  }

  /// Makes a folder; fails with EEXIST when the name is taken.
  package func makeDirectory(_ path: FilePath, mode: UInt16 = 0o700) throws(FileError) {
    if let (folder, name) = heldName(path) {
      try perform(.mkdir, path) {
        name.withPlatformString { OpenWOCFiles.mkdirat(folder, $0, mode_t(mode)) }
      }
      return
    }
    try refuseLinks(on: path)
    try perform(.mkdir, path) {
      path.withPlatformString { OpenWOCFiles.mkdir($0, mode_t(mode)) }
    }
  }

  /// Makes a folder and missing ones above it; an existing folder is fine.
  package func makeDirectories(_ path: FilePath, mode: UInt16 = 0o700) throws(FileError) {
    do throws(FileError) {
      try makeDirectory(path, mode: mode)
    } catch let error where error.errno == ENOENT && path.removingLastComponent() != path {
      try makeDirectories(path.removingLastComponent(), mode: mode)
      return try makeDirectories(path, mode: mode)
    } catch let error where error.isTaken {
      guard try stat(path).kind == .directory else { throw error }
      return
    }
    // Without its name on the medium, a power failure takes the folder and all that is in it.
    do throws(FileError) {
      try syncFolder(path.removingLastComponent().orWorkingFolder)
    } catch let error where error.errno == EACCES {
      // A folder that may be entered and not listed cannot be made durable by us.
    }
  }

  /// Removes an empty folder.
  package func removeDirectory(_ path: FilePath) throws(FileError) {
    try perform(.rmdir, path) { path.withPlatformString { OpenWOCFiles.rmdir($0) } }
  }

  /// Removes a folder with all that is in it; links are removed and not followed.
  package func removeTree(_ folder: FilePath) throws(FileError) {
    for name in try list(folder) {
      let path = folder.appending(name)
      if try lstat(path).kind == .directory {
        try removeTree(path)
      } else {
        try unlink(path)
      }
    }
    try removeDirectory(folder)
  }

  /// The names in a folder that pass the test, in no order.
  ///
  /// More such names than the limit are ``FileError/isTooLarge``.
  package func list(
    _ folder: FilePath, limit: Int = 100_000,
    where passes: (FilePath.Component) -> Bool = { _ in true }
  ) throws(FileError) -> [FilePath.Component] {
    try names(in: folder, limit: limit) { text in
      // "." and ".." are not names of files.
      guard let name = FilePath.Component(platformString: text), name.kind == .regular,
        passes(name)
      else { return nil }
      return name
    }
  }

  /// The names in a folder of thousands, in no order.
  package func listMany(_ folder: FilePath, limit: Int) throws(FileError) -> [FolderName] {
    try names(in: folder, limit: limit) { FolderName($0) }
  }

  private func names<Name>(
    in folder: FilePath, limit: Int, _ make: (UnsafePointer<CChar>) -> Name?
  ) throws(FileError) -> [Name] {
    try refuseLinks(on: folder)
    var names: [Name] = []
    var overflow = false
    try perform(.list, folder) { () -> Int32 in
      guard let stream = folder.withPlatformString({ opendir($0) }) else { return -1 }
      names = []
      while let text = openwo_next_name(stream) {
        guard let name = make(text) else { continue }
        overflow = names.count == limit
        if overflow { break }
        names.append(name)
      }
      let isWhole = overflow || openwo_errno() == 0
      openwo_close_folder(stream)
      return isWhole ? 0 : -1
    }
    guard !overflow else {
      throw FileError(.list, folder, errno: EOVERFLOW, detail: "more than \(limit) names")
    }
    return names
  }

  /// The statuses of files directly in a folder, of links themselves; nil for those that are missing.
  ///
  /// The folder is opened once, so that its path is not walked for each of them.
  package func statuses(
    of names: some Collection<String>, in folder: FilePath
  ) throws(FileError) -> [FileStatus?] {
    let handle = try hold(folder)
    var found: [FileStatus?] = []
    found.reserveCapacity(names.count)
    for name in names {
      do throws(FileError) {
        found.append(try status(of: name, in: handle))
      } catch let error where error.isMissing {
        found.append(nil)
      }
    }
    return found
  }

  /// The path without links, `.` and `..`, from the root.
  package func realpath(_ path: FilePath) throws(FileError) -> FilePath {
    var result = FilePath()
    try perform(.realpath, path) { () -> Int32 in
      guard let text = path.withPlatformString({ OpenWOCFiles.realpath($0, nil) }) else {
        return -1
      }
      defer { free(text) }
      result = FilePath(platformString: text)
      return 0
    }
    return result
  }

  /// Fails unless this user may read a folder, find files in it and make some.
  package func checkUsable(folder: FilePath) throws(FileError) {
    try perform(.access, folder) {
      folder.withPlatformString { OpenWOCFiles.access($0, R_OK | W_OK | X_OK) }
    }
  }

  /// Fails unless this user may read a file.
  package func checkReadable(_ path: FilePath) throws(FileError) {
    try perform(.access, path) { path.withPlatformString { OpenWOCFiles.access($0, R_OK) } }
  }

  /// Throws why this user may not write there, also if the file system is read-only.
  package func checkWritable(_ path: FilePath) throws(FileError) {
    try perform(.access, path) { path.withPlatformString { OpenWOCFiles.access($0, W_OK) } }
  }

  /// The bytes that this user can still write on the path's file system.
  package func freeSpace(_ path: FilePath) throws(FileError) -> Int64 {
    try perform(.freeSpace, path) { path.withPlatformString { openwo_free_space($0) } }
  }

  /// Sets the modification time, of a link itself too; nanoseconds since 1970.
  package func setTimes(_ path: FilePath, modified: Int64) throws(FileError) {
    try perform(.setTimes, path) { path.withPlatformString { openwo_set_mtime($0, modified) } }
  }

  /// Sets the permission bits, of what a link points to.
  package func chmod(_ path: FilePath, _ mode: UInt16) throws(FileError) {
    try perform(.setMode, path) {
      path.withPlatformString { OpenWOCFiles.chmod($0, mode_t(mode)) }
    }
  }
}
