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
      try write(stored.version, .full(reader), into: folder, replacing: true)
    }
    let graph = listing.graph
    let lists = PrunedList.files(graph, listed: listing.listed, forgetting: plan.forgotten)
    for (name, bytes) in lists where listing.files[folder]?[name] == nil {
      try AtomicFile.write(bytes, to: folder.appending(name), fileSystem: fileSystem)
    }
    let names = Set(lists.map(\.name))
    let isListed = Set(plan.forgotten.lazy.map(\.id))
    for stored in plan.remove where stored.folder == folder { try remove(stored.path) }
    for case (let name, .pruned(let list)) in listing.files[folder] ?? [:]
    where !names.contains(name)
      && list.versions.allSatisfy({ graph.isPruned($0.id) || isListed.contains($0.id) })
    {
      try remove(folder.appending(name))
    }
  }

  private func remove(_ path: FilePath) throws(FileError) {
    do throws(FileError) {
      try fileSystem.unlink(path)
    } catch let error where error.isMissing {}
  }
}
