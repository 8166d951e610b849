import OpenWOFiles
import OpenWOHistory
import OpenWOSQLite
import SystemPackage

/// Bringing two sides together row by row.
extension Store {
  /// Merges a version or a file into the live database; nothing is written when it is refused.
  func merge(_ source: MergeSource, _ request: MergeRequest) throws -> MergeResult {
    if request.dryRun { return try planMerge(source, request) }
    // Later it would wait with the store held.
    try awaitReaders(of: paths.database)
    for _ in 0..<Self.attempts {
      do {
        let result = try keepingSidesApart { try mergeOnce(source, request) }
        // The other side is a version now, so a copy that it came as may go.
        if result.version != nil { _ = try? reconcile(waiting: 0, policy: policy()) }
        return result
      } catch is StaleLook {}
    }
    throw StoreError.busy(paths)
  }

  /// Runs a body that alone resolves sides: no automatic step does so meanwhile.
  private func keepingSidesApart<Result>(_ body: () throws -> Result) rethrows -> Result {
    call.keepsSidesApart = true
    // Other calls would resolve the sides while this one waits.
    let beginsAgain = call.beginsAgain
    call.beginsAgain = false
    defer { (call.keepsSidesApart, call.beginsAgain) = (false, beginsAgain) }
    return try body()
  }

  private func mergeOnce(_ source: MergeSource, _ request: MergeRequest) throws -> MergeResult {
    _ = try enter(waiting: writePatience)
    return try withOther(source, request) { theirs, file in
      try adoptNext(unless: theirs)
      guard let ours = try current() else { throw StoreError.missing(paths) }
      try require(request.ifHead, as: ours)
      let work = try MergeWork(request, self, ours, theirs, file)
      if let nothing = try nothingToDo(work) { return nothing }
      try work.checkChoices()
      return try asWriter { try carryOut(work, file) }
    }
  }

  /// Adopts the head that follows from the live version alone, so that the merge is not one more head beside it.
  private func adoptNext(unless theirs: Version) throws {
    guard let live = try current(), let next = try next(after: live, unless: theirs) else { return }
    try bring(next.id, damage: nil)
  }

  /// The only head that follows from a version, unless it is the other side.
  private func next(after live: Version, unless theirs: Version) throws -> Version? {
    let graph = try versions.listed().graph
    let next = graph.effectiveHeads.map(\.version).filter {
      graph.isAncestor(live.id, of: $0.id) && $0.content != theirs.content
    }
    return next.count == 1 ? next.first : nil
  }

  /// Plans a merge; changes nothing.
  private func planMerge(_ source: MergeSource, _ request: MergeRequest) throws -> MergeResult {
    try startingFromFound { found in
      try withOther(source, request) { theirs, file in
        let ours = try next(after: found, unless: theirs) ?? found
        try require(request.ifHead, as: ours)
        let work = try MergeWork(request, self, ours, theirs, file)
        if let nothing = try nothingToDo(work) { return nothing }
        try work.checkChoices()
        return try work.run(\.result)
      }
    }
  }

  /// The result if the sides are already merged; nil if they are not.
  private func nothingToDo(_ work: MergeWork) throws -> MergeResult? {
    let known = try work.isDone() ? MergeResult(work.ours, holding: work.theirs) : nil
    guard let result = try known ?? work.madeAlike() else { return nil }
    try work.refuseChoices()
    return result
  }

  /// Runs a body on the other side: a version of the graph, or one that is not kept yet with the file that it would be made of.
  private func withOther<Result>(
    _ source: MergeSource, _ request: MergeRequest,
    _ body: (Version, OutsideFile?) throws -> Result
  ) throws -> Result {
    switch source {
    case .version(let id):
      guard let version = try versions.listed().graph[id] else {
        throw StoreError.noSuchVersion(id.short, paths)
      }
      return try body(version, nil)
    case .file(let path):
      let live = try files.statusIfPresent(paths.database)?.signature
      guard try files.lstat(path).signature.inode != live?.inode else {
        throw StoreError.notComparable(path, "it is the database itself", paths)
      }
      let copy = try OutsideFile(path, self)
      defer { copy.remove() }
      if let known = try versions.listed().graph.latest(content: copy.content) {
        return try body(known, nil)
      }
      let facts = try copy.facts()
      let stated = ForeignContent(.imported(statedBase: request.grewFrom))
      let version = try make(
        facts, .external, parents: origins(of: stated, in: copy).parents,
        note: try note(on: path), notAfter: copy.modified)
      return try body(version, copy)
    }
  }

  /// The note with a file's origin; it tells a conflict copy, as a captured conflict copy may be
  /// removed.
  private func note(on path: FilePath) throws -> String {
    let name = path.lastComponent.map { String(printable: $0.bytes) } ?? ""
    let folder = path.removingLastComponent()
    let isBeside = try files.realpath(folder.isEmpty ? "." : folder) == paths.folder
    let isCopy = try isBeside && conflictedCopies().contains { $0.path == name }
    return (isCopy ? Version.copyNote : "merged from ") + name
  }

  private func carryOut(_ work: MergeWork, _ file: OutsideFile?) throws -> MergeResult {
    guard try current()?.id == work.ours.id else { throw StaleLook() }
    return try work.run { product in
      try publish()
      if let file {
        let content = try FileContent(file.path, fileSystem: files)
        try keep(work.theirs, payload(work.theirs, content))
      }
      var made: Version?
      do {
        let version = try keep(product, work)
        made = version
        try replaceLive(with: version)
        events.send(.captured(version.id, reason: .merge))
      } catch {
        // The merge did not happen, so its version must not be found later and checked out.
        if let made { try drop(made) }
        if file != nil { try drop(work.theirs) }
        throw error
      }
      // The merge is done; a version that cannot be published now is published at the next look.
      try? publish()
      var result = product.result
      result.version = made?.id
      return result
    }
  }

  /// Makes a pending version of a merged database, the same on every device that merges the two.
  func keep(_ product: MergeWork.Product, _ work: MergeWork) throws -> Version {
    let graph = try versions.listed().graph
    let parents = try work.parents()
    let version = try Version.merge(
      parents: parents, facts: product.facts, renumbered: product.renumbered,
      joining: product.joins,
      // What a person merged is never made again: only they know what it was to be.
      isPartial: work.isAutomatic && !work.isJoin
        && !parents.allSatisfy { graph.hasAllAncestors(of: $0) },
      isChosen: work.isChosen)
    let content = try FileContent(product.path, fileSystem: files)
    try keep(version, payload(version, content, after: product.ground.content))
    return version
  }
}

extension MergeResult {
  /// Nothing to do: all of theirs is in ours.
  fileprivate init(_ ours: Version, holding theirs: Version) {
    self.init(version: nil, base: theirs.id, previous: ours.id, theirs: theirs.id, tables: [])
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

extension MergeWork {
  /// All whose rows come into the merge: both sides, and what counts as one with them.
  func parents() throws -> [Version] {
    let graph = try store.versions.listed().graph
    let all = [ours, theirs].flatMap { side in
      graph.family(of: side.id).compactMap { graph[$0] }.filter(side.hasRows(of:))
    }
    return Array(Set(all))
  }

  init(
    _ request: MergeRequest, _ store: Store, _ ours: Version, _ theirs: Version,
    _ file: OutsideFile?, isAutomatic: Bool = false
  ) throws {
    self.init(
      store: store, ours: ours, theirs: theirs, theirFile: file?.path,
      theirSide: file.map { .file(store.paths.called($0.source)) } ?? .version(theirs.id),
      rules: try store.mergeRules(request.rules), asked: request.rules.keys.sorted(),
      askedDeclarations: request.declarations,
      otherwise: request.rule ?? .cells,
      allowsEmptyBase: request.allowsEmptyBase, choices: request.choices,
      declarations: try store.declarations(request.declarations), isAutomatic: isAutomatic)
    let beginnings = try Beginnings(store.versions.listed().graph)
    isJoin =
      !allowsEmptyBase
      && beginnings.areToBeJoined(ours, theirs, areOfOneKind: StoreManifest.areOfOneKind)
  }
}
