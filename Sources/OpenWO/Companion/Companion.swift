import OpenWOFiles
import SystemPackage

/// The companion of one store, for writing.
///
/// A missing folder is made only in a companion whose `store.json` was just read and is this
/// store's. The companion is held open meanwhile, so nothing is ever made at a path from which the
/// store has gone.
struct Companion {
  let paths: StorePaths
  /// The id that its `store.json` has.
  let store: String
  let files: FileSystem

  /// Fails while the companion or its `store.json` is away.
  func check() throws {
    guard try files.statusIfPresent(paths.manifest) != nil else { throw StoreError.away(paths) }
  }

  /// Runs a body with a door that writes in one of the companion's folders, which is made if it is missing.
  ///
  /// - Throws: `unavailable` while the companion is away, or is another store's.
  func inside<Result>(
    _ folder: FilePath, mode: UInt16 = 0o700, _ body: (FileSystem) throws -> Result
  ) throws -> Result {
    try files.refuseLinks(on: folder)
    let files = try files.sharing(as: paths.sharing(files))
    let held = try files.holding(held()).holdMaking(folder, mode: mode)
    return try body(files.holding(held))
  }

  /// The folder that the companion is in, held open, if the companion is this store's.
  func folderAround() throws -> Descriptor {
    let folder = try files.hold(paths.folder)
    _ = try held(by: files.holding(folder))
    return folder
  }

  /// Whether an id is this store's, or that of a store which this one was joined with.
  private func isThis(_ id: String) throws -> Bool {
    try StateFolder(paths: paths, files: files).isOne(id, store)
  }

  /// The companion, held open, if it is this store's.
  private func held() throws -> Descriptor { try held(by: files) }

  private func held(by files: FileSystem) throws -> Descriptor {
    do {
      let folder = try files.hold(paths.companion)
      let found = try CompanionFile.read(
        StoreManifest.self, at: paths.manifest, files.holding(folder))
      guard let found, try isThis(found.store) else { throw StoreError.away(paths) }
      return folder
    } catch let error as FileError where error.isMissing {
      throw StoreError.away(paths)
    } catch is DecodingError {
      throw StoreError.away(paths)
    }
  }
}

extension StoreError {
  /// The companion is away, or has no `store.json` of this store.
  static func away(_ paths: StorePaths) -> StoreError {
    StoreError(
      .unavailable,
      "\(paths.called(paths.manifest).printable) is away, so nothing was written there; your data is safe, and "
        + "versions that wait stay in the state folder",
      advice: paths.next("once the folder is back", .sync), remedies: [.checkFolder, .sync])
  }
}

extension StorePaths {
  /// The owner and permissions of the store's files: the same people can read and write them as the
  /// database.
  ///
  /// If the database is missing, `store.json` decides.
  func sharing(_ files: FileSystem) throws(FileError) -> FileSharing? {
    for path in [database, manifest] {
      guard let status = try files.statusIfPresent(path), status.kind == .regular else { continue }
      return FileSharing(as: status)
    }
    return nil
  }
}
