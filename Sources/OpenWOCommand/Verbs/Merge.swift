import ArgumentParser
import OpenWO

/// `openwo merge`.
struct MergeVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "merge", abstract: "Bring two sides together, row by row.",
    usage: "[<database>] [<source>] [<options>]",
    details: """
      Merges a conflicted copy, a version or another SQLite file into the database: what one
      side changed is taken, rows that both made are both kept, and where both wrote into one
      cell the later writer decides. What comes of it is checked and becomes a version; when
      that fails nothing is written. A copy that is merged is a version too. To choose the sides
      yourself, let --dry-run --json write the merge to a file, change the "side" of what it
      lists as "conflicts" from ours to theirs or back, and give that file to --take: ours is
      what is live here, and an entry without a column is about the whole row.
      """,
    examples: [
      "openwo merge --dry-run", "openwo merge 'diary (conflicted copy).db'",
      "openwo merge 3f9c0a1b --policy settings=ours", "openwo merge --all",
      "openwo merge --dry-run --json > sides.json", "openwo merge --take sides.json",
    ]
  )

  @OptionGroup
  var words: SourceWords

  var database: String? { SortedWords(words.all, states: 1).database }

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "How rows that both sides changed are decided: cells, newest, ours, theirs or union; for a table also TABLE=singleton and the like.",
      valueName: "rule"))
  var policy: [String] = []

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Take the side that this file names for each conflict.", valueName: "file"),
    completion: .file())
  var take: String?

  @Flag(help: "Merge two that have no common ancestor: keep all rows of both.")
  var emptyBase = false

  @Flag(help: "Merge every side that waits, one after the other.")
  var all = false

  @OptionGroup
  var declarationOptions: DeclarationOptions

  @OptionGroup
  var headOption: HeadOption

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let words = SortedWords(words.all, states: 1)
    let policy = try call.policy(policy)
    let store = try call.open()
    let request = MergeRequest(
      dryRun: try call.isOn(dryRunOption.dryRun, "dry-run"), rule: policy.rule,
      rules: policy.rules, allowsEmptyBase: try call.isOn(emptyBase, "empty-base"),
      ifHead: try call.head(headOption, in: store), choices: try call.choices(take),
      declarations: try declarationOptions.declarations(call.verb))
    let database = try call.database()
    if try call.isOn(all, "all") {
      guard words.states.isEmpty else {
        throw StoreError.usage(
          "--all merges every side that waits, so it takes no SOURCE; nothing was written",
          hint: "merge all: \(database.command("merge", "--all"))")
      }
      guard request.choices == nil else {
        throw StoreError.usage(
          "--take is for one side, and --all merges every one; nothing was written",
          hint: "see which sides wait: \(database.command("conflicts"))")
      }
      return try call.withProgress("merging") { _ in try mergeAll(request, store, database) }
    }
    let other = try call.otherSide(words.states.first, of: store)
    guard let other, let source = other.source else {
      return Outcome(report: MergedReport(database: database, source: nil, result: nil))
    }
    let result = try call.withProgress("merging") { _ in try store.merge(source, request) }
    return Outcome(
      report: MergedReport(
        database: database, source: other.label, result: result, isDone: !request.dryRun))
  }

  /// Merges what waits until nothing is left that was not tried; a side that is refused does not keep the others waiting.
  private func mergeAll(
    _ request: MergeRequest, _ store: SyncedDatabase, _ database: DatabaseArgument
  ) throws -> Outcome {
    var report = MergedAllReport(database: database, isDone: !request.dryRun)
    var (request, tried) = (request, Set<MergeSource>())
    // Ask each time which side waits: one merge may include another side.
    while let source = try store.mergeable().first(where: { !tried.contains($0) }) {
      tried.insert(source)
      let label = NamedState(source).label
      do {
        let result = try store.merge(source, request)
        report.merged.append(
          MergedReport(
            database: database, source: label, result: result, isDone: !request.dryRun))
        request.ifHead = nil
      } catch let error as StoreError where error.code == .mergeRefused {
        report.refused.append((label, error))
      }
    }
    return Outcome(report: report, complaint: report.refused.first?.error)
  }
}

extension Invocation {
  /// The choices of `--take`; nil if there is none.
  fileprivate func choices(_ given: String?) throws -> [ConflictChoice]? {
    guard let word = try surroundings.word(given, "take") else { return nil }
    return try TakeFile(word.path, called: word.printable).choices
  }
}
