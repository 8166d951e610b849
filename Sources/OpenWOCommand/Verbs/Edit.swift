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
      Runs COMMAND on this terminal while the database is locked. {} in it stands for the path
      of the database; a COMMAND that does not name it gets the path as its last word. What was
      edited is kept as one version and told on standard error. Ends with the program's status
      when that failed.
      """,
    examples: [
      "openwo edit -- sqlite3", "openwo edit Training/openwo.sqlite -- sqlitebrowser {}",
      "openwo edit --note 'new template' -- sqlite3 {} \"UPDATE …\"",
    ]
  )

  @Argument(help: .database)
  var database: String?

  @Argument(
    parsing: .postTerminator, help: "The program to run and its words, behind --.")
  var command: [String] = []

  @OptionGroup
  var lockOptions: LockOptions

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
      wait: try call.duration(lockOptions.wait, "wait")
    ).run(words)
  }
}

extension EditVerb {
  /// The words of the program to run, byte for byte: all that stands behind `--`.
  private func program(_ call: Invocation) throws -> [Word] {
    guard !command.isEmpty else {
      throw StoreError.usage(
        "edit needs a COMMAND behind --", hint: "name a program: openwo edit -- sqlite3")
    }
    return call.surroundings.words.suffix(command.count)
  }
}

/// One `edit`: the lock, the program, the unlock.
private struct Editing {
  let call: Invocation
  let store: SyncedDatabase
  let note: String?
  let wait: Duration?

  func run(_ words: [Word]) throws -> Outcome {
    call.sayWaiting(wait)
    let name = words[0].path.lastComponent?.printable ?? words[0].printable
    let locked = try store.lockUnlessInterrupted(
      LockRequest(
        note: note, waitingUpTo: wait,
        program: "openwo edit \(name)"))
    tell(locked)
    let exit: ChildExit
    do {
      exit = try runChild(words: withPath(words).map(\.bytes))
    } catch {
      _ = try unlock()
      throw StoreError(
        .io, error.message, hint: "is it there? command -v \(words[0].path.shellName)")
    }
    let report = try unlock()
    if let number = OwnProcess.caughtSignal { throw EndedBySignal(number: number) }
    return Outcome(
      report: UnlockedReport(
        database: try call.database(), request: UnlockRequest(), report: report,
        programStatus: exit.status),
      exit: ExitCode(exit.status), isRemark: true)
  }

  /// Says who may still write; the program has the terminal after this.
  private func tell(_ locked: LockReport) {
    guard !call.isQuiet else { return }
    for device in locked.waitingFor {
      call.console.remark(
        "openwo: \(String(printable: device.name.utf8)) has not answered the lock yet")
    }
    for device in locked.newerOn {
      call.console.remark(
        "openwo: a newer version of \(String(printable: device.name.utf8)) is still on its way")
    }
  }

  private func withPath(_ words: [Word]) -> [Word] {
    let path = store.path.bytes
    let replaced = words.map { $0.replacingBraces(with: path) }
    if replaced.contains(where: { $0 != nil }) { return zip(replaced, words).map { $0 ?? $1 } }
    return words.dropFirst().contains(where: namesDatabase) ? words : words + [Word(path)]
  }

  private func namesDatabase(_ word: Word) -> Bool {
    guard let named = try? FileSystem().statusIfPresent(word.path),
      let live = try? FileSystem().statusIfPresent(store.path)
    else { return false }
    return named.isSameFile(as: live)
  }

  /// Ends the lock; one that cannot be ended is left to the person, as the error says.
  private func unlock() throws -> UnlockReport {
    do {
      return try store.unlock()
    } catch let error as StoreError where error.code != .lockLost {
      try store.leaveLockStanding()
      throw error
    }
  }
}
