public import OpenWOHistory

/// The options of a merge.
public struct MergeRequest: Sendable, Hashable {
  /// Whether to only return what would be done.
  public var dryRun: Bool
  /// The rule for tables without their own; nil: cell by cell.
  public var rule: MergeRule?
  /// Rules by table, which override those of the configuration.
  public var rules: [String: MergeRule]
  /// References, keys and places beside those of the store and the configuration.
  public var declarations: [MergeDeclaration]
  /// Whether two sides without a merge base are merged by key, as if the base were empty.
  public var allowsEmptyBase: Bool
  /// The parent of a merged file, which is then the merge base; nil: unknown.
  public var grewFrom: VersionID?
  /// The version that must be live for the merge; nil for any.
  public var ifHead: VersionID?
  /// The sides chosen for conflicts that a dry run returned as ``MergeResult/conflicts``; nil:
  /// rules and clocks decide.
  public var choices: [ConflictChoice]?

  /// Makes a request; by default rows are merged cell by cell from the merge base.
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
