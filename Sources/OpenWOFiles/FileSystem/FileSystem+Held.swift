import OpenWOCFiles
package import SystemPackage

/// Working in folders that are held open, so that a path that leads elsewhere by now is not followed.
extension FileSystem {
  /// Opens a folder to be held; a link to one is refused.
  package func hold(_ folder: FilePath) throws(FileError) -> Descriptor {
    try open(folder, .readOnly, options: [.directory, .noFollow])
  }

  /// The same file system, which opens, makes, renames and removes names of a held folder through
  /// its handle and never through its path.
  ///
  /// If the folder was renamed or unmounted meanwhile, the changes go into it; nothing is made at
  /// its old path.
  package func holding(_ folder: Descriptor) -> FileSystem {
    var copy = self
    copy.held.append(folder)
    return copy
  }

  /// Opens a folder directly in a held one, and makes it if it is missing.
  package func holdMaking(_ folder: FilePath, mode: UInt16) throws(FileError) -> Descriptor {
    do throws(FileError) {
      try makeDirectory(folder, mode: mode)
      if sharing != nil { try shareFolder(hold(folder)) }
      // Without its name on the medium, a power failure takes the folder and all that is in it.
      try syncFolder(folder.removingLastComponent())
    } catch let error where error.isTaken {}
    return try hold(folder)
  }

  /// The held folder that a path is directly in, and its name there.
  func heldName(_ path: FilePath) -> (folder: Int32, name: FilePath)? {
    guard !held.isEmpty, let name = path.lastComponent else { return nil }
    let parent = path.removingLastComponent()
    guard let folder = held.last(where: { $0.path == parent }) else { return nil }
    return (folder.number, FilePath(root: nil, [name]))
  }

  /// The held folder that two paths are directly in, and their names there.
  func heldNames(_ path: FilePath, _ other: FilePath) -> (folder: Int32, names: [FilePath])? {
    guard let one = heldName(path), let two = heldName(other), one.folder == two.folder else {
      return nil
    }
    return (one.folder, [one.name, two.name])
  }
}
