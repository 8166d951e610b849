import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Sides that lost to a last writer, or to a file that a service delivered under a lock, until
/// somebody has looked at them or merged them.
struct SidesSetAside: StorePart {
  let store: Store

  /// At most this many sides are compared, the newest ones.
  private static var mostCompared: Int { 5 }

  /// The sides whose rows are not in the live version, newest first.
  func list(onlyUnseen: Bool) throws -> [SetAside] {
    try versions.refresh()
    let listing = try versions.listed()
    let graph = listing.graph
    guard let live = try workingCopy.currentVersion() ?? graph.newestHead else { return [] }
    let lost = listing.apart(from: live, among: Lineage(graph).leftBehind)
    let seen = onlyUnseen && !lost.isEmpty ? seenSides() : []
    return describe(lost.filter { !seen.contains($0.id) }, beside: live, graph) { version in
      graph.children(of: version.id).map(\.madeAt).max() ?? version.madeAt
    }
  }

  /// The sides that a settlement set aside; nothing is compared while nobody listens.
  func lost(_ losers: [VersionID], to settled: Version) -> [SetAside] {
    guard events.hasListeners, let graph = try? versions.listed().graph else { return [] }
    var contents: Set<ContentHash> = [settled.content]
    let lost = Lineage(graph).tips(among: Set(losers.compactMap { graph[$0] }))
      .sorted { $1.loses(to: $0) }.filter { contents.insert($0.content).inserted }
    return describe(lost, beside: settled, graph) { _ in settled.madeAt }
  }

  private func describe(
    _ sides: [Version], beside live: Version, _ graph: VersionGraph,
    since: (Version) -> Timestamp
  ) -> [SetAside] {
    sides.enumerated().map { place, version in
      let changes = place < Self.mostCompared ? try? self.changes(of: version, live) : nil
      let teller = graph.teller(of: version)
      return SetAside(
        version: version.id, device: teller.device, deviceName: teller.deviceName,
        path: teller.copyName, at: version.madeAt, since: since(version), changes: changes ?? [],
        isUnrelated: isUnrelated(version, to: live, graph))
    }
  }

  /// Whether a side and the live version have no version in common, and did not begin apart in one app.
  private func isUnrelated(_ version: Version, to live: Version, _ graph: VersionGraph) -> Bool {
    Lineage(graph).bases(of: live, and: version).isEmpty
      && !Beginnings(graph).areToBeJoined(version, live, areOfOneKind: StoreManifest.areOfOneKind)
  }

  /// The changes of a side since its merge base with the live version.
  private func changes(of version: Version, _ live: Version) throws -> [TableChange] {
    let bases = Lineage(try versions.listed().graph).bases(of: live, and: version)
    guard let base = bases.first else { return [] }
    let side = ComparedSides.Side(base: base.id, version: version.id)
    if let known = store.upkeep.comparedSides[side] { return known }
    let found = try Comparing(store: store).diff(
      from: .version(base.id), to: .version(version.id), rows: .counted, telling: nil)
    let changes = found.tables.map { table in
      TableChange(
        table: table.table, inserted: table.inserted, updated: table.updated,
        deleted: table.deleted, notCompared: table.notCompared)
    }
    store.upkeep.comparedSides[side] = changes
    return changes
  }

  /// Records that the user has seen them; if the disk cannot be written, they are reported again.
  func markSeen(_ versions: [VersionID]) {
    let all = seenSides().union(versions)
    guard all != seenSides() else { return }
    try? CompanionFile.write(all, to: state.seenSides, durable: false, files)
  }

  private func seenSides() -> Set<VersionID> {
    (try? CompanionFile.read(Set<VersionID>.self, at: state.seenSides, files)) ?? []
  }
}

extension VersionGraph {
  /// The version by which the device that wrote a content told it; the version itself while there is none.
  fileprivate func teller(of version: Version) -> Version {
    let told = versions.filter { $0.content == version.content && !$0.isDelivered }
    return told.min { $0.loses(to: $1) } ?? version
  }
}

extension StatePaths {
  /// The sides that were set aside and that the user has seen.
  var seenSides: FilePath { root.appending("seen-sides.json") }
}
