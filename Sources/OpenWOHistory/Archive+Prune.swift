import OpenWOFiles
package import SystemPackage

extension Archive {
  /// Carries out a plan: first all that must be there afterwards, then what is removed.
  ///
  /// Wherever this stops, every kept version can be restored, and doing it again finishes it.
  ///
  /// - Parameters:
  ///   - plan: What ``RetentionPlan`` found.
  ///   - folder: The folder that the plan was made for.
  ///   - listing: What the scan saw that the plan was made of.
  /// - Throws: `FileError`, and ``HistoryError`` when a version to be stored in full cannot be read; then nothing has been
  ///   removed.
  package func prune(
    _ plan: RetentionPlan, in folder: FilePath, _ listing: ArchiveListing
  ) throws {
    for stored in plan.rewriteAsFull {
      let reader = try reader(stored.version.content, in: listing)
      try write(stored.version, .full(reader), into: folder)
    }
    let lists = PrunedList.lists(listing.graph, forgetting: plan.forgotten)
    var names: Set<String> = []
    for list in lists {
      let bytes = list.bytes
      let name = list.fileName(of: bytes)
      names.insert(name)
      if listing.files[folder]?[name] == nil {
        try AtomicFile.write(bytes, to: folder.appending(name), fileSystem: fileSystem)
      }
    }
    for stored in plan.remove where stored.folder == folder { try remove(stored.path) }
    for (name, file) in listing.files[folder] ?? [:] where !names.contains(name) {
      if case .pruned = file { try remove(folder.appending(name)) }
    }
  }

  private func remove(_ path: FilePath) throws(FileError) {
    do throws(FileError) {
      try fileSystem.unlink(path)
    } catch let error where error.isMissing {}
  }
}
