import OpenWOHistory

/// Looking back at the versions.
struct History: StorePart {
  let store: Store

  /// All versions, newest first.
  func entries() throws -> [HistoryEntry] {
    try versions.refresh()
    let listing = try versions.listed()
    let live = workingCopy.current
    let pins = Dictionary(grouping: try Pins(store: store).named(), by: \.value)
      .mapValues { $0.map(\.key).sorted() }
    return listing.graph.newestFirst.map { version in
      HistoryEntry(
        version: version, isLive: version.id == live,
        isPublished: !listing.pending.contains(version.id), pins: pins[version.id] ?? [])
    }
  }
}
