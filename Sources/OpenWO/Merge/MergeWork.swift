import OpenWOFiles
import OpenWOHistory
import OpenWOMerge
import OpenWOSQLite
import SystemPackage

/// One merge of two versions, built beside in the state folder; the store is not changed by it.
///
/// The sides are put in an order that all devices share, so that they get the same rows.
struct MergeWork {
  let store: Store
  let ours: Version
  let theirs: Version
  /// The file that holds their content, when it is no version yet.
  let theirFile: FilePath?
  /// What their side is called in a command.
  let theirName: String
  let rules: [String: MergeRule]
  /// The tables for which this merge was given a rule.
  let asked: [String]
  /// The rule of the other tables.
  let otherwise: MergeRule
  let allowsEmptyBase: Bool
  /// Whether nobody asked for it: then "ours" is the side that goes on.
  let isAutomatic: Bool
  /// How many merges this one is the base of.
  var depth = 0

  /// A merged database in a private file.
  struct Product {
    let path: FilePath
    let facts: ContentFacts
    /// The content that it was built on.
    let ground: Version
    let result: MergeResult
  }

  /// Whether their side comes first.
  private var isSwapped: Bool { ours.loses(to: theirs) }

  /// The nearest common ancestors; none where one of them is not here, as an older one does not tell what a side took back.
  private func bases() throws -> [Version] {
    let listing = try store.versions()
    let bases = Lineage(listing.graph).bases(of: ours, and: theirs)
    let isKept = bases.allSatisfy { listing.archive.holds($0.content) }
    // What is missing may stand in a file that cannot be read just now.
    if let unread = listing.archive.unread,
      !isKept || !listing.graph.hasAllAncestors(of: ours, theirs)
    {
      throw unread
    }
    return isKept ? bases : []
  }

  /// Opens what both sides have grown from; nil where that is not known.
  ///
  /// Of two ancestors it is a merge of both that is no version, by the same rules and so with the same rows as that of a device that made one.
  private func openBase(_ bases: [Version]) throws -> Connection? {
    guard bases.count == 2, depth < Lineage.depth else {
      return try bases.count > 1 ? nil : bases.first.map { try store.privateCopy(of: $0.content) }
    }
    var work = MergeWork(
      store: store, ours: bases[1], theirs: bases[0], theirFile: nil, theirName: theirName,
      rules: rules, asked: [], otherwise: otherwise, allowsEmptyBase: allowsEmptyBase,
      isAutomatic: true)
    work.depth = depth + 1
    // Once it is open it needs no name.
    return try work.run { try Self.openPrivate($0.path) }
  }

  /// Whether all of their rows' history is ours already.
  ///
  /// - Throws: `mergeRefused` where it is, but was undone since: nothing of it can be told from what was deleted.
  func isDone() throws -> Bool {
    if ours.content == theirs.content { return true }
    let graph = try store.versions().graph
    guard Lineage(graph).line(of: [ours.id]).contains(theirs.id) else { return false }
    guard stands(in: graph) else {
      throw StoreError.undone(theirs.id, theirName, store.paths)
    }
    return true
  }

  /// Whether their rows have come into ours and no restore undid them, or a later one brought them back.
  private func stands(in graph: VersionGraph) -> Bool {
    let lineage = Lineage.ofRows(graph)
    var line = lineage.line(of: [ours.id])
    var contents: Set<ContentHash> = []
    while true {
      let restored = Set(
        line.compactMap { graph[$0] }.filter { $0.reason == .restore }.map(\.content))
      if restored.isSubset(of: contents) { return line.contains(theirs.id) }
      contents.formUnion(restored)
      let twins = graph.versions.filter { contents.contains($0.content) }.map(\.id)
      line.formUnion(lineage.line(of: twins))
    }
  }

  /// Merges, checks the outcome, and hands it out; the file is gone afterwards.
  ///
  /// - Throws: `mergeRefused`.
  func run<Result>(_ body: (Product) throws -> Result) throws -> Result {
    let path = store.state.scratch.appending("merge-\(randomHex(bytes: 8)).sqlite")
    defer { try? store.files.unlink(path) }
    let product: Product
    do {
      product = try build(path)
    } catch let refusal as MergeRefusal {
      throw StoreError.mergeRefused(refusal, theirName, store.paths)
    } catch let error as SQLiteError where !error.isPassing {
      throw StoreError.mergeRefused(error.message, theirName, store.paths)
    }
    return try body(product)
  }

  private func build(_ path: FilePath) throws -> Product {
    let bases = try bases()
    let before = try openBase(bases)
    defer { before?.close() }
    guard before != nil || allowsEmptyBase else {
      throw StoreError.noCommonAncestor(theirName, store.paths)
    }
    let sides = try Sides(ours: open(ours), theirs: open(theirs))
    defer {
      sides.ours.close()
      sides.theirs.close()
    }
    try refuseUnknownTables(sides)
    let plan = try MergePlanner(
      base: before, ours: isSwapped ? sides.theirs : sides.ours,
      theirs: isSwapped ? sides.ours : sides.theirs, options: options()
    ).plan()
    let groundIsOurs = (plan.ground == .ours) != isSwapped
    try copy(groundIsOurs ? ours : theirs, to: path)
    let (report, header) = try write(plan, path)
    let content = try FileContent(path, fileSystem: store.files)
    let digests = try BlockDigests(size: content.size, read: content.read)
    return Product(
      path: path, facts: ContentFacts(header, digests), ground: groundIsOurs ? ours : theirs,
      result: MergeResult(
        report, base: before == nil ? nil : bases.last?.id, previous: ours.id, theirs: theirs.id,
        isSwapped: isSwapped))
  }

  /// A rule that was asked for has to name a table: a slip of the pen would merge it otherwise.
  private func refuseUnknownTables(_ sides: Sides<Connection>) throws {
    let names = try Set(
      (sides.ours.tableNames() + sides.theirs.tableNames()).map { $0.lowercased() })
    guard let unknown = asked.first(where: { !names.contains($0.lowercased()) }) else { return }
    throw StoreError(
      .usage, "there is no table \(String(printable: unknown.utf8)); nothing was written",
      hint: "see what they are called: sqlite3 \(store.paths.shellName) .tables")
  }

  private func options() -> MergeOptions {
    let (first, second) = isSwapped ? (theirs, ours) : (ours, theirs)
    var options = MergeOptions(
      times: Sides(ours: first.at.ordinal, theirs: second.at.ordinal), first: .ours)
    options.rules = rules.mapValues { $0.tableRule(oursIsFirst: isAutomatic || !isSwapped) }
    options.otherwise = otherwise.tableRule(oursIsFirst: isAutomatic || !isSwapped)
    options.allowsEmptyBase = allowsEmptyBase
    return options
  }

  private func open(_ version: Version) throws -> Connection {
    guard version == theirs, let theirFile else {
      return try store.privateCopy(of: version.content)
    }
    return try Self.openPrivate(theirFile, untrusted: true)
  }

  private static func openPrivate(
    _ path: FilePath, untrusted: Bool = false
  ) throws -> Connection {
    try Connection(
      path: path,
      Connection.Options(
        mode: .readOnly, immutable: true, guardPolicy: .privateCopy, untrusted: untrusted))
  }

  private func copy(_ version: Version, to path: FilePath) throws {
    guard version == theirs, let theirFile else {
      try store.materialize(version.content, to: path, durable: false)
      return
    }
    try AtomicFile.copy(theirFile, to: path, durable: false, fileSystem: store.files)
  }

  /// Writes the plan into the copy and checks what comes out.
  private func write(
    _ plan: MergePlan, _ path: FilePath
  ) throws -> (MergeReport, DatabaseHeader) {
    let connection = try Connection(
      path: path, Connection.Options(mode: .readWrite, guardPolicy: .privateCopy))
    defer { connection.close() }
    let before = try Set(connection.findings().problems)
    let report = try plan.write(into: connection)
    let problem = try connection.withReadLock {
      try connection.checkStructure().damage
        ?? connection.findings().problems.first { !before.contains($0) }
    }
    if let problem { throw StoreError.mergeRefused(problem, theirName, store.paths) }
    return (report, try connection.header())
  }
}

extension HybridTime {
  /// The stamp as one number: the greater the later.
  fileprivate var ordinal: Int64 { milliseconds * (Int64(Self.lastCounter) + 1) + Int64(counter) }
}
