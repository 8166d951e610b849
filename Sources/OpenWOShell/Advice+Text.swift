import OpenWO

extension Advice {
  /// The ways in one line, each with its command.
  var text: String {
    let call = CommandCall(database: database)
    return ways.map { way in
      guard let command = way.step.flatMap(call.line) else { return way.words }
      guard !way.words.isEmpty else { return command }
      return way.words + (way.words.hasSuffix("?") ? " " : ": ") + command
    }.joined(separator: "; ")
  }
}
