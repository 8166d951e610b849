import ArgumentParser
import OpenWO
import OpenWOFiles

/// `openwo rules`.
struct RulesVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "rules", abstract: "Say how two sides become one, or change that.",
    details: """
      Without options it prints the policy, the rules of tables, and what was declared of them. With
      options it changes them for all devices, from the next merge on; what is not named stays as it
      is. --reset begins with none, so name all that is to stay. The latest choice of any device counts.
      """,
    examples: [
      "openwo rules --policy merge", "openwo rules --policy settings=singleton --key day=date",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Option(
    parsing: .unconditionalSingleValue,
    help: ArgumentHelp(
      "How two sides become one: lastWriterWins or merge, and TABLE=newest, ours, theirs, union or singleton.",
      valueName: "policy"))
  var policy: [String] = []

  @OptionGroup
  var declarationOptions: DeclarationOptions

  @Flag(help: "Begin with the last writer wins, no rule of a table, and nothing declared.")
  var reset = false

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let database = try call.database()
    let store = try call.open()
    let isReset = try call.isOn(reset, "reset")
    // The variable for --policy is for `init`: a look must not change anything.
    let words = try PolicyWords(policy, call.verb)
    let declared = try declarationOptions.declarations(call.verb)
    let before = try store.rules()
    var after = isReset ? StoreRules() : before
    after.settling = words.settling ?? after.settling
    after.rules.merge(words.rules) { _, new in new }
    after.declarations += declared.filter { !after.declarations.contains($0) }
    try store.check(words.rules, declared)
    let isDryRun = try call.isOn(dryRunOption.dryRun, "dry-run")
    if after != before, !isDryRun {
      try store.setSettling(
        after.settling, rules: after.rules == before.rules ? nil : after.rules,
        declarations: after.declarations == before.declarations ? nil : after.declarations)
    }
    return Outcome(
      report: RulesReport(
        database: database, rules: after, isChanged: after != before, isDryRun: isDryRun))
  }
}

/// The report of `rules`.
struct RulesReport: Report {
  let database: DatabaseArgument
  let rules: StoreRules
  let isChanged: Bool
  let isDryRun: Bool

  var members: [JSONMember] {
    [
      JSONMember("policy", .string(rules.settling.rawValue)),
      JSONMember(
        "rules",
        .array(
          rules.rules.sorted { $0.key < $1.key }.map { table, rule in
            .object([
              JSONMember("table", .string(table)), JSONMember("rule", .string(rule.rawValue)),
            ])
          })),
      JSONMember("references", declared("reference")), JSONMember("keys", declared("key")),
      JSONMember("places", declared("place")), JSONMember("changed", .bool(isChanged)),
      JSONMember("dryRun", .bool(isDryRun)),
    ]
  }

  private func declared(_ kind: String) -> JSONValue {
    .texts(rules.declarations.filter { $0.kind == kind }.map(DeclarationOptions.word))
  }

  func lines(_ style: Style) -> [String] {
    let policy =
      switch rules.settling {
      case .lastWriterWins: "lastWriterWins: the other side stays in the history"
      case .merge: "merge: what two devices wrote apart is merged row by row"
      }
    var rows = [("policy", policy)]
    for (table, rule) in rules.rules.sorted(by: { $0.key < $1.key }) {
      rows.append(("rule", String(printable: "\(table)=\(rule.rawValue)".utf8)))
    }
    for declaration in rules.declarations {
      let word = DeclarationOptions.word(declaration)
      rows.append((declaration.kind, String(printable: word.utf8)))
    }
    let head =
      isChanged
      ? isDryRun
        ? "\(database.name) would be merged so" : "\(database.name) is merged so from now on"
      : "\(database.name) is merged so"
    let lines = [head] + LabelledRows.lines(rows)
    return isChanged && !isDryRun ? lines + ["next: \(database.command("sync"))"] : lines
  }
}
