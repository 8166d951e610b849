package import SystemPackage

/// Bringing two sides together row by row.
extension SyncedDatabase {
  /// Merges a version or a file into the live database, from the merge base.
  ///
  /// The result is checked, becomes a version with both parents, and becomes live. If the merge is
  /// refused, nothing is written.
  ///
  /// - Throws: ``StoreError`` with `mergeRefused`, which names the table and the rows; `locked`, `busy`, `noSuchVersion`, `notRestorable`,
  ///   `notADatabase`, `noSpace`.
  @discardableResult
  public func merge(
    _ source: MergeSource, _ request: MergeRequest = MergeRequest()
  ) throws -> MergeResult {
    try core.patiently { try Merging(store: $0, source: source, request: request).run() }
  }

  /// How this store resolves several heads.
  public func settling() throws -> SettlePolicy {
    try core.with(.reading) { try Rules(store: $0).policy().settling }
  }

  /// Sets how this store resolves several heads, for all devices whose configuration does not say
  /// otherwise.
  ///
  /// Without rules or declarations those of the store stay what they are.
  public func setSettling(
    _ settling: SettlePolicy, rules: [String: MergeRule]? = nil,
    declarations: [MergeDeclaration]? = nil
  ) throws {
    try core.with { try Rules(store: $0).choose(settling, rules, declarations) }
  }

  /// The store's own rules for resolving heads; a device's configuration overrides them.
  public func rules() throws -> StoreRules {
    try core.with(.reading) { try Rules(store: $0).ofStore() }
  }

  /// Refuses rules and declarations that name a table or a column which the database does not have:
  /// a slip of the pen would do nothing.
  package func check(
    _ rules: [String: MergeRule], _ declarations: [MergeDeclaration]
  ) throws {
    try core.patiently { try Rules(store: $0).check(rules, declarations) }
  }

  /// The sources that can be merged: conflict copies, rival versions, and sides that lost to a last
  /// writer.
  public func mergeable() throws -> [MergeSource] {
    try core.with(.reading) { try MergeableSides(store: $0).all() }
  }

  /// A path as the caller would type it; one outside the database's folder stays as it is.
  package func called(_ path: FilePath) -> FilePath { core.paths.called(path) }
}
