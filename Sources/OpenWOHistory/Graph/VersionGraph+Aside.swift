/// Versions that no device has ever had live: they were captured from copies whose names people choose, too.
///
/// Such a version is no rival of the others. It waits until somebody merges or restores it.
extension VersionGraph {
  /// Whether a version's content was only ever found in such a copy.
  package func isAside(_ version: Version) -> Bool {
    version.isAside && !versions.contains { $0.content == version.content && !$0.isAside }
  }

  /// The heads that were only ever found in such a copy, sorted by id.
  package var headsAside: [Version] { heads.filter(isAside) }
}
