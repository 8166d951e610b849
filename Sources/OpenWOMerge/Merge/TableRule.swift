/// How a merge decides rows of a table that both sides changed.
package enum TableRule: String, Sendable, CaseIterable {
  /// Cell by cell; a cell that both changed goes to the later writer. This is what happens unasked.
  case cells
  /// The whole row of the later writer.
  case newest
  /// The whole row of our side.
  case ours
  /// The whole row of their side.
  case theirs
  /// As `cells`, but a row is deleted only if both sides deleted it.
  case union
  /// The table has one row: all of it comes from the side that wrote last.
  case singleton
}
