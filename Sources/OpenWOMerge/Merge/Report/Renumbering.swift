/// A row that was given another key, because the other side made a different row under the same one,
/// or because it is the same row as one of the other side.
package struct Renumbering: Hashable, Sendable {
  /// Whose row it was.
  package let side: MergeSide
  /// Its key on that side.
  package let from: [CellValue]
  /// Its key in the result.
  package let to: [CellValue]
  /// Whether it became one with a row of the other side, as a natural key says.
  package let isSameRow: Bool
}
