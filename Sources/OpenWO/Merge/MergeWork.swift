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
  /// The file that holds their content, if that has no version yet.
  let theirFile: FilePath?
  /// The name of their side in a command.
  let theirSide: MergeSource
  let rules: [String: MergeRule]
  /// The tables for which this merge was given a rule.
  let asked: [String]
  /// What was declared for this merge.
  var askedDeclarations: [MergeDeclaration] = []
  /// The rule of the other tables.
  let otherwise: MergeRule
  let allowsEmptyBase: Bool
  /// A person's choices for all conflicts; nil: rules decide.
  var choices: [ConflictChoice]?
  /// Whether the result is to list all conflicts, however many.
  var listsAll = false
  /// What was said about tables that their definitions do not say.
  var declarations: [MergeDeclaration] = []
  /// Whether the two began as stores of their own.
  var isJoin = false
  /// Whether the policy made this merge: then "ours" is the side that would win.
  let isAutomatic: Bool

  /// Whether a person decided something about this merge that its sides do not.
  var isChosen: Bool {
    !isAutomatic
      && (choices != nil || !asked.isEmpty || !askedDeclarations.isEmpty || otherwise != .cells
        || allowsEmptyBase)
  }

  /// A merged database in a private file.
  struct Product {
    let path: FilePath
    let facts: ContentFacts
    /// The content that it was built on.
    let ground: Version
    /// The rows of both sides that were renumbered; nil if there are too many to record.
    let renumbered: RenumberedRows?
    /// The ids of the stores that it joins; nil if both sides are of one store.
    let joins: [String]?
    let result: MergeResult
  }

  /// Whether their side comes first.
  private var isSwapped: Bool { ours.loses(to: theirs) }

  /// The merge bases; none if one of them is not here, as an older version does not show what a
  /// side reverted.
  private func bases() throws -> [Version] {
    let listing = try store.versions.listed()
    let bases = Lineage(listing.graph).bases(of: ours, and: theirs)
    let isKept = bases.allSatisfy { listing.archive.holds($0.content) }
    // The missing version may be in a file that cannot be read just now.
    if let unread = listing.archive.unread,
      !isKept || !listing.graph.hasAllAncestors(of: ours, theirs)
    {
      throw unread
    }
    return isKept ? bases : []
  }

  /// The result if there is nothing to do: all of theirs is in ours.
  var unchanged: MergeResult {
    MergeResult(version: nil, base: theirs.id, previous: ours.id, theirs: theirs.id, tables: [])
  }

  /// The result for two sides that made the same content independently; nil if a rule keeps both of
  /// equal rows.
  func madeAlike() throws -> MergeResult? {
    do {
      return try run { $0.facts.hash == ours.content ? $0.result : nil }
    } catch let error as StoreError where error.code == .mergeRefused {
      return unchanged
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
      try checkChosen(product.result)
    } catch let refusal as MergeRefusal {
      throw StoreError.mergeRefused(refusal, theirSide, store.paths, isSwapped: isSwapped)
    } catch let error as SQLiteError where !error.isPassing {
      throw StoreError.mergeRefusedHere(error.message, theirSide, store.paths)
    }
    return try body(product)
  }

  private func build(_ path: FilePath) throws -> Product {
    let bases = try bases()
    guard !bases.isEmpty || allowsEmptyBase || isJoin else {
      throw StoreError.noCommonAncestor(theirSide, store.paths)
    }
    try refuseUnknownTables()
    let (first, second) = isSwapped ? (theirs, ours) : (ours, theirs)
    let merged = try rowMerge().run(first: first, second: second, bases: bases, into: path)
    let ground = merged.ground == .ours ? first : second
    let renumbered = RenumberedRows([first.id: merged.moves.ours, second.id: merged.moves.theirs])
    let joins = isJoin ? try store.versions.listed().graph.stores(of: parents()) : nil
    let fits = renumbered.fits(joining: joins)
    if isAutomatic, let column = merged.report.undeclared.first {
      throw MergeRefusal(
        column.parent,
        "rows made apart would get other numbers, and \(column.table).\(column.column) points to them "
          + "without a FOREIGN KEY, so it would not follow them")
    }
    // By hand it is done all the same: a person looks at it.
    guard fits || !isAutomatic else {
      throw MergeRefusal("", "it would give more rows another number than it could write down")
    }
    let header = try header(path)
    let content = try FileContent(path, fileSystem: store.files)
    let digests = try BlockDigests(size: content.size, read: content.read)
    return Product(
      path: path, facts: ContentFacts(header, digests), ground: ground,
      renumbered: fits ? renumbered : nil, joins: joins,
      result: MergeResult(
        merged.report, base: merged.hasBase ? bases.last?.id : nil, previous: ours.id,
        theirs: theirs.id, isSwapped: isSwapped))
  }

  private func header(_ path: FilePath) throws -> DatabaseHeader {
    let connection = try Connection(path: path, .ofPrivateCopy)
    defer { connection.close() }
    return try connection.header()
  }

  private func rowMerge() throws -> RowMerge {
    let store = store
    let listing = try store.versions.listed()
    let contents = RowMerge.Contents(
      holds: { listing.archive.holds($0.content) }, open: open, copy: copy,
      newPath: { store.state.scratch.appending("merge-\(randomHex(bytes: 8)).sqlite") },
      openPrivate: { path, isWriting in
        try Connection(path: path, isWriting ? .ofScratch : .ofPrivateCopy)
      },
      copyPrivate: {
        try AtomicFile.copy($0, to: $1, durable: false, fileSystem: store.files)
      },
      remove: { try? store.files.unlink($0) },
      commonRows: { try CommonRowsKeeping(store: store).run($0, $1, listing) })
    return RowMerge(
      lineage: Lineage(listing.graph), contents: contents, isJoin: isJoin, options: options,
      checked: { [theirSide] connection, write in
        let before = try Set(connection.findings().problems)
        let report = try write()
        let problem = try connection.withReadLock {
          try connection.checkStructure().damage
            ?? connection.findings().problems.first { !before.contains($0) }
        }
        if let problem { throw StoreError.mergeRefusedHere(problem, theirSide, store.paths) }
        return report
      })
  }

  /// A rule that was asked for has to name a table: a slip of the pen would merge it otherwise.
  private func refuseUnknownTables() throws {
    if asked.isEmpty, askedDeclarations.isEmpty { return }
    let databases = try [ours, theirs].map(open)
    defer { for database in databases { database.close() } }
    try MergeDeclaration.check(askedDeclarations, in: databases, store.paths)
    let names = try Set(databases.flatMap { try $0.tableNames() }.map { $0.lowercased() })
    guard let unknown = asked.first(where: { !names.contains($0.lowercased()) }) else { return }
    throw StoreError(
      .usage, "there is no table \(String(printable: unknown.utf8)); nothing was written",
      advice: store.paths.next("see what they are called", .sqlite(store.paths.typed, .tables)))
  }

  private func options(_ times: Sides<Int64>, isOfAncestors: Bool) -> MergeOptions {
    let oursIsFirst = isOfAncestors || isAutomatic || !isSwapped
    var options = MergeOptions(times: times, first: .ours)
    options.rules = rules.mapValues { $0.tableRule(oursIsFirst: oursIsFirst) }
    options.otherwise = otherwise.tableRule(oursIsFirst: oursIsFirst)
    options.declared = declarations.compactMap(\.declaration)
    options.allowsEmptyBase = allowsEmptyBase || isJoin
    if listsAll || choices != nil { options.listed = .max }
    if !isOfAncestors, let choices {
      options.choices = choices.map { RowChoice($0, isSwapped: isSwapped) }
    }
    return options
  }

  private func open(_ version: Version) throws -> Connection {
    guard version == theirs, let theirFile else {
      return try store.versions.privateCopy(of: version.content)
    }
    return try Connection(path: theirFile, .ofForeignCopy)
  }

  private func copy(_ version: Version, to path: FilePath) throws {
    guard version == theirs, let theirFile else {
      try store.versions.materialize(version.content, to: path, durable: false)
      return
    }
    try AtomicFile.copy(theirFile, to: path, durable: false, fileSystem: store.files)
  }
}
