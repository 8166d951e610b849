/// How a store resolves conflicts, as recorded in the store itself.
public struct StoreRules: Sendable, Hashable {
  /// Whether the last writer wins or rows are merged.
  public var settling: SettlePolicy
  /// The merge rules by table; those of a device's configuration override these.
  public var rules: [String: MergeRule]
  /// References, keys and places of tables that their definitions do not say.
  public var declarations: [MergeDeclaration] = []

  /// Makes rules; by default the last writer wins, and merges are cell by cell.
  public init(
    settling: SettlePolicy = .lastWriterWins, rules: [String: MergeRule] = [:],
    declarations: [MergeDeclaration] = []
  ) {
    self.settling = settling
    self.rules = rules
    self.declarations = declarations
  }
}
