import OpenWOMerge

/// How a merge decides rows of a table that both sides changed.
public enum MergeRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// Cell by cell; a cell that both changed goes to the later writer.
  ///
  /// This is the default.
  case cells
  /// The whole row of the later writer.
  case newest
  /// The whole row of our side; in an automatic merge, of the side that would win.
  case ours
  /// The whole row of the other side; in an automatic merge, of the side that would lose.
  case theirs
  /// As `cells`, but a row is deleted only if both sides deleted it.
  case union
  /// The table has one row: all of it comes from the side that wrote last.
  case singleton

  /// The rule for the planner, whose first side is ours or theirs.
  func tableRule(oursIsFirst: Bool) -> TableRule {
    switch self {
    case .cells: .cells
    case .newest: .newest
    case .ours: oursIsFirst ? .ours : .theirs
    case .theirs: oursIsFirst ? .theirs : .ours
    case .union: .union
    case .singleton: .singleton
    }
  }
}
