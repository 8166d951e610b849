/// One option of the command line and its variable.
struct Option: Sendable, Hashable {
  /// The long name, without dashes.
  let name: String
  /// The one-letter name, without its dash.
  var short: String?
  /// What its value is called in the help; nil for an option that is on or off.
  var value: String?
  /// One line for the help.
  let summary: String

  /// The variable of the environment that stands in for it, such as `OPENWO_STATE_DIR`.
  var variable: String {
    "OPENWO_" + name.uppercased().split(separator: "-").joined(separator: "_")
  }

  /// How the help shows it, such as `-o, --output FILE`.
  var label: String {
    let names = short.map { "-\($0), --\(name)" } ?? "--\(name)"
    return value.map { "\(names) \($0)" } ?? names
  }
}

/// The options that every verb has.
extension Option {
  static let json = Option(name: "json", summary: "print one JSON document")
  static let quiet = Option(name: "quiet", short: "q", summary: "print nothing but errors")
  static let stateDir = Option(
    name: "state-dir", value: "DIR", summary: "this device's own memory, outside synced folders")
  static let deviceName = Option(
    name: "device-name", value: "NAME", summary: "what others call this device")
  static let help = Option(name: "help", short: "h", summary: "show this help")

  static let common: [Option] = [.json, .quiet, .stateDir, .deviceName, .help]
}

/// Options of several verbs.
extension Option {
  static let dryRun = Option(
    name: "dry-run", short: "n", summary: "say what would be done and change nothing")
  static let wait = Option(
    name: "wait", value: "TIME", summary: "wait so long for others, such as 30s")
  static let note = Option(
    name: "note", value: "TEXT", summary: "why, for everybody who meets the lock")
  static let check = Option(
    name: "check", summary: "end with 3 instead of 0 when there is something to do")
}
