/// A write that brings one row of the target to its result.
struct RowOperation {
  enum Kind {
    case insert, delete
    /// Only these columns change, and none of them is part of a key.
    case update([Int])
    /// The row goes under its old key and comes back under its new one.
    case replace
  }

  let kind: Kind
  /// The row in the target; nil if there is none.
  let old: MergeRow?
  /// The row as it will be.
  let new: MergeRow?
  /// The row to write instead if `new` violates a constraint.
  let fallback: MergeRow?
  /// The changes that it comes from.
  let changes: Sides<SideChange?>
  /// The place of the row in the order; nil if that is of no use.
  let place: RowPlace?
}
