import OpenWOFiles
import OpenWOHistory

/// Resolves heads: two of them by a merge, or all so that the last writer wins.
struct HeadResolver: StorePart {
  let store: Store

  /// Merges two heads.
  ///
  /// If that is refused, the last writer wins; if a version cannot be read just now, it waits.
  ///
  /// Returns which of the three was done.
  func merge(_ heads: [VersionID]) throws -> Action {
    let pair = try versions.listed().arrivedHeads.filter { head in
      head.members.allSatisfy { heads.contains($0.id) }
    }.map(\.version)
    guard pair.count == 2 else { throw StaleLook() }
    return try bringTogether(pair, isJoin: false, .merge(heads)) { try settleRivals($0) }
  }

  /// Joins two versions whose stores began apart, whatever the policy.
  ///
  /// If that is refused, the last writer wins between these two: for good, as the stores stay apart. If
  /// only this device cannot do it, another one may.
  func join(_ parents: [VersionID]) throws -> Action {
    let apart = try apart(parents)
    return try bringTogether(apart.versions, isJoin: true, .join(parents)) { error in
      if error.isOfThisDevice {
        store.upkeep.refusedJoins.insert(parents)
        return .wait(until: now.advanced(bySeconds: 60), reason: error.message)
      }
      let listing = try versions.listed()
      let heads = listing.arrivedHeads.filter { apart.versions.contains($0.version) }
      // What lost before its store was known does not win now.
      guard let winner = listing.graph.winner(among: heads.map(\.version)) else {
        throw StaleLook()
      }
      try settle(parents, winner: winner.id, refused: true)
      return .settle(parents, winner: winner.id, reason: error.message)
    }
  }

  /// The two versions that are to be joined next.
  ///
  /// - Throws: `StaleLook` if that has changed.
  private func apart(_ parents: [VersionID]) throws -> Beginnings.Apart {
    let listing = try versions.listed()
    let apart = Beginnings(listing.graph).apart(
      listing.arrivedHeads, without: listing.incomplete, areOfOneKind: StoreManifest.areOfOneKind)
    guard let apart, apart.parents == parents else { throw StaleLook() }
    return apart
  }

  private func bringTogether(
    _ pair: [Version], isJoin: Bool, _ action: Action,
    orElse refused: (StoreError) throws -> Action
  ) throws -> Action {
    try session.awaitReaders(of: paths.database)
    let (first, second) = pair[0].loses(to: pair[1]) ? (pair[1], pair[0]) : (pair[0], pair[1])
    var work = try MergeWork(MergeRequest(), store, first, second, nil, isAutomatic: true)
    work.isJoin = isJoin
    do {
      let merged = try store.asWriter {
        try work.run { product in
          try publishing.run()
          let (version, payload) = try work.version(of: product)
          try newVersions.keep(version, payload)
          try publishing.run()
          return version
        }
      }
      events.send(.captured(merged.id, reason: .merge))
      try CheckOut(store: store).adopt(merged.id)
      return action
    } catch let error as FileError where versions.isOfUnreadVersion(error) {
      return .wait(until: now.advanced(bySeconds: 1), reason: error.message)
    } catch let error as StoreError where error.code == .mergeRefused {
      events.send(.problem(error))
      return try refused(error)
    }
  }

  /// Resolves all heads that could not be merged: the last writer wins.
  private func settleRivals(_ error: StoreError) throws -> Action {
    let listing = try versions.listed()
    let rivals = listing.arrivedHeads
    guard let winner = listing.graph.winner(among: rivals.map(\.version)) else {
      throw StaleLook()
    }
    let all = rivals.flatMap { $0.members.map(\.id) }.sorted()
    try settle(all, winner: winner.id)
    return .settle(all, winner: winner.id, reason: error.message)
  }

  /// Turns heads into one: the last writer wins, the others stay in the history.
  ///
  /// `refused`: it wins as these two stores that began apart cannot be joined; other heads stay.
  func settle(_ heads: [VersionID], winner: VersionID, refused: Bool = false) throws {
    let settled = try store.asWriter {
      let listing = try versions.listed()
      // A process that replaces one version by another has both for a moment.
      let found = Set(listing.arrivedHeads.flatMap { $0.members.map(\.id) })
      guard try refused ? apart(heads).parents == heads : found == Set(heads) else {
        throw StaleLook()
      }
      let parents = heads.compactMap { listing.graph[$0] }
      let settled = try Version.settle(
        parents: parents, candidates: parents.filter { $0.id == winner },
        keepingApart: refused ? listing.graph.stores(of: parents) : nil)
      try publishing.run()
      try companion.inside(paths.versions, mode: 0o755) { within in
        _ = try versions.archive.through(within).write(settled, .same, into: paths.versions)
      }
      try versions.list()
      return settled
    }
    let losers = heads.filter { $0 != winner }
    events.send(
      .settled(
        winner: winner, losers: losers,
        setAside: SidesSetAside(store: store).lost(losers, to: settled)))
  }
}
