import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Puts versions back that vanished from the folder.
struct VanishedVersions: StorePart {
  let store: Store

  /// Puts versions back into the folder, bases first; the folder's older content stays live as a restored version.
  func putBack(_ ids: [VersionID]) throws {
    try store.asWriter {
      try versions.putBack(ids, through: companion)
      try keepOlderLive()
    }
    try publishing.announceHead()
  }

  /// Makes a version of the older content that came back with the folder, on top of the newer one: a person may have wanted it.
  private func keepOlderLive() throws {
    let listing = try versions.listed()
    guard listing.arrivedHeads.count == 1, let head = listing.arrivedHeads.first?.version,
      case .whole(let content, _) = try VersionDetector(store: store).lookAtLive(listing),
      content != head.content
    else { return }
    let before = listing.graph.ancestors(of: head.id)
    let older = listing.graph.newestFirst.first { $0.content == content && before.contains($0.id) }
    guard let older else { return }
    let file = try workingCopy.open()
    try file.readingUntouched {
      let found = try LiveContent(file.connection)
      let digests = try found.digests()
      guard digests.root == content else { throw StaleLook() }
      let new = NewVersion(
        older.facts, .restore, parents: listing.graph.family(of: head.id),
        note: Version.putBackNote + older.id.short)
      try newVersions.capture(new) {
        try newVersions.payload($0, found)
      } note: { version in
        try workingCopy.note(version.id, digests)
        store.upkeep.captured(at: clock.monotonic())
      }
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
