import OpenWOFiles
import OpenWOHistory

/// Capturing: a content becomes a version of this device, durable in the state folder.
extension NewVersions {
  /// Makes a version of a content, keeps it, and tells of it.
  ///
  /// `payload` chooses how the content is stored. `check` makes sure that what was stored is one
  /// state, and `note` takes the version into account before anybody hears of it.
  ///
  /// - Throws: `StaleLook` of the check; the version is gone then.
  @discardableResult
  func capture(
    _ new: NewVersion, payload: (Version) throws -> NewPayload, check: () throws -> Void = {},
    note: (Version) throws -> Void = { _ in }
  ) throws -> Version {
    let version = try make(new)
    try keep(version, payload(version))
    do {
      try check()
    } catch let error as StaleLook {
      try drop(version)
      throw error
    }
    try note(version)
    events.send(.captured(version.id, reason: version.reason))
    return version
  }

  /// Makes a version, stamped after all that this device has seen.
  func make(_ new: NewVersion) throws -> Version {
    let listing = try versions.listed()
    let graph = listing.graph
    let parents = new.parents ?? (workingCopy.current.map(graph.family) ?? [])
    let at =
      new.modified.map {
        // The live file counts as later than states that were passed over here, whatever its time.
        let passedOver = graph.heads.filter { $0.isPassedOver(by: device.id) }
        return HybridTime.found(
          modified: $0.milliseconds,
          after: (parents.compactMap { graph[$0] } + passedOver).map(\.at), now: clock.now())
      } ?? stamp(after: listing, now: clock.now())
    return try Version(
      facts: new.facts, parents: parents, device: device.id, deviceName: device.name, at: at,
      reason: new.reason, note: new.note, members: new.members + says(new.reason))
  }

  /// The manifest that a store's first version carries.
  private func says(_ reason: VersionReason) throws -> [JSONMember] {
    guard reason == .create else { return [] }
    let text = String(decoding: try CompanionFile.bytes(of: store.manifest), as: UTF8.self)
    return [Version.manifest(text)].compactMap(\.self)
  }

  /// The stamp after all that are listed; only one that is too far ahead to be followed needs a
  /// look at all of them.
  private func stamp(after listing: VersionListing, now: Int64) -> HybridTime {
    guard let latest = listing.latest, latest.isAhead(of: now) else {
      return HybridTime.next(after: CollectionOfOne(listing.latest).compactMap(\.self), now: now)
    }
    return HybridTime.next(after: listing.graph.versions.lazy.map(\.at), now: now)
  }
}
