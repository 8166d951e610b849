/// How several heads are resolved into one.
public enum SettlePolicy: String, Sendable, Codable, CaseIterable {
  /// The later version wins; the other stays in the history.
  case lastWriterWins
  /// Rows are merged from the merge base; if a merge is refused, the last writer wins.
  case merge
}

/// The planner's policy, and how long it waits for a service, in milliseconds.
package struct Policy: Sendable, Hashable {
  package var settling: SettlePolicy = .lastWriterWins
  /// How long an unknown or torn live file may change before it is judged.
  package var settleTime: Int64 = 2_000
  /// How long the live file may stay unknown although programs here write into it again and again.
  package var unknownTime: Int64 = 10_000
  /// The caller has just committed to the live file: what programs here wrote into it is complete.
  package var isCommitted = false
  /// How long a live file may be missing: services remove it before they put the new one there.
  package var missingTime: Int64 = 2_000
  /// How much longer it may be missing where another device wrote its content: two that put it back at once make one more conflict.
  package var othersTime: Int64 = 0
  /// How long the service has to deliver the live file of a version that has arrived.
  package var graceTime: Int64 = 5_000
  /// How long versions may be gone from the folder before they are put back: services remove a file and bring it again.
  package var vanishedTime: Int64 = 5_000
  /// How long the versions between two heads may be on their way before the heads count as rivals; asked only where clocks disagree.
  package var ancestryTime: Int64 = 600_000
  /// How long a device leaves a merge to another one if both merge each other's versions again and again; twice as long each next time.
  package var crossingTime: Int64 = 5_000

  /// The usual times, and the last writer wins.
  package init() {}
}
