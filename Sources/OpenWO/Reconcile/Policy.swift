/// How two sides become one.
public enum SettlePolicy: String, Sendable, Codable, CaseIterable {
  /// The later version goes on; the other stays in the history.
  case lastWriterWins
  /// Rows are merged from the common ancestor; what cannot be merged falls to the last writer.
  case merge
}

/// What the planner goes by: the policy and how long it gives a service, in milliseconds.
struct Policy: Sendable, Hashable {
  var settling: SettlePolicy = .lastWriterWins
  /// How long an unknown or torn live file may change before it is judged.
  var settleTime: Int64 = 2_000
  /// How long a live file may be missing: services remove it before they put the new one there.
  var missingTime: Int64 = 2_000
  /// How long the service has to deliver the live file of a version that has arrived.
  var graceTime: Int64 = 5_000
}
