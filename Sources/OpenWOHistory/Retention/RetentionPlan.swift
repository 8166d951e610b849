package import SystemPackage

/// Which files of the archive can go, and what has to be done before; computed, not yet done.
package struct RetentionPlan: Sendable {
  /// The versions that are kept for their own sake.
  package private(set) var kept: Set<VersionID>
  /// The versions that a device may continue from, or has not checked out yet.
  package private(set) var neededByDevices: Set<VersionID>
  /// Files of other versions that are kept because kept ones rest on them.
  package private(set) var bases: [StoredVersion] = []
  /// Versions to be stored in full before anything is removed, because that is smaller than what they rest on.
  package private(set) var rewriteAsFull: [StoredVersion] = []
  /// The files to remove.
  package private(set) var remove: [StoredVersion] = []
  /// The versions that will have no file any more.
  package private(set) var forgotten: [Version] = []

  /// Makes a plan for one folder of an archive.
  ///
  /// Never removed are heads, the newest full payload, what a device has live, what a device has not adopted yet, and
  /// what is protected. If a device has live what nobody knows, nothing is removed at all.
  ///
  /// - Parameters:
  ///   - retention: How much of the past is kept.
  ///   - listing: What a scan saw.
  ///   - folder: The folder from which files may be removed.
  ///   - deviceHeads: The versions that the known devices have live.
  ///   - protected: Versions to keep in any case.
  package init(
    _ retention: Retention, _ listing: ArchiveListing, in folder: FilePath,
    deviceHeads: some Sequence<VersionID>, protected: Set<VersionID> = []
  ) {
    let graph = listing.graph
    // The versions on which a device may already have based a new version that has not arrived yet.
    var standing = Set(graph.heads.map(\.id)).subtracting(graph.surpassedMerges)
      .union(graph.effectiveHeads.lazy.flatMap(\.members).map(\.id))
    for head in deviceHeads {
      let adopted = graph.ancestors(of: head)
      standing.formUnion(listing.stored.lazy.map(\.version.id).filter { !adopted.contains($0) })
    }
    neededByDevices = standing
    kept = retention.kept(listing.versions).union(protected).union(standing)
    let full = listing.stored.filter { $0.payload == .full }.map(\.version)
    if let newest = full.max(by: { $0.loses(to: $1) }) { kept.insert(newest.id) }
    // Other devices have this folder only, so a file elsewhere does not help them.
    let needed = needed(in: listing, standing)
      .union(needed(in: listing.only(folder), standing))
    for stored in listing.stored where stored.folder == folder {
      if needed.contains(stored) {
        if !kept.contains(stored.version.id) { bases.append(stored) }
      } else {
        remove.append(stored)
      }
    }
    forgotten = forgotten(in: listing)
  }

  /// Whether there is nothing to do.
  package var isEmpty: Bool { remove.isEmpty && rewriteAsFull.isEmpty }
}

extension RetentionPlan {
  /// The files of the kept versions.
  ///
  /// Each needs its own file, as one of equal content may not have reached everybody.
  ///
  /// A version's bases are kept with it, unless they take more space than the version in full.
  /// Versions with the same base share its cost, except those based on the version itself, which a
  /// full one serves, too. So the oldest come first. A version that a device may continue from
  /// keeps all of its bases, whatever the cost: the next version may be based on any of them.
  private mutating func needed(
    in listing: ArchiveListing, _ standing: Set<VersionID>
  ) -> Set<StoredVersion> {
    var needed: Set<StoredVersion> = []
    var chains: [[StoredVersion]] = []
    for stored in listing.stored where kept.contains(stored.version.id) {
      if stored.payload == .same { needed.insert(stored) }
      if let chain = try? listing.chain(of: stored) {
        if standing.contains(stored.version.id) { needed.formUnion(chain) }
        chains.append(chain)
      } else {
        needed.formUnion(listing.brokenChain(stored))
      }
    }
    var users = chains.joined().reduce(into: [:]) { $0[$1, default: 0] += 1 }
    var full = Set(rewriteAsFull)
    for chain in chains where chain[0].payload != .full && !needed.contains(chain[0]) {
      guard !full.contains(chain[0]) else { continue }
      let file = chain[0]
      let rest = chain.prefix { !full.contains($0) }
      let through = users[file] ?? 0
      let weight = rest.filter { !kept.contains($0.version.id) && !needed.contains($0) }
        .reduce(0) { $0 + $1.fileSize / Int64((users[$1] ?? 0) - through + 1) }
      guard weight > file.version.bytes else { continue }
      rewriteAsFull.append(file)
      full.insert(file)
      for lower in rest { users[lower]? -= through }
    }
    for chain in chains { needed.formUnion(chain.prefix { !full.contains($0) }) }
    return needed
  }

  /// The versions that lose their last file.
  private func forgotten(in listing: ArchiveListing) -> [Version] {
    let gone = Set(remove)
    var lost = Set(remove.map(\.version))
    lost.subtract(rewriteAsFull.lazy.map(\.version))
    lost.subtract(listing.stored.lazy.filter { !gone.contains($0) }.map(\.version))
    return lost.sorted { $0.id < $1.id }
  }
}
