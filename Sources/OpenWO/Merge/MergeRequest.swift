public import OpenWOHistory

/// How to merge.
public struct MergeRequest: Sendable, Hashable {
  /// Only says what would be done.
  public var dryRun: Bool
  /// The rule for tables without one of their own; nil: cell by cell.
  public var rule: MergeRule?
  /// Rules by table, before those of the configuration.
  public var rules: [String: MergeRule]
  /// References, keys and places beside those of the store and the configuration.
  public var declarations: [MergeDeclaration]
  /// Whether two sides without a common ancestor are merged by key, as if both had begun empty.
  public var allowsEmptyBase: Bool
  /// The version that a merged file grew from, which is then their common ancestor; nil: not known.
  public var grewFrom: VersionID?
  /// The only version that may be live, since this was decided on it; nil for any.
  public var ifHead: VersionID?
  /// Which side each of the conflicts takes that a dry run names as ``MergeResult/conflicts``; nil: rules and clocks decide.
  public var choices: [ConflictChoice]?

  /// Makes a request; by default rows are merged cell by cell from the common ancestor.
  public init(
    dryRun: Bool = false, rule: MergeRule? = nil, rules: [String: MergeRule] = [:],
    allowsEmptyBase: Bool = false, grewFrom: VersionID? = nil, ifHead: VersionID? = nil,
    choices: [ConflictChoice]? = nil, declarations: [MergeDeclaration] = []
  ) {
    self.dryRun = dryRun
    self.rule = rule
    self.rules = rules
    self.allowsEmptyBase = allowsEmptyBase
    self.grewFrom = grewFrom
    self.ifHead = ifHead
    self.choices = choices
    self.declarations = declarations
  }
}
