/// What one file of the archive holds.
enum ArchiveFile: Sendable {
  case version(StoredVersion)
  /// Versions whose files were removed; see ``PrunedList``.
  case pruned(PrunedList)

  /// The versions that it tells of.
  var versions: [Version] {
    switch self {
    case .version(let stored): [stored.version]
    case .pruned(let list): list.versions
    }
  }

  /// What it takes in memory, about.
  var byteCount: Int64 {
    switch self {
    case .version(let stored): stored.payloadOffset
    case .pruned(let list): Int64(list.byteCount)
    }
  }
}
