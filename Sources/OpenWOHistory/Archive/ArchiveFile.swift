/// One file of the archive.
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

  /// About how much memory it takes.
  var byteCount: Int64 {
    switch self {
    case .version(let stored): stored.payloadOffset
    case .pruned(let list): Int64(list.byteCount)
    }
  }
}
