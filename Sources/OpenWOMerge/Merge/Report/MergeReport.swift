/// What a merge did.
package struct MergeReport: Hashable, Sendable {
  /// The side whose database was the ground the result was built on.
  package let ground: MergeSide
  /// The tables that were touched, in order of name.
  package let tables: [MergedTable]
}
