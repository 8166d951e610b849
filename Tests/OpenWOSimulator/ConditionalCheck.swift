/// Checks that say something in some worlds only; a campaign counts the worlds.
package enum ConditionalCheck: String, Sendable, CaseIterable {
  /// Somebody acted while a lock was held.
  case lockHeeded
  /// A program's commit was captured under another device's lock.
  case capturedUnderLock
  /// All could see one lock for a while.
  case lockAnswered
  /// A written version follows from its parents, as its rows show.
  case followsParents
  /// Of rivals the later wins.
  case laterWins
  /// A content does not lose to a content from which it was made.
  case descendantWins
  /// All that was acknowledged can be put together on every device.
  case contentHeld
  /// No edit of another program is lost, captured or not.
  case outsideEdits
  /// The last write is live.
  case lastWriter
  /// What was found in a copy with a name that people choose goes live by nobody's decision but a person's.
  case copiesStayAside

  /// The least number of a thousand worlds in which it applies: half of the usual number.
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
