/// Which statuses a verb ends with, for its help, its man page and `docs/SCRIPTING.md`.
enum ExitStatuses {
  /// A status and when it comes.
  typealias Entry = (status: Int, meaning: String)

  private static let meanings: [Int: String] = [
    0: "Done, or nothing to do.", 1: "Something went wrong that has no status of its own.",
    3: "With --check: there is something to do.", 10: "There is no store.",
    11: "Somebody has the lock.", 12: "Busy: a program uses the database and keeps it locked.",
    13: "The lock is not yours, or was ended from elsewhere.",
    14: "Another version is live than the one of --if-head.",
    20: "Damaged, or not a database.", 21: "Made by a newer openwo, or a newer app.",
    22: "The folder or the file is unavailable, or may not be used.", 23: "No space is left.",
    64: "The call makes no sense.", 124: "The query took longer than it may.",
    127: "There is no such program.",
  ]

  /// The exit statuses of a verb besides 0, 1, 10, 21, 22 and 64, which all verbs that open a store
  /// have.
  private static let special: [String: [Int]] = [
    "init": [12, 20, 23], "status": [3], "edit": [11, 12, 13, 20, 23, 127],
    "watch": [12, 20, 23], "sync": [11, 12, 20, 23], "lock": [11, 12, 13, 20, 23],
    "unlock": [11, 12, 13, 14, 20, 23], "history": [], "show": [12, 20, 23],
    "diff": [12, 20, 23], "query": [12, 20, 23, 124], "undo": [11, 12, 20, 23],
    "restore": [11, 12, 14, 20, 23], "conflicts": [3, 12, 20], "prune": [12, 23],
    "recover": [20, 23], "rules": [12, 20, 23], "merge": [11, 12, 14, 20, 23],
    "export": [12, 20, 23],
    "migrate": [11, 12, 20, 23], "devices": [11], "doctor": [3, 23], "leave": [11, 12, 20, 23],
    "mcp": [12, 20, 23], "web": [12, 20, 23, 127],
  ]

  private static let ofItsOwn: [String: [Int: String]] = [
    "edit": [1: "Something went wrong; any other status is the program's own."],
    "watch": [0: "Ended by SIGTERM or SIGHUP; by Ctrl-C it ends with 130."],
    "sync": [
      0: "It looked at everything, and nothing waits.",
      20: "Damaged: what was kept aside is named.",
    ],
    "merge": [1: "The merge was refused, or something else went wrong."],
    "doctor": [
      0: "Nothing is wrong.", 1: "Something has to be mended.", 3: "With --check: a warning.",
    ],
    "status": [3: "With --check: the database is not up to date."],
    "conflicts": [3: "With --check: there are open ones."],
    "devices": [11: "The device to forget has the lock."],
  ]

  /// The statuses of a verb in order; none for an unknown verb.
  static func of(_ verb: String) -> [Entry] {
    if verb == "version" { return [(0, meanings[0] ?? ""), (64, meanings[64] ?? "")] }
    guard let special = special[verb] else { return [] }
    return (special + [0, 1, 10, 21, 22, 64]).sorted().map { status in
      (status, ofItsOwn[verb]?[status] ?? meanings[status] ?? "")
    }
  }

  /// The section of a help text.
  static func section(_ verb: String) -> String {
    let entries = of(verb)
    guard !entries.isEmpty else { return "" }
    return "\nEXIT STATUSES:\n"
      + entries.map { status, meaning in
        "  \(status)" + String(repeating: " ", count: 6 - "\(status)".count) + meaning + "\n"
      }.joined()
  }
}
