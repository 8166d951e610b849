import OpenWOFiles
import OpenWOHistory
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Stores that began apart and are now one: which id stays, and what is reported.
extension Store {
  /// Keeps a copy of `store.json`, as it may be lost or replaced by another device's.
  ///
  /// If it cannot be written now, the next opening writes it.
  func keepManifest() {
    let path = state.manifest(manifest.store)
    if (try? files.statusIfPresent(path)) ?? nil == nil {
      try? CompanionFile.write(manifest, to: path, files)
    }
    let kept = try? CompanionFile.read(StoreManifest.self, at: state.manifest, files)
    guard kept?.store != manifest.store else { return }
    try? AtomicFile.copy(paths.manifest, to: state.manifest, durable: false, fileSystem: files)
  }

  /// Follows `store.json` where another device's has come in its place.
  ///
  /// - Throws: `otherStore` if nothing that this device has published is in the companion: that is
  ///   another account's store.
  func followManifest() throws {
    let found = try files.statusIfPresent(paths.manifest)?.signature
    guard let found, found != manifestSeen else { return }
    let new = try StoreManifest.load(paths, configuration)
    if new.store != manifest.store {
      guard try isOurs() else { throw StoreError.replacedStore(paths) }
      let states = StateFolder(paths: paths, files: configuration.files)
      try states.add(new.store, for: state)
    }
    (manifest, manifestSeen) = (new, found)
    keepManifest()
  }

  /// Whether the companion has what this device has published into it.
  private func isOurs() throws -> Bool {
    // An earlier companion at this path says nothing about this one.
    let found = try Archive(folders: [paths.versions], fileSystem: files).scan(reusing: .empty)
    let published = Set(found.stored.map(\.version.id))
    if let current = workingCopy.current, published.contains(current) { return true }
    let states = StateFolder(paths: paths, files: configuration.files)
    return try Beginnings(found.graph).versions.contains { version in
      guard let begun = StoreManifest(of: version) else { return false }
      return try begun.store == manifest.store || states.isOne(begun.store, manifest.store)
    }
  }

  /// The stores that this one began as, as far as they are visible; nil if it began as one.
  func lookAtBeginnings(_ listing: VersionListing) throws -> Sighting.Beginning? {
    let strays = try strays()
    let beginnings = Beginnings(listing.graph)
    guard beginnings.areSeveral || !strays.isEmpty,
      let status = try files.statusIfPresent(paths.manifest)
    else { return nil }
    var seen = Sighting.Beginning(
      store: manifest.store, since: Timestamp(nanoseconds: status.ctime), strays: strays)
    for version in beginnings.versions {
      seen.begun.append((version, manifest(of: version, strays)))
    }
    return seen
  }

  /// The store that a version began; if the version does not say, the visible one that was made
  /// just before.
  private func manifest(of version: Version, _ strays: [Sighting.Stray]) -> StoreManifest? {
    if let manifest = StoreManifest(of: version) { return manifest }
    let names = (try? files.list(state.root) { $0.string.hasPrefix("store-") }) ?? []
    let kept = names.compactMap {
      try? CompanionFile.read(StoreManifest.self, at: state.root.appending($0), files)
    }
    let made = ([manifest] + strays.map(\.manifest) + kept).filter {
      $0.created <= version.madeAt && $0.created.advanced(bySeconds: 3_600) > version.madeAt
    }
    return made.max { ($0.created, $1.store) < ($1.created, $0.store) }
  }

  /// The copies of `store.json` that a service made, under its own names.
  private func strays() throws -> [Sighting.Stray] {
    let name = Array("store.json".utf8)
    let known = Set(["store.json", "devices", "locks", "versions"])
    let names = try files.list(paths.companion) {
      !known.contains($0.string) && !AtomicFile.isStaging($0)
    }
    guard !names.isEmpty else { return [] }
    let recogniser = NameRecogniser(database: name)
    return names.compactMap { name in
      guard case .conflictedCopy(let found) = recogniser.sibling(name.bytes),
        found.strength == .strong, found.isRemovable,
        let status = try? files.lstat(paths.companion.appending(name)), status.kind == .regular,
        let manifest = try? CompanionFile.read(
          StoreManifest.self, at: paths.companion.appending(name), files),
        StoreManifest.isID(manifest.store)
      else { return nil }
      return Sighting.Stray(
        file: FileName(name), manifest: manifest, since: Timestamp(nanoseconds: status.ctime))
    }.sorted { $0.file < $1.file }
  }

  /// Makes `store.json` again what it was of the store whose id stays.
  func keepStore(_ manifest: StoreManifest) throws {
    try asWriter {
      let standing = try CompanionFile.read(StoreManifest.self, at: paths.manifest, files)
      guard let standing, standing != manifest else { throw StaleLook() }
      try CompanionFile.write(manifest, to: paths.manifest, files)
    }
    try followManifest()
  }

  /// Removes what a service made of a `store.json`, if it still says the same.
  func removeStray(_ file: FileName, _ manifest: StoreManifest) throws {
    let path = paths.companion.appending(file.component)
    guard try CompanionFile.read(StoreManifest.self, at: path, files) == manifest else {
      throw StaleLook()
    }
    try files.unlink(path)
  }

  /// Reports once that stores were joined, when the live file has the rows of all and somebody
  /// listens.
  func tellJoined() throws {
    guard events.hasListeners else { return }
    let graph = try versions.listed().graph
    let beginnings = Beginnings(graph)
    guard beginnings.areSeveral, let current = workingCopy.current,
      let last = lastJoin(graph, current)
    else { return }
    let begun = Set(beginnings.of(last.id).map(\.id))
    let told = try CompanionFile.read(Set<VersionID>.self, at: state.joined, files) ?? []
    guard !begun.isSubset(of: told) else { return }
    try CompanionFile.write(told.union(begun), to: state.joined, files)
    events.send(.joined(last.id, stores: graph.stores(of: [last])))
  }

  /// The last version that joined stores, of those that a version follows from, while it is news.
  func lastJoin(_ graph: VersionGraph, _ id: VersionID) -> Version? {
    Beginnings(graph).joins(behind: id).filter {
      now.milliseconds.minus($0.madeAt.milliseconds) < Self.newsTime
    }.max { $0.loses(to: $1) }
  }

  /// How long a join is reported, in milliseconds.
  private static var newsTime: Int64 { 7 * 86_400_000 }
}

extension StoreError {
  /// Another store has come in the place of the one that is open.
  static func replacedStore(_ paths: StorePaths) -> StoreError {
    StoreError(
      .otherStore,
      "another store has taken the place of \(paths.name); nothing was mixed, and what "
        + "waited is kept on this device",
      advice: paths.next("see which one it is", .lookAgain))
  }
}
