import OpenWOHistory

/// A device: the versions that have come to it, and the one that is live there.
struct MergeDevice {
  let name: String
  var known: Set<VersionID>
  var current: Version
}
