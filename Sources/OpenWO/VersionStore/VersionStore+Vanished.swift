import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Versions that vanish from the folder without being pruned, for example if a backup is restored.
extension VersionStore {
  private var kept: KeptHeads { KeptHeads(folder: state.heads, files: files) }
  private var vanishedNote: VanishedNote { VanishedNote(path: state.vanished, files: files) }

  /// Keeps the live version in case it vanishes from the folder.
  ///
  /// It is a precaution: a failure prevents nothing.
  func keepHead(_ current: VersionID?) {
    guard let current, current != keptHead else { return }
    do {
      let archive = try listed().archive
      guard
        let own = archive.stored.first(where: {
          $0.version.id == current && $0.folder == paths.versions
        })
      else { return }
      try kept.keep(own, restingOn: (try? archive.chain(own.version.content)) ?? [])
      keptHead = current
    } catch {}
  }

  /// Which parent of a version was live on this device last; nil if none is known to have been.
  func lastLive(among parents: [VersionID]) throws -> VersionID? {
    try kept.heads().last { parents.contains($0) }
  }

  /// The kept versions that are missing from the folder and in no list of pruned versions, and
  /// since when.
  ///
  /// A companion that is missing or cannot be read just now says nothing.
  func vanished(_ listing: VersionListing, now: Timestamp) throws -> Sighting.Vanished? {
    guard try files.statusIfPresent(state.heads) != nil,
      listing.archive.unread == nil, try files.statusIfPresent(paths.manifest) != nil
    else { return nil }
    if listing.folders == vanishedSeen, listing.folders.allSatisfy({ $0 != nil }) { return nil }
    let accounted = listing.archive.accounted
    let gone = try kept.stored().map(\.version).filter { !accounted.contains($0.id) }
    guard !gone.isEmpty else {
      vanishedSeen = listing.folders
      try vanishedNote.clear()
      return nil
    }
    let ids = gone.map(\.id).sorted()
    let since = try vanishedNote.since(ids, now: now)
    return Sighting.Vanished(versions: ids, contents: Set(gone.map(\.content)), since: since)
  }

  /// The versions with damaged files in the folder of which this device has kept copies.
  func damagedButKept(_ listing: VersionListing) throws -> [VersionID] {
    guard try files.statusIfPresent(state.heads) != nil else { return [] }
    let wanted = try kept.stored().map(\.version).filter { try !isRestorable($0.content) }
    return wanted.filter(kept.isWhole).map(\.id).sorted()
  }

  /// Puts versions back into the folder, bases first.
  func putBack(_ ids: [VersionID], through companion: Companion) throws {
    let wanted = Set(ids)
    let missing = try kept.stored().filter { wanted.contains($0.version.id) }
    try companion.inside(paths.versions, mode: 0o755) { within in
      for file in missing {
        try AtomicFile.copy(
          file.path, to: paths.versions.appending(file.fileName), fileSystem: within)
      }
    }
    try vanishedNote.clear()
    try list()
  }
}
