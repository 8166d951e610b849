/// One of the two databases that are merged, as the person who merges sees them.
package enum MergeSide: String, Sendable, CaseIterable {
  case ours, theirs

  /// The other one.
  package var other: MergeSide { self == .ours ? .theirs : .ours }
}
