import OpenWOHistory

/// How two sides become one.
extension Store {
  /// What the planner goes by: the configuration's word, else the latest that a device has given, else that of `store.json`.
  func policy() throws -> Policy {
    var policy = configuration.policy
    if let settling = try settling() { policy.settling = settling }
    return policy
  }

  private func settling() throws -> SettlePolicy? {
    if let own = configuration.settling { return own }
    let choices = try coordinator.deviceRecords().compactMap(\.policy)
    let latest = choices.filter { SettlePolicy(rawValue: $0.settling) != nil }
      .max { ($0.at, $0.settling) < ($1.at, $1.settling) }
    return (latest?.settling ?? manifest.policy).flatMap(SettlePolicy.init(rawValue:))
  }

  /// Says in this device's own file how two sides are to become one from now on; it counts after all words in sight.
  func choose(_ settling: SettlePolicy) throws {
    let latest = try coordinator.deviceRecords().compactMap(\.policy?.at).max()
    let at = max(now, latest?.advanced(bySeconds: 1) ?? now)
    try coordinator.updateOwnRecord { own in
      own.policy = DeviceRecord.Choice(settling: settling.rawValue, at: at)
    }
  }
}
