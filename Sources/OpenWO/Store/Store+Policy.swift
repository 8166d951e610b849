import OpenWOFiles
import OpenWOHistory

/// How two sides become one.
extension Store {
  /// The planner's policy: from the configuration, else the latest choice of a device, else from
  /// `store.json`.
  func policy() throws -> Policy {
    var policy = configuration.policy
    policy.settling = try configuration.settling ?? rules().settling
    return policy
  }

  /// The merge rules: the requested ones, then the configuration's, then the store's.
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

  /// The store's rules: the latest choice of a device, else those of `store.json`; unknown words of
  /// a newer openwo do not count.
  func rules() throws -> StoreRules {
    let recorded = try recordedRules()
    return StoreRules(
      settling: recorded.settling.flatMap(SettlePolicy.init(rawValue:))
        ?? configuration.policy.settling,
      rules: recorded.rules.compactMapValues(MergeRule.init(rawValue:)),
      declarations: recorded.declarations)
  }

  /// The same in the words of the files, so that those of a newer openwo are not lost.
  private func recordedRules() throws -> (
    settling: String?, rules: [String: String], declarations: [MergeDeclaration]
  ) {
    let choices = try coordinator.readableDevices().records.compactMap(\.policy)
      .filter { SettlePolicy(rawValue: $0.settling) != nil }
      .sorted { ($0.at, $0.settling) < ($1.at, $1.settling) }
    return (
      choices.last?.settling ?? manifest.policy,
      choices.last { $0.rules != nil }?.rules ?? manifest.rules ?? [:],
      choices.last { $0.declarations != nil }?.declarations ?? manifest.declarations ?? []
    )
  }

  /// Records in this device's own file how heads are resolved from now on; it overrides all visible
  /// choices.
  func choose(
    _ settling: SettlePolicy, _ rules: [String: MergeRule]?,
    _ declarations: [MergeDeclaration]? = nil
  ) throws {
    let latest = try coordinator.readableDevices().records.compactMap(\.policy?.at).max()
    let at = max(now, latest?.advanced(bySeconds: 1) ?? now)
    let recorded = try recordedRules()
    try coordinator.updateOwnRecord { own in
      own.policy = DeviceRecord.Choice(
        settling: settling.rawValue, rules: rules?.mapValues(\.rawValue) ?? recorded.rules,
        declarations: declarations ?? recorded.declarations, at: at)
    }
  }

  /// Refuses rules and declarations that name a table or a column which the database does not have.
  func check(_ rules: [String: MergeRule], _ declarations: [MergeDeclaration]) throws {
    let live = try enter(waiting: writePatience).connection
    for table in rules.keys.sorted() where try live.columnNames(ofTable: table).isEmpty {
      throw StoreError(
        .usage,
        "there is no table \(String(printable: table.utf8)); nothing was written",
        advice: paths.next("see what they are called", .sqlite(paths.typed, .tables)))
    }
    try MergeDeclaration.check(declarations, in: [live], paths)
  }
}
