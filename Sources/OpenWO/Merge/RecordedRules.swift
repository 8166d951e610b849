/// A store's rules in the words of its files, so that those of a newer openwo are not lost.
struct RecordedRules: Hashable {
  let settling: String?
  let rules: [String: String]
  let declarations: [MergeDeclaration]

  /// Takes the latest choices of devices, else what `store.json` says.
  ///
  /// A choice whose settling is a word of a newer openwo does not count.
  init(_ choices: [DeviceRecord.Choice], otherwise manifest: StoreManifest) {
    let choices = choices.filter { SettlePolicy(rawValue: $0.settling) != nil }
      .sorted { ($0.at, $0.settling) < ($1.at, $1.settling) }
    settling = choices.last?.settling ?? manifest.policy
    rules = choices.last { $0.rules != nil }?.rules ?? manifest.rules ?? [:]
    declarations =
      choices.last { $0.declarations != nil }?.declarations ?? manifest.declarations ?? []
  }

  /// The rules that this openwo knows; `settling` is for a store that has none.
  func known(settling otherwise: SettlePolicy) -> StoreRules {
    StoreRules(
      settling: settling.flatMap(SettlePolicy.init(rawValue:)) ?? otherwise,
      rules: rules.compactMapValues(MergeRule.init(rawValue:)), declarations: declarations)
  }
}
