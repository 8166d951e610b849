import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory

/// `openwo unlock`.
struct UnlockVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "unlock", abstract: "End the edit, keep it as a version, say what changed.",
    details: """
      Checks the database, keeps the edit as one version, and lets the apps go on. Refuses
      while another program has it in a transaction, or when the edit left it damaged or with
      rows that point nowhere: then the lock stays, to mend it or to discard the edit.
      --dry-run says what has changed so far.
      """,
    examples: ["openwo unlock", "openwo unlock --discard", "openwo unlock --force 7f3a19c2"]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Flag(help: "Go back to the state before the lock.")
  var discard = false

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "End the lock of another device, or of one that is gone.", valueName: "id"))
  var force: String?

  @OptionGroup
  var headOption: HeadOption

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let store = try call.open()
    let request = UnlockRequest(
      discard: try call.isOn(discard, "discard"), force: try call.text(force, "force"),
      dryRun: try call.isOn(dryRunOption.dryRun, "dry-run"),
      ifHead: try call.head(headOption, in: store))
    let open = request.dryRun ? [] : ProcessTable.openers(of: store.path)
    let report = try call.withProgress("keeping the edit", reading: 14) { _ in
      try store.unlock(request)
    }
    if report.lock.id != request.force {
      call.sayStillOpen(open, store.path, try call.database())
    }
    return Outcome(
      report: UnlockedReport(database: try call.database(), request: request, report: report))
  }
}
