import OpenWOHistory

/// The changes of sides that were set aside, so that each is compared once.
struct ComparedSides: Sendable {
  /// A side and the version from which its changes are counted; neither ever changes.
  struct Side: Hashable {
    let base: VersionID
    let version: VersionID
  }

  private var known: [Side: [TableChange]] = [:]

  subscript(side: Side) -> [TableChange]? {
    get { known[side] }
    set { known[side] = newValue }
  }
}
