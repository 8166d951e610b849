import OpenWOMerge

/// What happens to rows of a table that both sides changed.
public enum MergeRule: String, Sendable, Hashable, Codable, CaseIterable {
  /// Cell by cell; a cell that both changed goes to the later writer. This is what happens unasked.
  case cells
  /// The whole row of the later writer.
  case newest
  /// The whole row of our side; when two sides are merged by themselves, of the one that would win.
  case ours
  /// The whole row of the other side; when two sides are merged by themselves, of the one that would lose.
  case theirs
  /// As `cells`, but a row goes only when both sides deleted it.
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
