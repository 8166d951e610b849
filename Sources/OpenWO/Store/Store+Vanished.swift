import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Versions that vanish from the folder without being pruned, for example if a backup is restored.
extension Store {
  private var kept: KeptHeads { KeptHeads(folder: state.heads, files: files) }
  private var vanishedNote: VanishedNote { VanishedNote(path: state.vanished, files: files) }

  /// Keeps the live version in case it vanishes from the folder.
  ///
  /// It is a precaution: a failure prevents nothing.
  func keepHead() {
    guard let current = record?.current, current != keptHead else { return }
    do {
      let archive = try versions().archive
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
  func vanished(_ listing: VersionListing) throws -> Sighting.Vanished? {
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

  /// Puts versions back into the folder, bases first; the folder's older content stays live as a restored version.
  func putBackVanished(_ ids: [VersionID]) throws {
    try asWriter {
      let wanted = Set(ids)
      let missing = try kept.stored().filter { wanted.contains($0.version.id) }
      try companion.inside(paths.versions, mode: 0o755) { within in
        for file in missing {
          try AtomicFile.copy(
            file.path, to: paths.versions.appending(file.fileName), fileSystem: within)
        }
      }
      try vanishedNote.clear()
      try listVersions()
      try keepOlderLive()
    }
    try announceHead()
  }

  /// Makes a version of the older content that came back with the folder, on top of the newer one: a person may have wanted it.
  private func keepOlderLive() throws {
    let listing = try versions()
    guard listing.arrivedHeads.count == 1, let head = listing.arrivedHeads.first?.version,
      case .whole(let content, _) = try VersionDetector(store: self).lookAtLive(listing),
      content != head.content
    else { return }
    let before = listing.graph.ancestors(of: head.id)
    let older = listing.graph.newestFirst.first { $0.content == content && before.contains($0.id) }
    guard let older else { return }
    let file = try openLiveFile()
    try file.connection.withReadLock {
      guard try file.isUntouched() else { throw LiveFileChanged() }
      let found = try LiveContent(file.connection)
      let digests = try found.digests()
      guard digests.root == content else { throw LiveFileChanged() }
      let version = try make(
        older.facts, .restore, parents: listing.graph.family(of: head.id),
        note: Version.putBackNote + older.id.short)
      try keep(version, payload(version, found))
      try note(version.id, digests)
      unpublishedSince = unpublishedSince ?? clock.monotonic()
      events.send(.captured(version.id, reason: .restore))
    }
  }
}

extension VersionListing {
  /// The newest head, if it keeps what came back with the folder, and the version that was live before.
  var putBack: StoreStatus.PutBack? {
    guard let head = graph.newestHead, let prefix = head.putBackVersion,
      let older = graph.newestFirst.first(where: { $0.id.description.hasPrefix(prefix) }),
      let newer = graph.winner(among: head.parents.compactMap { graph[$0] })
    else { return nil }
    return StoreStatus.PutBack(older: older.id, newer: newer.id)
  }
}
