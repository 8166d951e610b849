/// Checks that say something in some worlds only; a campaign counts the worlds.
package enum ConditionalCheck: String, Sendable, CaseIterable {
  /// Somebody acted while a lock stood.
  case lockHeeded
  /// A program's commit was captured under another device's lock.
  case capturedUnderLock
  /// All could see one lock for a while.
  case lockAnswered
  /// What is written was made from its parents, as its rows show.
  case followsParents
  /// Of rivals the later wins.
  case laterWins
  /// What was made from another content is not beaten by it.
  case descendantWins
  /// All that was acknowledged can be put together on every device.
  case contentHeld
  /// No edit of another program is lost, captured or not.
  case outsideEdits
  /// What was written last is live.
  case lastWriter
  /// What was found in a copy with a name that people choose goes live by nobody's decision but a person's.
  case copiesStayAside

  /// In so many of a thousand worlds it applies at least: in half as many as it does.
  package var leastOfThousand: Int {
    switch self {
    case .followsParents: 400
    case .laterWins, .contentHeld: 200
    case .lockHeeded: 100
    case .lockAnswered: 80
    case .descendantWins: 70
    case .lastWriter: 40
    case .outsideEdits: 15
    case .copiesStayAside: 35
    case .capturedUnderLock: 5
    }
  }
}
