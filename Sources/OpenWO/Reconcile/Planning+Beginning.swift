import OpenWOHistory

/// Stores that began apart in one folder.
extension Planning {
  /// The steps for `store.json` if there were several, decided from the companion's files alone.
  ///
  /// The store that began first keeps its id, then the lower id. While it is not known which store the first version began, nothing is done.
  var beginning: [Action] {
    guard let begun = seen.beginning else { return [] }
    guard let first = begun.begun.min(by: isEarlier), let stays = first.manifest else { return [] }
    let found = begun.begun.compactMap(\.manifest)
    let isOne = found.allSatisfy { ($0.app, $0.environment) == (stays.app, stays.environment) }
    guard isOne else { return [] }
    let arrivals = begun.begun.compactMap { seen.arrivals[$0.version.id] }
    if begun.store != stays.store {
      if let due = (arrivals + [begun.since]).compactMap({ due($0, policy.graceTime) }).max() {
        return [.wait(until: due, reason: "it is not known yet which store began first")]
      }
      return [.keepStore(stays)]
    }
    let known = Set(found.map(\.store))
    return begun.strays.filter { known.contains($0.manifest.store) }.map { stray in
      if let due = due(stray.since, policy.graceTime) {
        return .wait(until: due, reason: "\(stray.file) may still change")
      }
      return .removeStray(stray.file, stray.manifest)
    }
  }

  private func isEarlier(
    _ one: (version: Version, manifest: StoreManifest?),
    _ other: (version: Version, manifest: StoreManifest?)
  ) -> Bool {
    if one.version.at != other.version.at { return one.version.at < other.version.at }
    return (one.manifest?.store ?? "") < (other.manifest?.store ?? "")
  }

  /// Joins stores that began apart, once the service has had the time to bring all that says so.
  func join() -> [Action]? {
    let beginnings = Beginnings(seen.graph)
    if let due = beginningDue(beginnings) {
      return [.wait(until: due, reason: "a version that others rest on has not arrived")]
    }
    guard
      let apart = beginnings.apart(
        heads, without: seen.incomplete, areOfOneKind: StoreManifest.areOfOneKind),
      !seen.refusedJoins.contains(apart.parents)
    else { return nil }
    if let due = apart.versions.compactMap(arrival).compactMap({ due($0, policy.graceTime) }).max()
    {
      return [.wait(until: due, reason: "versions of another beginning are still on their way")]
    }
    return [.join(apart.parents)]
  }

  /// Until when heads that share no version may turn out to have begun apart: the versions that say so are on their way.
  private func beginningDue(_ beginnings: Beginnings) -> Timestamp? {
    let open = heads.map(\.version).filter { !seen.graph.missingAncestors(of: $0.id).isEmpty }
    let apart = open.filter { one in
      heads.contains { other in
        other.version.id != one.id && !beginnings.of(other.version.id).isEmpty
          && seen.graph.nearestCommonAncestors(one.id, other.version.id).isEmpty
      }
    }
    return apart.compactMap(arrival).compactMap { due($0, policy.ancestryTime) }.max()
  }
}
