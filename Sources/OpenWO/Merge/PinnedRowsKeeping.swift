import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// Keeping pinned rows, which stay when another device's version is checked out.
struct PinnedRowsKeeping: StoreCommand {
  let store: Store

  /// The version to check out in place of one that lacks pinned rows of the live version; it is
  /// pending.
  ///
  /// If they cannot be kept, the other version is checked out as it is: the rows are in the
  /// history, and a problem is reported.
  func version(for version: Version) throws -> Version {
    guard !configuration.pinned.isEmpty, let live = try workingCopy.currentVersion(),
      live.content != version.content,
      try versions.listed().archive.holds(live.content)
    else { return version }
    do {
      return try pinned(of: live, in: version)
    } catch let refusal as MergeRefusal {
      store.events.send(
        .problem(StoreError.notPinned("\(refusal.table): \(refusal.reason)", live.id, paths)))
    } catch let error as SQLiteError where !error.isPassing {
      store.events.send(.problem(StoreError.notPinned(error.message, live.id, paths)))
    }
    return version
  }

  private func pinned(of live: Version, in version: Version) throws -> Version {
    let old = try versions.privateCopy(of: live.content)
    defer { old.close() }
    let new = try versions.privateCopy(of: version.content)
    defer { new.close() }
    let rows = configuration.pinned.map {
      Pinning.Rows(table: $0.table, condition: $0.condition)
    }
    let pinning = Pinning(rows, of: old, in: new)
    guard try pinning.isNeeded() else { return version }
    let listing = try versions.listed()
    let bases = Lineage(listing.graph).bases(of: live, and: version)
    let isKnown = bases.count == 1 && listing.archive.holds(bases[0].content)
    // If the changes of a side are unknown, this side counts as having changed all pinned rows.
    let ancestor = isKnown ? bases[0] : nil
    let merged = try withScratch(3) { paths in
      for path in paths.dropLast() {
        try versions.materialize((ancestor ?? version).content, to: path, durable: false)
      }
      let header = try merge(rows, pinning, paths, version, new)
      return try keep(pinned: paths[2], header, in: version)
    }
    return merged ?? version
  }

  /// Merges the rows into the version that is checked out, in private files, the third of which is
  /// the result.
  private func merge(
    _ rows: [Pinning.Rows], _ pinning: Pinning, _ paths: [FilePath], _ version: Version,
    _ new: Connection
  ) throws -> DatabaseHeader {
    let base = try Connection(path: paths[0], .ofScratch)
    defer { base.close() }
    let side = try Connection(path: paths[1], .ofScratch)
    defer { side.close() }
    try pinning.prepare(base: base, side: side)
    // Rows of this side keep their keys: an app has them in its hands.
    var options = MergeOptions(times: Sides(ours: 1, theirs: 0), first: .ours)
    for row in rows { options.rules[row.table] = .ours }
    options.declared = try rules.declarations().compactMap(\.declaration)
    let plan = try MergePlanner(base: base, ours: side, theirs: new, options: options).plan()
    if plan.ground == .ours {
      let (ground, _) = try files.openRegular(paths[1])
      try AtomicFile.write(to: paths[2], durable: false, fileSystem: files) {
        try $0.append(contentsOf: ground)
      }
    } else {
      try versions.materialize(version.content, to: paths[2], durable: false)
    }
    let result = try Connection(path: paths[2], .ofScratch)
    defer { result.close() }
    let before = try Set(result.findings().problems)
    _ = try plan.write(into: result)
    let problem = try result.withReadLock {
      try result.checkStructure().damage
        ?? result.findings().problems.first { !before.contains($0) }
    }
    if let problem { throw SQLiteError(.corrupt, problem) }
    return try result.header()
  }

  /// Makes a pending version of the merged database; nil if it has the other version's content
  /// after all.
  private func keep(
    pinned path: FilePath, _ header: DatabaseHeader, in version: Version
  ) throws -> Version? {
    let content = try FileContent(path, fileSystem: files)
    let digests = try BlockDigests(size: content.size, read: content.read)
    guard digests.root != version.content else { return nil }
    let new = NewVersion(
      ContentFacts(header, digests), .write,
      parents: try versions.listed().graph.family(of: version.id), note: "pinned rows kept")
    return try newVersions.capture(new) {
      try newVersions.payload($0, content)
    } note: { _ in
      store.upkeep.captured(at: clock.monotonic())
    }
  }

  /// Runs a body on paths in the state folder, and removes the files there afterwards.
  private func withScratch<Result>(
    _ count: Int, _ body: ([FilePath]) throws -> Result
  ) throws -> Result {
    let paths = (0..<count).map { _ in
      store.state.scratch.appending("pinned-\(randomHex(bytes: 8)).sqlite")
    }
    defer { for path in paths { try? files.unlink(path) } }
    return try body(paths)
  }
}
