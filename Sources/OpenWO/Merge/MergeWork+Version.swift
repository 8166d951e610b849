import OpenWOFiles
import OpenWOHistory

/// The version that a merge becomes.
extension MergeWork {
  init(
    _ request: MergeRequest, _ store: Store, _ ours: Version, _ theirs: Version,
    _ file: OutsideFile?, isAutomatic: Bool = false
  ) throws {
    self.init(
      store: store, ours: ours, theirs: theirs, theirFile: file?.path,
      theirSide: file.map { .file(store.paths.called($0.source)) } ?? .version(theirs.id),
      rules: try Rules(store: store).merging(request.rules), asked: request.rules.keys.sorted(),
      askedDeclarations: request.declarations,
      otherwise: request.rule ?? .cells,
      allowsEmptyBase: request.allowsEmptyBase, choices: request.choices,
      declarations: try Rules(store: store).declarations(request.declarations),
      isAutomatic: isAutomatic)
    let beginnings = try Beginnings(store.versions.listed().graph)
    isJoin =
      !allowsEmptyBase
      && beginnings.areToBeJoined(ours, theirs, areOfOneKind: StoreManifest.areOfOneKind)
  }

  /// All whose rows come into the merge: both sides, and what counts as one with them.
  func parents() throws -> [Version] {
    let graph = try store.versions.listed().graph
    let all = [ours, theirs].flatMap { side in
      graph.family(of: side.id).compactMap { graph[$0] }.filter(side.hasRows(of:))
    }
    return Array(Set(all))
  }

  /// The version of a merged database, the same on every device that merges the two, and how it is stored.
  func version(of product: Product) throws -> (version: Version, payload: NewPayload) {
    let graph = try store.versions.listed().graph
    let parents = try parents()
    let version = try Version.merge(
      parents: parents, facts: product.facts, renumbered: product.renumbered,
      joining: product.joins,
      // What a person merged is never made again: only they know what it was to be.
      isPartial: isAutomatic && !isJoin && !parents.allSatisfy { graph.hasAllAncestors(of: $0) },
      isChosen: isChosen)
    let content = try FileContent(product.path, fileSystem: store.files)
    let payload = try NewVersions(store: store).payload(
      version, content, after: product.ground.content)
    return (version, payload)
  }
}

extension Version {
  /// Whether the rows of another version that counts as one with this one are in this one.
  ///
  /// All parents of a merge count as merged. So a late twin of a loser is not one of them, nor is a
  /// settlement that lost.
  fileprivate func hasRows(of other: Version) -> Bool {
    let isSameMerge =
      reason == .merge && other.reason == .merge && broughtTogether == other.broughtTogether
    return content == other.content || isSameMerge
  }
}
