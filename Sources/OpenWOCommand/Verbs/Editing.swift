import OpenWO
import OpenWOFiles
import OpenWOShell
import SystemPackage

/// One `edit`: the lock, the program, the unlock.
struct Editing {
  let call: Invocation
  let store: SyncedDatabase
  let note: String?
  let wait: Duration?
  /// Whether the edit ends with the command, without waiting for programs that it left running.
  let endsWithCommand: Bool

  /// The lock that an edit runs in.
  private struct Hold {
    var lock: StoreLock
    /// Whether it ends with this edit; a person's lock ends by `unlock`.
    var endsHere: Bool
    /// Whether it was there before.
    var isResumed = false
  }

  func run(_ words: [Word]) throws -> Outcome {
    call.sayWaiting(wait)
    let name = words[0].path.lastComponent?.printable ?? words[0].printable
    let hold = try begin(name)
    let editors = LeftOpen(path: store.path, edit: hold.lock.id, console: call.console)
    let exit: ChildExit
    do {
      exit = try runChild(words: withPath(words).map(\.bytes))
    } catch {
      if hold.endsHere && !hold.isResumed { _ = try unlock() }
      throw error.isMissing
        ? StoreError.noProgram(words[0].path, error.message)
        : StoreError(.io, error.message, hint: "may it be run? ls -l \(words[0].path.shellName)")
    }
    if !endsWithCommand && hold.endsHere {
      editors.waitUntilClosed(name: try call.database().name, hasFailed: exit.status != 0)
    }
    let open = ProcessTable.openers(of: store.path)
    if exit.status != 0, OwnProcess.caughtSignal == nil, !call.isQuiet, !call.isJSON {
      call.console.remark("openwo: \(name) ended with \(exit.status)")
    }
    let report = hold.endsHere ? try unlock() : nil
    if report != nil { call.sayStillOpen(open, store.path, try call.database()) }
    if let number = OwnProcess.caughtSignal { throw EndedBySignal(number: number) }
    return try outcome(report, exit, hold)
  }

  private func outcome(
    _ report: UnlockReport?, _ exit: ChildExit, _ hold: Hold
  ) throws -> Outcome {
    let database = try call.database()
    guard let report else {
      if !call.isQuiet, !hold.lock.endsWithProcess {
        call.console.remark(
          "openwo: \(database.name) stays locked; when the edit is finished: "
            + database.command("unlock"))
      }
      return Outcome(report: nil, exit: ExitCode(exit.status))
    }
    return Outcome(
      report: UnlockedReport(
        database: database, request: UnlockRequest(), report: report, programStatus: exit.status),
      exit: ExitCode(exit.status), isRemark: true)
  }

  /// Takes the lock, or continues in one of this device.
  private func begin(_ name: String) throws -> Hold {
    do {
      let locked = try store.lockUnlessInterrupted(
        LockRequest(note: note, waitingUpTo: wait, program: "\(Self.program) \(name)"))
      tell(locked)
      return Hold(lock: locked.lock, endsHere: true)
    } catch let error as StoreError where error.code == .locked {
      guard let lock = error.lock, let hold = try resume(in: lock) else { throw error }
      return hold
    }
  }

  private static let program = "openwo edit"

  /// Continues in a lock that waits for a person of this device, or that an outer edit holds.
  private func resume(in lock: StoreLock) throws -> Hold? {
    if call.surroundings.variable(LeftOpen.variable)?.text == lock.id {
      return Hold(lock: lock, endsHere: false, isResumed: true)
    }
    guard let own = try store.resumeLock(lock.id, note: note) else { return nil }
    if !call.isQuiet {
      call.console.remark("openwo: uses the lock \(lock.id) of this device")
    }
    // This edit takes over a lock that an earlier edit could not end.
    return Hold(lock: own, endsHere: own.program.hasPrefix(Self.program), isResumed: true)
  }

  /// Prints which devices may still write; after this the program has the terminal.
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
      return try call.withProgress("keeping the edit", reading: 14) { _ in try store.unlock() }
    } catch let error as StoreError where error.code != .lockLost {
      try store.leaveLockStanding()
      throw error
    }
  }
}

extension StoreError {
  /// The error if the program to edit with was not found.
  fileprivate static func noProgram(_ name: FilePath, _ message: String) -> StoreError {
    StoreError(
      .noSuchProgram, "\(message); nothing was edited",
      hint: "is it installed? command -v \(name.shellName)")
  }
}
