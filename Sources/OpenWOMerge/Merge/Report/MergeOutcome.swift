/// The outcome of a row in a merge: a closed list.
package enum MergeOutcome: Hashable, Sendable {
  /// Only one side changed it, in this way.
  case oneSided(MergeSide, RowChange.Kind)
  /// Nobody changed it but in its number.
  case moved
  /// Both sides did the same.
  case convergent(RowChange.Kind)
  /// Both sides changed it in different cells.
  case resolved
  /// Both sides changed it, and one had to give way.
  case decided
}
