/// A write that brings one row of the ground to where it must be.
struct RowOperation {
  enum Kind {
    case insert, delete
    /// Only these columns change, and none of them is part of a key.
    case update([Int])
    /// The row goes under its old key and comes back under its new one.
    case replace
  }

  let kind: Kind
  /// The row as the ground has it; nil where it has none.
  let old: MergeRow?
  /// The row as it will be.
  let new: MergeRow?
  /// What to write instead where `new` breaks a constraint.
  let fallback: MergeRow?
}
