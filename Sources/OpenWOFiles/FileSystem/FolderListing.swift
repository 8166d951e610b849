import SystemPackage

/// The content of some folders at one moment, to be compared with another moment.
struct FolderListing: Equatable {
  private var entries: [FilePath: [FilePath.Component: FileSignature]] = [:]

  /// Looks at the folders; those that are missing or closed to us hold nothing.
  init(of folders: [FilePath], _ files: FileSystem) {
    for folder in folders {
      // The folder's own state shows that it was replaced, and new names if they are too many.
      var signatures: [FilePath.Component: FileSignature] = [:]
      signatures["."] = try? files.stat(folder).signature
      for name in (try? files.list(folder)) ?? [] {
        // A name that is gone by now is as good as never seen.
        signatures[name] = try? files.lstat(folder.appending(name)).signature
      }
      entries[folder] = signatures
    }
  }
}
