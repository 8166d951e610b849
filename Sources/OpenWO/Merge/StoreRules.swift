/// How two sides of a store become one, as the store itself says.
public struct StoreRules: Sendable, Hashable {
  /// Whether the last writer wins or rows are merged.
  public var settling: SettlePolicy
  /// What happens to rows that both sides changed, by table; those of a device's configuration go before these.
  public var rules: [String: MergeRule]
  /// References, keys and places of tables that their definitions do not say.
  public var declarations: [MergeDeclaration] = []

  /// Makes rules; by default the last writer wins, and where rows are merged they are merged cell by cell.
  public init(
    settling: SettlePolicy = .lastWriterWins, rules: [String: MergeRule] = [:],
    declarations: [MergeDeclaration] = []
  ) {
    self.settling = settling
    self.rules = rules
    self.declarations = declarations
  }
}
