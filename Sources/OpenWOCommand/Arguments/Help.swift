/// The help texts, made from the verbs themselves.
enum Help {
  /// The list of all verbs.
  static var overview: String {
    var lines = [
      "openwo keeps one SQLite database safe inside a folder that a service keeps in sync", "",
      "usage: openwo VERB [DATABASE] [more] [options]",
    ]
    for group in Verb.Group.allCases {
      lines += ["", group.rawValue]
      let verbs = Verb.all.filter { $0.group == group }
      lines += columns(verbs.map { ($0.name, $0.summary) }, width: 10)
    }
    lines += [
      "", "DATABASE may be left out when OPENWO_DB is set or the working folder holds",
      "exactly one store.", "", "more about a verb: openwo help VERB",
    ]
    return lines.joined(separator: "\n")
  }

  /// The help of one verb.
  static func text(_ verb: Verb) -> String {
    var lines = ["openwo \(verb.name): \(verb.summary)", "", usage(verb)]
    if !verb.details.isEmpty { lines += ["", verb.details] }
    if !verb.options.isEmpty { lines += ["", "options"] + rows(verb.options) }
    lines += ["", "options of every verb"] + rows(Option.common)
    lines += [
      "", "a variable stands in for each option: \(Option.stateDir.variable) for --state-dir",
    ]
    if !verb.examples.isEmpty { lines += ["", "examples"] + verb.examples.map { "  \($0)" } }
    return lines.joined(separator: "\n")
  }

  private static func usage(_ verb: Verb) -> String {
    var words = ["usage: openwo \(verb.name)"]
    if verb.takesDatabase { words.append("[DATABASE]") }
    words += verb.operands
    words.append("[options]")
    if let trailing = verb.trailing { words.append("-- \(trailing)") }
    return words.joined(separator: " ")
  }

  private static func rows(_ options: [Option]) -> [String] {
    columns(options.map { ($0.label, $0.summary) }, width: 18)
  }

  private static func columns(_ rows: [(String, String)], width: Int) -> [String] {
    rows.map { name, summary in
      "  " + name + String(repeating: " ", count: max(1, width - name.count)) + "  " + summary
    }
  }
}
