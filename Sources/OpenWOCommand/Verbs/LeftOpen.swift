import OpenWO
import OpenWOFiles
import SystemPackage

/// Programs that an edit's command has left behind with the database open: launchers, `xdg-open`, single-instance programs.
struct LeftOpen {
  /// The variable by which the programs of an edit are known, and an edit within an edit.
  static let variable = "OPENWO_EDIT"
  /// A command that returns within this time may have left a program that is only starting.
  private static let atOnce: Int64 = 5_000_000_000

  private let path: FilePath
  private let edit: String
  private let console: Console
  private let clock = SystemClock()
  /// Who had it open before: these programs were not started for this edit.
  private let before: Set<Int32>
  private let start: Int64

  /// Records who has the database open, and marks this process, so that its children can be
  /// recognised.
  init(path: FilePath, edit: String, console: Console) {
    (self.path, self.edit, self.console) = (path, edit, console)
    before = Set(ProcessTable.openers(of: path).map(\.pid))
    start = clock.monotonic()
    OwnProcess.setVariable(Self.variable, edit)
  }

  /// Waits until no program has the database open that had it not before; a signal ends the wait.
  func waitUntilClosed(name: String, hasFailed: Bool) {
    let returned = clock.monotonic()
    let isStarting = !hasFailed && returned.minus(start) < Self.atOnce
    var lastOpen = returned
    var told: Set<Int32> = []
    while OwnProcess.caughtSignal == nil {
      let open = ProcessTable.openers(of: path).filter { !before.contains($0.pid) }
      let now = clock.monotonic()
      if open.isEmpty {
        // It may open the file later, or close it between two looks into it.
        let mayOpen = isStarting && now.minus(lastOpen) < Self.atOnce
        guard mayOpen, ProcessTable.isRunning(withVariable: Self.variable, edit) else { return }
      } else {
        lastOpen = now
      }
      for program in open where told.insert(program.pid).inserted {
        console.remark(
          "openwo: \(program.name) (pid \(program.pid)) has \(name) open; the edit ends when it "
            + "is closed there, or with ^C")
      }
      clock.sleep(nanoseconds: 100_000_000)
    }
  }
}

extension Invocation {
  /// Prints which of these programs still have the database open after a lock has ended: what they
  /// save from now on is not part of the edit.
  ///
  /// Apps that respect locks have closed it under the lock, so they are not among them.
  func sayStillOpen(
    _ programs: [ProcessTable.Entry], _ path: FilePath, _ database: DatabaseArgument
  ) {
    guard !isQuiet, !programs.isEmpty else { return }
    for program in ProcessTable.openers(of: path) where programs.contains(program) {
      console.remark(
        "openwo: \(program.name) (pid \(program.pid)) still has \(database.name) open; what it "
          + "saves from now on becomes a version of its own")
    }
  }
}
