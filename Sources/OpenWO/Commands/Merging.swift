import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// Bringing two sides together row by row: a version or a file is merged into the live database.
struct Merging: StoreCommand {
  let store: Store
  let source: MergeSource
  let request: MergeRequest

  /// Merges, or plans it; nothing is written when it is refused.
  func run() throws -> MergeResult {
    if request.dryRun { return try plan() }
    // Later it would wait with the store held.
    try session.awaitReaders(of: paths.database)
    return try session.lookingAgain {
      let result = try keepingSidesApart(merge)
      // The other side is a version now, so a copy that it came as may go.
      if result.version != nil { _ = try? SyncLoop(store: store).run() }
      return result
    }
  }

  private func plan() throws -> MergeResult {
    try Previewing(store: store).run { found in
      try withOther { theirs, file in
        let next = try versions.listed().graph.onlyHead(after: found, besides: theirs)
        return try decide(next ?? found, theirs, file) { try $0.run(\.result) }
      }
    }
  }

  /// Runs a body that alone resolves sides: no automatic step does so meanwhile.
  private func keepingSidesApart<Result>(_ body: () throws -> Result) rethrows -> Result {
    store.call.keepsSidesApart = true
    // Other calls would resolve the sides while this one waits.
    let beginsAgain = store.call.beginsAgain
    store.call.beginsAgain = false
    defer { (store.call.keepsSidesApart, store.call.beginsAgain) = (false, beginsAgain) }
    return try body()
  }

  private func merge() throws -> MergeResult {
    _ = try session.enter(waiting: configuration.writePatience)
    return try withOther { theirs, file in
      if let live = try workingCopy.currentVersion(),
        let next = try versions.listed().graph.onlyHead(after: live, besides: theirs)
      {
        try CheckOut(store: store).adopt(next.id)
      }
      guard let ours = try workingCopy.currentVersion() else { throw StoreError.missing(paths) }
      return try decide(ours, theirs, file) { work in
        try store.asWriter { try carryOut(work, file) }
      }
    }
  }

  /// Decides what there is to do, and lets it be done if it is a merge.
  private func decide(
    _ ours: Version, _ theirs: Version, _ file: OutsideFile?,
    act: (MergeWork) throws -> MergeResult
  ) throws -> MergeResult {
    try ours.require(request.ifHead, paths)
    let work = try MergeWork(request, store, ours, theirs, file)
    if let nothing = try nothingToDo(work) {
      try work.refuseChoices()
      return nothing
    }
    try work.checkChoices()
    return try act(work)
  }

  /// The result if the sides are already merged; nil if they are not.
  private func nothingToDo(_ work: MergeWork) throws -> MergeResult? {
    switch MergeNeed(of: work.theirs, into: work.ours, in: try versions.listed().graph) {
    case .nothing: work.unchanged
    case .undone(let merge):
      throw StoreError.undone(work.theirs.id, by: merge, work.theirSide, paths)
    case .alike: try work.madeAlike()
    case .merge: nil
    }
  }

  /// Runs a body on the other side: a version of the graph, or one that is not kept yet with the file that it would be made of.
  private func withOther<Result>(
    _ body: (Version, OutsideFile?) throws -> Result
  ) throws -> Result {
    switch source {
    case .version(let id): return try body(versions.version(id), nil)
    case .file(let path):
      let live = try files.statusIfPresent(paths.database)?.signature
      guard try files.lstat(path).signature.inode != live?.inode else {
        throw StoreError.notComparable(path, "it is the database itself", paths)
      }
      let copy = try OutsideFile(path, store)
      defer { copy.remove() }
      if let known = try versions.listed().graph.latest(content: copy.content) {
        return try body(known, nil)
      }
      let facts = try copy.facts()
      let stated = ForeignContent(.imported(statedBase: request.grewFrom))
      let version = try newVersions.make(
        NewVersion(
          facts, .external,
          parents: EvidenceGatherer(store: store).origins(of: stated, in: copy).parents,
          note: try note(on: path), notAfter: copy.modified))
      return try body(version, copy)
    }
  }

  /// The note with a file's origin; it tells a conflict copy, as a captured conflict copy may be
  /// removed.
  private func note(on path: FilePath) throws -> String {
    let name = path.lastComponent.map { String(printable: $0.bytes) } ?? ""
    let folder = path.removingLastComponent()
    let isBeside = try files.realpath(folder.isEmpty ? "." : folder) == paths.folder
    let isCopy = try isBeside && ConflictCopies(store: store).list().contains { $0.path == name }
    return (isCopy ? Version.copyNote : "merged from ") + name
  }

  private func carryOut(_ work: MergeWork, _ file: OutsideFile?) throws -> MergeResult {
    guard try workingCopy.currentVersion()?.id == work.ours.id else { throw StaleLook() }
    return try work.run { product in
      try publishing.run()
      if let file {
        let content = try FileContent(file.path, fileSystem: files)
        try newVersions.keep(work.theirs, of: content)
      }
      var result = product.result
      do {
        let (version, payload) = try work.version(of: product)
        try CheckOut(store: store).putInPlace(version, payload)
        result.version = version.id
        store.events.send(.captured(version.id, reason: .merge))
      } catch {
        if file != nil { try newVersions.drop(work.theirs) }
        throw error
      }
      // The merge is done; a version that cannot be published now is published at the next look.
      try? publishing.run()
      return result
    }
  }
}
