import OpenWO
import OpenWOFiles

/// Makes command lines about one database.
struct CommandCall {
  /// The database; nil to leave it out.
  let database: DatabaseName?

  /// The command line of a step; nil if it has none.
  func line(_ step: Advice.Step) -> String? {
    switch step {
    case .remedy(let remedy): line(remedy)
    case .call(let call): line(call)
    case .chore(let chore): line(chore)
    }
  }

  /// A call of the command: a verb with its options, the database, and more words.
  func openwo(_ verb: String, _ words: String...) -> String {
    ([database?.openwo(verb) ?? "openwo \(verb)"] + words).joined(separator: " ")
  }
}

extension DatabaseName {
  /// A call of the command on the same database, to be pasted into a shell.
  package func openwo(_ verb: String) -> String {
    "openwo \(verb)" + (isImplied ? "" : " \(path.shellName)")
  }
}
