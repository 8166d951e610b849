import OpenWOFiles
import OpenWOHistory
import SystemPackage

#if canImport(FoundationEssentials)
  import FoundationEssentials
#else
  import Foundation
#endif

/// Stores that began apart and are one now, or are to become one.
extension VersionDetector {
  /// The stores that this one began as, as far as they are visible; nil if it began as one.
  func lookAtBeginnings(_ listing: VersionListing) throws -> Sighting.Beginning? {
    let strays = try strays()
    let beginnings = Beginnings(listing.graph)
    guard beginnings.areSeveral || !strays.isEmpty,
      let status = try files.statusIfPresent(paths.manifest)
    else { return nil }
    var seen = Sighting.Beginning(
      store: store.manifest.store, since: Timestamp(nanoseconds: status.ctime), strays: strays)
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
    let made = ([store.manifest] + strays.map(\.manifest) + kept).filter {
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
}
