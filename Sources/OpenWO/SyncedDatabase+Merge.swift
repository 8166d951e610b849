package import SystemPackage

/// Bringing two sides together row by row.
extension SyncedDatabase {
  /// Merges a version or a file into the live database, from the nearest common ancestor.
  ///
  /// What came of it is checked, becomes a version with both parents, and is live then. Nothing is written when it is refused.
  ///
  /// - Throws: ``StoreError`` with `mergeRefused`, which names the table and the rows; `locked`, `busy`, `noSuchVersion`, `notRestorable`,
  ///   `notADatabase`, `noSpace`.
  @discardableResult
  public func merge(
    _ source: MergeSource, _ request: MergeRequest = MergeRequest()
  ) throws -> MergeResult {
    try core.with { try $0.merge(source, request) }
  }

  /// How two sides of this store become one.
  public func settling() throws -> SettlePolicy {
    try core.with { try $0.policy().settling }
  }

  /// Says how two sides of this store are to become one from now on, on all devices whose configuration leaves it to the store.
  ///
  /// Without rules or declarations those of the store stay what they are.
  public func setSettling(
    _ settling: SettlePolicy, rules: [String: MergeRule]? = nil,
    declarations: [MergeDeclaration]? = nil
  ) throws {
    try core.with { try $0.choose(settling, rules, declarations) }
  }

  /// What the store itself says about how two sides become one; a device's configuration goes before it.
  public func rules() throws -> StoreRules {
    try core.with { try $0.rules() }
  }

  /// What waits to be merged: conflicted copies, versions side by side, and what lost to a last writer.
  public func mergeable() throws -> [MergeSource] {
    try core.with { try $0.mergeable() }
  }

  /// A path as it begins where whoever named the database is; one outside its folder stays as it is.
  package func called(_ path: FilePath) -> FilePath { core.paths.called(path) }
}
