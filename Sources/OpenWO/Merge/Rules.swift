import OpenWOFiles
import OpenWOHistory

/// How two sides become one in a store.
struct Rules: StorePart {
  let store: Store

  /// The planner's policy: from the configuration, else the latest choice of a device, else from
  /// `store.json`.
  func policy() throws -> Policy {
    var policy = configuration.policy
    policy.settling = try configuration.settling ?? ofStore().settling
    return policy
  }

  /// The merge rules: the requested ones, then the configuration's, then the store's.
  func merging(_ asked: [String: MergeRule]) throws -> [String: MergeRule] {
    try ofStore().rules.merging(configuration.mergeRules) { _, own in own }
      .merging(asked) { _, asked in asked }
  }

  /// What was said about tables that their definitions do not say, by the configuration, the store, and for this merge.
  func declarations(_ asked: [MergeDeclaration] = []) throws -> [MergeDeclaration] {
    var known: Set<MergeDeclaration> = []
    return try (ofStore().declarations + configuration.mergeDeclarations + asked)
      .filter { known.insert($0).inserted }
  }

  /// The store's rules: the latest choice of a device, else those of `store.json`; unknown words of
  /// a newer openwo do not count.
  func ofStore() throws -> StoreRules {
    try recorded().known(settling: configuration.policy.settling)
  }

  private func recorded() throws -> RecordedRules {
    RecordedRules(
      try coordinator.readableDevices().records.compactMap(\.policy), otherwise: store.manifest)
  }

  /// Records in this device's own file how heads are resolved from now on; it overrides all visible
  /// choices.
  func choose(
    _ settling: SettlePolicy, _ rules: [String: MergeRule]?,
    _ declarations: [MergeDeclaration]? = nil
  ) throws {
    let latest = try coordinator.readableDevices().records.compactMap(\.policy?.at).max()
    let at = max(now, latest?.advanced(bySeconds: 1) ?? now)
    let recorded = try self.recorded()
    try coordinator.updateOwnRecord { own in
      own.policy = DeviceRecord.Choice(
        settling: settling.rawValue, rules: rules?.mapValues(\.rawValue) ?? recorded.rules,
        declarations: declarations ?? recorded.declarations, at: at)
    }
  }

  /// Refuses rules and declarations that name a table or a column which the database does not have.
  func check(_ rules: [String: MergeRule], _ declarations: [MergeDeclaration]) throws {
    let live = try session.enter(waiting: configuration.writePatience).connection
    for table in rules.keys.sorted() where try live.columnNames(ofTable: table).isEmpty {
      throw StoreError(
        .usage,
        "there is no table \(String(printable: table.utf8)); nothing was written",
        advice: paths.next("see what they are called", .sqlite(paths.typed, .tables)))
    }
    try MergeDeclaration.check(declarations, in: [live], paths)
  }
}
