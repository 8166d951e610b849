import Foundation
import OpenWO

/// The command, each call a process of its own.
enum CommandGroup {
  static func run(_ context: Context) throws {
    guard let command = context.command else {
      return context.report.skip("command", "no openwo command was built")
    }
    let folder = try context.folder("command")
    let store = try context.store(folder, of: WorkoutDatabase.file(megabytes: 1, in: context.data))
    try store.close()
    let (path, state) = ("\(folder)/synced/live.sqlite", "\(folder)/state")
    setenv("OPENWO_STATE_DIR", state, 1)
    let query = "SELECT count(*) FROM session"
    try Child(command, "status", path).run()
    context.add(
      try Comparison(
        "command", "openwo status, 1 MB", rounds: context.rounds(41, short: 15),
        [
          Case("status", Child(command, "status", path)),
          Case("sqlite3 'select count(*)'", Child("sqlite3", path, query)),
        ],
        goals: [
          .atMost(1.5, times: "sqlite3 'select count(*)'", .wall),
          .shown("sqlite3 'select count(*)'", .memory),
        ]))
    context.add(
      try Comparison(
        "command", "openwo status --help", rounds: context.rounds(41, short: 15),
        [
          Case("help", Child(command, "status", "--help")),
          Case("sqlite3 'select count(*)'", Child("sqlite3", path, query)),
        ], goals: [.atMost(2, times: "sqlite3 'select count(*)'", .wall)]))
    guard Child.exists("dotlockfile") else {
      return context.report.skip("command", "dotlockfile is not installed")
    }
    context.add(
      try Comparison(
        "command", "openwo lock, then unlock, nothing edited",
        rounds: context.rounds(41, short: 15),
        [
          Case(
            "lock, unlock",
            Child("sh", "-c", "\(command) lock \(path) && \(command) unlock \(path)")),
          Case(
            "dotlockfile",
            Child("sh", "-c", "dotlockfile -l \(folder)/x.lock && dotlockfile -u \(folder)/x.lock")),
        ], goals: [.atMost(3, times: "dotlockfile", .wall)]))
  }
}
