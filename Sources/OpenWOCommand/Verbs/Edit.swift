import ArgumentParser
import OpenWO
import OpenWOFiles
import OpenWOHistory
import SystemPackage

/// `openwo edit`.
struct EditVerb: Verb {
  static let configuration = CommandConfiguration(
    commandName: "edit", abstract: "Lock, run a program on the database, unlock.",
    usage: "[<database>] [<options>] -- <command> ...",
    details: """
      Runs COMMAND on this terminal while the database is locked. {} in it is the path
      of the database; a COMMAND that does not name it gets the path as its last word. If COMMAND
      returns while a program that it started has the database open, edit waits for that. What
      was edited is kept as one version and told on standard error. Within this device's own
      lock, edit works in that one. Ends with the program's status when that failed, and with 127
      if there is no such program.
      """,
    examples: [
      "openwo edit -- sqlite3", "openwo edit Training/openwo.sqlite -- sqlitebrowser {}",
      "openwo edit --note 'new template' -- sqlite3 {} \"UPDATE …\"",
    ]
  )

  @Argument(help: .database, completion: .file())
  var database: String?

  @Argument(
    parsing: .postTerminator, help: "The program to run and its words, after --.")
  var command: [String] = []

  @OptionGroup
  var lockOptions: LockOptions

  @Flag(help: "End with COMMAND, whoever still has the database open.")
  var noWait = false

  @OptionGroup
  var dryRunOption: DryRunOption

  @OptionGroup(title: "Options of every verb")
  var common: CommonOptions

  func perform(_ call: Invocation) throws -> Outcome {
    let words = try program(call)
    if try call.isOn(dryRunOption.dryRun, "dry-run") {
      let others = try call.open().planLock()
      return Outcome(
        report: LockedReport(database: try call.database(), taken: nil, asked: others))
    }
    return try Editing(
      call: call, store: call.openInterruptibly(), note: try call.text(lockOptions.note, "note"),
      wait: try call.duration(lockOptions.wait, "wait"),
      endsWithCommand: try call.isOn(noWait, "no-wait")
    ).run(words)
  }
}

extension EditVerb {
  /// The words of the program to run, byte for byte: everything after `--`.
  private func program(_ call: Invocation) throws -> [Word] {
    guard !command.isEmpty else {
      throw StoreError.usage(
        "edit needs a program after --", hint: "name one: openwo edit -- sqlite3")
    }
    return call.surroundings.words.suffix(command.count)
  }
}
