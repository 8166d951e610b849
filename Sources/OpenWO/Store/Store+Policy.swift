import OpenWOHistory

/// How two sides become one.
extension Store {
  /// What the planner goes by: the configuration's word, else the latest that a device has given, else that of `store.json`.
  func policy() throws -> Policy {
    var policy = configuration.policy
    policy.settling = try configuration.settling ?? rules().settling
    return policy
  }

  /// What happens to rows that both sides changed: the configuration's words go before those of the store, and so on.
  func mergeRules(_ asked: [String: MergeRule] = [:]) throws -> [String: MergeRule] {
    try rules().rules.merging(configuration.mergeRules) { _, own in own }
      .merging(asked) { _, asked in asked }
  }

  /// What was said about tables that their definitions do not say, by the configuration, the store, and for this merge.
  func declarations(_ asked: [MergeDeclaration] = []) throws -> [MergeDeclaration] {
    var known: Set<MergeDeclaration> = []
    return try (rules().declarations + configuration.mergeDeclarations + asked)
      .filter { known.insert($0).inserted }
  }

  /// What the store says: the latest word of a device, else that of `store.json`; words that a newer openwo invented count as none.
  func rules() throws -> StoreRules {
    let choices = try coordinator.readableDevices().records.compactMap(\.policy)
      .filter { SettlePolicy(rawValue: $0.settling) != nil }
      .sorted { ($0.at, $0.settling) < ($1.at, $1.settling) }
    let settling = choices.last?.settling ?? manifest.policy
    let rules = choices.last { $0.rules != nil }?.rules ?? manifest.rules ?? [:]
    return StoreRules(
      settling: settling.flatMap(SettlePolicy.init(rawValue:)) ?? configuration.policy.settling,
      rules: rules.compactMapValues(MergeRule.init(rawValue:)),
      declarations: choices.last { $0.declarations != nil }?.declarations
        ?? manifest.declarations ?? [])
  }

  /// Says in this device's own file how two sides are to become one from now on; it counts after all words in sight.
  func choose(
    _ settling: SettlePolicy, _ rules: [String: MergeRule]?,
    _ declarations: [MergeDeclaration]? = nil
  ) throws {
    let latest = try coordinator.readableDevices().records.compactMap(\.policy?.at).max()
    let at = max(now, latest?.advanced(bySeconds: 1) ?? now)
    try coordinator.updateOwnRecord { own in
      own.policy = DeviceRecord.Choice(
        settling: settling.rawValue, rules: rules?.mapValues(\.rawValue),
        declarations: declarations, at: at)
    }
  }
}
