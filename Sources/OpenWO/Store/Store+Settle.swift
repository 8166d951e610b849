import OpenWOFiles
import OpenWOHistory

/// Resolves heads automatically.
extension Store {
  /// Merges two heads.
  ///
  /// If that is refused, the last writer wins; if a version cannot be read just now, it waits.
  ///
  /// Returns which of the three was done.
  func mergeOrSettle(_ heads: [VersionID]) throws -> Action {
    let pair = try versions.listed().arrivedHeads.filter { head in
      head.members.allSatisfy { heads.contains($0.id) }
    }.map(\.version)
    guard pair.count == 2 else { throw StaleLook() }
    return try bringTogether(pair, isJoin: false, .merge(heads)) {
      try settleRivals($0, refused: false)
    }
  }

  /// Joins two versions whose stores began apart, whatever the policy.
  ///
  /// If that is refused, the last writer wins: for good, as the stores stay apart.
  func join(_ parents: [VersionID]) throws -> Action {
    let listing = try versions.listed()
    let heads = listing.arrivedHeads
    guard
      let apart = Beginnings(listing.graph).apart(heads, areOfOneKind: StoreManifest.areOfOneKind),
      apart.parents == parents
    else { throw StaleLook() }
    return try bringTogether(apart.versions, isJoin: true, .join(parents)) { error in
      if heads.count > 1 { return try settleRivals(error, refused: true) }
      let winner = heads[0].version.id
      try settle(parents, winner: winner, refused: true)
      return .settle(parents, winner: winner, reason: error.message)
    }
  }

  private func bringTogether(
    _ pair: [Version], isJoin: Bool, _ action: Action,
    orElse refused: (StoreError) throws -> Action
  ) throws -> Action {
    try awaitReaders(of: paths.database)
    let (first, second) = pair[0].loses(to: pair[1]) ? (pair[1], pair[0]) : (pair[0], pair[1])
    var work = try MergeWork(MergeRequest(), self, first, second, nil, isAutomatic: true)
    work.isJoin = isJoin
    do {
      let merged = try asWriter {
        try work.run { product in
          try publish()
          let version = try keep(product, work)
          try publish()
          return version
        }
      }
      events.send(.captured(merged.id, reason: .merge))
      try bring(merged.id, damage: nil)
      return action
    } catch let error as FileError where versions.isOfUnreadVersion(error) {
      return .wait(until: now.advanced(bySeconds: 1), reason: error.message)
    } catch let error as StoreError where error.code == .mergeRefused {
      events.send(.problem(error))
      return try refused(error)
    }
  }

  /// Resolves all heads that could not be merged: the last writer wins.
  private func settleRivals(_ error: StoreError, refused: Bool) throws -> Action {
    let listing = try versions.listed()
    let rivals = listing.arrivedHeads
    guard let winner = listing.graph.winner(among: rivals.map(\.version)) else {
      throw StaleLook()
    }
    let all = rivals.flatMap { $0.members.map(\.id) }.sorted()
    try settle(all, winner: winner.id, refused: refused)
    return .settle(all, winner: winner.id, reason: error.message)
  }
}
